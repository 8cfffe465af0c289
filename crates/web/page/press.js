// Puzzles whose move is the press of a cell: a click presses, arrow keys move the marked cell, Space or Enter presses
// it.

/** @import { View } from "./api.js" */
/** @import { BoardInput } from "./input.js" */

/** The move for a press on this cell. @param {View} view @param {number} cell */
export function pressed(view, cell) {
  return view.moves.find((move) => move.form === "press" && move.from.includes(cell));
}

/** Handles a key on such a board; `true` if the key has a meaning. @param {BoardInput} input @param {View} view @param {string} key */
export function pressKey(input, view, key) {
  if (!view.moves.some(({ form }) => form === "press")) return false;
  const { width, cells } = view.board;
  const at = input.cell ?? 0;
  if (key === " " || key === "Enter") {
    input.cell = at;
    input.game.act((now) => pressed(now, at));
    return true;
  }
  const column = at % width;
  const to = key === "ArrowLeft" ? (column > 0 ? at - 1 : at)
    : key === "ArrowRight" ? (column < width - 1 ? at + 1 : at)
      : key === "ArrowUp" ? at - width : key === "ArrowDown" ? at + width : null;
  if (to === null) return false;
  input.cell = to >= 0 && to < cells.length ? to : at;
  input.dispatchEvent(new Event("select"));
  return true;
}
