// Play: the board, the keys, undo, redo, restart, a hint, a link to share.

import { search } from "./api.js";
import { Board, describe } from "./board.js";
import { button, el, plural, refill, say } from "./dom.js";
import { Hand, choosable } from "./input.js";
import { toLink } from "./share.js";

/** @import { Answer, Catalog, Move } from "./api.js" */
/** @import { Game } from "./game.js" */

/** How long a hint may be thought about. */
const HINT_SECONDS = 10;

export class Play {
  /** @param {HTMLElement} host @param {Game} game @param {Catalog} catalog */
  constructor(host, game, catalog) {
    this.game = game;
    this.catalog = catalog;
    this.host = host;
    this.board = new Board("board");
    this.words = el("p", { class: "unseen", id: "words" });
    for (const [name, value] of Object.entries({ tabindex: "0", role: "application", "aria-describedby": "words" })) {
      this.board.element.setAttribute(name, value);
    }
    this.hand = new Hand(game, this.board);
    this.counter = el("p", { class: "counter", id: "steps" });
    this.message = el("p", { class: "message", id: "message" });
    this.pieces = el("div", { class: "pieces", role: "group", "aria-label": "Piece to move" });
    this.about = el("p", { class: "about" });
    this.keys = el("p", { class: "keys" });
    this.undo = button("Undo", () => game.undo(), { id: "undo" });
    this.redo = button("Redo", () => game.redo(), { id: "redo" });
    this.restart = button("Restart", () => game.restart(), { id: "restart" });
    this.hint = button("Hint", () => this.#showHint(), { id: "hint", class: "accent" });
    this.share = button("Share link", () => this.#shareLink(), { id: "share" });
    this.link = el("input", { class: "link", readonly: true, hidden: true, "aria-label": "Link to this game", id: "link" });
    refill(host,
      el("div", { class: "stage" }, this.board.element, this.words),
      el("div", { class: "side" },
        el("div", { class: "card" }, this.counter, this.message,
          el("div", { class: "buttons" }, this.undo, this.redo, this.restart, this.hint, this.share), this.link),
        this.pieces,
        el("div", { class: "card soft" }, this.about, this.keys)));
    game.addEventListener("change", () => this.#change());
    game.addEventListener("trouble", (event) => this.tell(/** @type {CustomEvent} */ (event).detail, "wrong"));
    this.hand.addEventListener("select", () => this.#mark());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string} text @param {string} [tone] */
  tell(text, tone = "") {
    this.message.textContent = text;
    this.message.className = `message ${tone}`;
    if (text) say(text);
  }

  #change() {
    const { view, steps, last, puzzle } = this.game;
    if (!view || !puzzle) return;
    const kind = this.catalog.kinds.find(({ name }) => name === puzzle.kind);
    this.hinting?.abort();
    this.link.hidden = true;
    this.board.name(`${kind?.title ?? puzzle.kind}: ${puzzle.name}, ${view.board.width} by ${view.board.height}`);
    this.board.show(view.board);
    this.words.textContent = describe(view.board);
    if (last === "open") {
      this.hand.selected = null;
      this.about.textContent = kind?.about ?? "";
      this.hand.cell = null;
      this.keys.textContent = kind?.controls ?? "";
    }
    this.counter.textContent = plural(steps.length, "step");
    this.undo.disabled = steps.length === 0;
    this.redo.disabled = this.game.undone.length === 0;
    this.restart.disabled = steps.length === 0;
    this.host.classList.toggle("won", view.solved);
    if (view.solved) this.tell(`Solved in ${plural(steps.length, "step")}.`, "won");
    else {
      this.tell("");
      if (last === "step") say(`${steps.at(-1)?.step}: ${plural(steps.length, "step")}`);
    }
    this.#mark();
  }

  #mark() {
    const { view } = this.game;
    if (!view) return;
    const { selected } = this.hand;
    const cells = view.board.cells;
    const mine = cells.flatMap(({ thing }, i) => (thing?.id === selected && selected !== null ? [i] : []));
    const growing = view.moves.filter(({ form }) => form === "dot" || form === "pipe");
    const block = mine.some((i) => cells[i]?.thing?.form === "block");
    this.board.mark({
      selected: this.hand.cell !== null ? [this.hand.cell] : block ? mine : [],
      heads: [...new Set(growing.filter(({ id }) => selected === null || id === selected).flatMap(({ from }) => from))],
    });
    const all = choosable(view.board);
    const players = cells.some(({ thing }) => thing?.form === "player" || thing?.form === "tile");
    refill(this.pieces, ...(players ? [] : all).map(({ id, label }) => {
      const paint = cells.find(({ thing }) => thing?.id === id)?.thing;
      const chip = button(label, () => this.hand.select(id), { class: "chip", "aria-pressed": String(id === selected), "aria-label": `piece ${label}` });
      if (paint) Object.assign(chip.style, { backgroundColor: paint.fill, color: paint.ink });
      return chip;
    }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    const pressing = target instanceof HTMLButtonElement && [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(event.key);
    if (this.host.hidden || typing || pressing) return;
    if (this.hand.key(event) || this.#command(event)) event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  #command(event) {
    if (event.altKey) return false;
    const key = event.key.toLowerCase();
    const held = event.ctrlKey || event.metaKey;
    if (key === "z" && event.shiftKey) this.game.redo();
    else if (key === "z") this.game.undo();
    else if (key === "y") this.game.redo();
    else if (held) return false;
    else if (key === "backspace") this.game.undo();
    else if (key === "r") this.game.restart();
    else if (key === "h") this.#showHint();
    else return false;
    return true;
  }

  /** The next step of a plan from here, thought up by the server while the player goes on looking. */
  async #showHint() {
    this.hinting?.abort();
    const control = new AbortController();
    this.hinting = control;
    this.tell("Thinking of a hint …");
    try {
      const job = { ...this.game.position(), seconds: HINT_SECONDS };
      /** @type {Answer} */
      const answer = await search("/api/solve", job, () => {}, control.signal);
      const first = answer.plan?.steps[0];
      const move = this.#firstMove(first);
      if (answer.verdict === "unsolvable") this.tell("There is no way from here: take something back.", "wrong");
      else if (!answer.plan) this.tell("No hint: the time was not enough.", "wrong");
      else if (move) {
        this.tell(`${plural(answer.plan.steps.length, "step")} to go. Try ${first}.`);
        this.board.mark({ hint: { from: move.from, to: move.to } });
      }
    } catch (error) {
      if (!control.signal.aborted) this.tell(/** @type {Error} */ (error).message, "wrong");
    }
  }

  /** The legal step that a step of a plan is or begins with. @param {string | undefined} step @returns {Move | undefined} */
  #firstMove(step) {
    return this.game.view?.moves.find((move) => move.step === step)
      ?? this.game.view?.moves.find((move) => step?.startsWith(move.step.replace(/\)$/, "")));
  }

  async #shareLink() {
    const { puzzle, steps } = this.game;
    if (!puzzle) return;
    const link = await toLink({ ...puzzle, steps: steps.map(({ step }) => step) });
    history.replaceState(null, "", link);
    this.link.value = link;
    this.link.hidden = false;
    this.link.select();
    try {
      await navigator.clipboard.writeText(link);
      this.tell("The link is in your clipboard; it holds the whole game.");
    } catch {
      this.tell("Copy the link; it holds the whole game.");
    }
  }
}
