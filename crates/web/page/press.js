// Puzzles whose move is the press of a cell: a click presses, arrow keys lead a mark over the board, Space or Enter presses there.

/** @import { View } from "./api.js" */
/** @import { Hand } from "./input.js" */

/** The move that a press on this cell means. @param {View} view @param {number} cell */
export function pressed(view, cell) {
  return view.moves.find((move) => move.form === "press" && move.from.includes(cell));
}

/** A key on such a board; `true` if it meant something. @param {Hand} hand @param {View} view @param {string} key */
export function pressKey(hand, view, key) {
  if (!view.moves.some(({ form }) => form === "press")) return false;
  const { width, cells } = view.board;
  const at = hand.cell ?? 0;
  if (key === " " || key === "Enter") {
    hand.cell = at;
    hand.game.act((now) => pressed(now, at));
    return true;
  }
  const column = at % width;
  const to = key === "ArrowLeft" ? (column > 0 ? at - 1 : at)
    : key === "ArrowRight" ? (column < width - 1 ? at + 1 : at)
      : key === "ArrowUp" ? at - width : key === "ArrowDown" ? at + width : null;
  if (to === null) return false;
  hand.cell = to >= 0 && to < cells.length ? to : at;
  hand.dispatchEvent(new Event("select"));
  return true;
}
