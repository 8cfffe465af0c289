// Play: the board, the keys, undo, redo, restart, hints, plan replay, the score and the optimum, a link to share.

import { search } from "./api.js";
import { Board, describe } from "./board.js";
import { announce, button, el, plural, refill } from "./dom.js";
import { BoardInput, choosable } from "./input.js";
import { Optimum } from "./optimum.js";
import { recall, remember } from "./progress.js";
import { Replay } from "./replay.js";
import { toLink } from "./share.js";
import { Store } from "./store.js";

/** @import { Answer, Catalog, Move } from "./api.js" */
/** @import { Game, Puzzle } from "./game.js" */
/** @import { Picker } from "./picker.js" */

/** The time limit of a hint's search, in seconds. */
const HINT_SECONDS = 10;

/** Turns "pushes" and 1 into "1 push". @param {string} plural_word @param {number} n */
function counted(plural_word, n) {
  const one = plural_word.endsWith("shes") ? plural_word.slice(0, -2) : plural_word.slice(0, -1);
  return `${n} ${n === 1 ? one : plural_word}`;
}

export class Play {
  /** @param {HTMLElement} host @param {Game} game @param {Catalog} catalog @param {Picker} picker */
  constructor(host, game, catalog, picker) {
    this.game = game;
    this.catalog = catalog;
    this.host = host;
    this.picker = picker;
    this.board = new Board("board");
    this.words = el("p", { class: "unseen", id: "words" });
    for (const [name, value] of Object.entries({ tabindex: "0", role: "application", "aria-describedby": "words" })) {
      this.board.element.setAttribute(name, value);
    }
    this.input = new BoardInput(game, this.board);
    this.counter = el("p", { class: "counter", id: "steps" });
    this.score = el("p", { class: "score", id: "score" });
    this.message = el("p", { class: "message", id: "message" });
    this.offer = el("div", { class: "offer", id: "offer", hidden: true });
    this.pieces = el("div", { class: "pieces", role: "group", "aria-label": "Piece to move" });
    this.goalBoard = new Board("the goal", true);
    this.goalBoard.element.classList.add("goal-picture");
    this.goalWords = el("p", { class: "about", id: "goal-words" });
    this.goal = el("div", { class: "card soft goal-card", id: "goal", hidden: true }, this.goalBoard.element, this.goalWords);
    this.about = el("p", { class: "about" });
    this.keys = el("p", { class: "keys" });
    this.undo = button("Undo", () => this.#playerAction(() => game.undo()), { id: "undo" });
    this.redo = button("Redo", () => this.#playerAction(() => game.redo()), { id: "redo" });
    this.restart = button("Restart", () => this.#playerAction(() => game.restart()), { id: "restart" });
    this.hint = button("Hint", () => this.#showHint(), { id: "hint", class: "accent" });
    this.next = button("Next puzzle", () => picker.next(), { id: "play-next", class: "accent", hidden: true });
    this.optimum = new Optimum();
    this.replay = new Replay(game, (why) => this.#refused(why));
    this.store = new Store((steps) => this.#replayOwn(steps), () => { this.picker.mark(); this.#showScore(); });
    this.share = button("Share link", () => this.#shareLink(), { id: "share", class: "quiet" });
    this.link = el("input", { class: "link", readonly: true, hidden: true, "aria-label": "Link to this game", id: "link" });
    refill(host,
      el("div", { class: "stage" }, this.board.element, this.words),
      el("div", { class: "side" },
        this.offer,
        el("div", { class: "card" }, this.counter, this.score, this.message,
          el("div", { class: "buttons" }, this.next, this.undo, this.redo, this.restart, this.hint, this.replay.auto),
          el("div", { class: "buttons small-buttons" }, this.share, this.replay.ask), this.link, this.replay.written),
        this.pieces,
        this.goal,
        el("div", { class: "card soft" }, this.about, this.keys, this.store.element)));
    game.addEventListener("change", () => this.#change());
    game.addEventListener("trouble", (event) => this.#refused(/** @type {CustomEvent} */ (event).detail));
    game.addEventListener("claim", () => this.optimum.stop());
    host.addEventListener("open", () => this.optimum.seek());
    this.optimum.addEventListener("change", () => {
      this.#showScore();
      if (game.view?.solved) this.#won();
    });
    this.input.addEventListener("select", () => this.#mark());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string} text @param {string} [tone] */
  showMessage(text, tone = "") {
    this.message.textContent = text;
    this.message.className = `message ${tone}`;
    if (text) announce(text);
  }

  /** Replays the player's best solution step by step. @param {string[]} steps */
  #replayOwn(steps) {
    this.replay.loaded = true;
    this.game.loadPlan(steps);
    this.replay.go();
  }

  /** Says why an action is not possible, and shakes the board a little. @param {string} why */
  #refused(why) {
    this.replay.stop();
    this.showMessage(`${why.slice(0, 1).toUpperCase()}${why.slice(1)}${/[.!?]$/.test(why) ? "" : "."}`, "wrong");
    const { classList } = this.board.element;
    classList.remove("refused");
    // Reading a size forces a layout, so that the shake starts again.
    void this.board.element.clientWidth;
    classList.add("refused");
  }

  /** Performs an action of the player. A replay stops. @param {() => void} act */
  #playerAction(act) {
    this.replay.stop();
    act();
  }

  /** The player's score: moves on boards with paths, steps on others. */
  #measure() {
    const { view, steps } = this.game;
    const dots = new Set(view?.board.cells.flatMap(({ thing }) => (thing?.form === "dot" ? [thing.id] : [])));
    const moves = view?.counts.find(([name]) => name === "moves")?.[1] ?? 0;
    return dots.size > 0 ? { word: "move", count: moves, best: dots.size } : { word: "step", count: steps.length, best: null };
  }

  #change() {
    const { view, steps, last, puzzle } = this.game;
    if (!view || !puzzle) return;
    this.hinting?.abort();
    this.link.hidden = true;
    if (last === "open") this.#opened(puzzle);
    this.board.show(view.board);
    this.words.textContent = describe(view.board);
    const { word, count } = this.#measure();
    this.counter.textContent = plural(count, word);
    this.counter.dataset.steps = String(steps.length);
    this.undo.disabled = steps.length === 0;
    this.redo.disabled = this.game.undone.length === 0;
    this.restart.disabled = steps.length === 0;
    this.replay.change();
    this.host.classList.toggle("won", view.solved);
    this.next.hidden = !view.solved || !this.picker.hasNext();
    remember(puzzle, { steps: view.solved ? [] : steps.map(({ step }) => step) });
    if (view.solved) this.#won();
    else {
      this.showMessage("");
      if (last === "step") announce(`${steps.at(-1)?.step}: ${plural(count, word)}`);
    }
    this.#showScore();
    this.#mark();
  }

  /** @param {Puzzle} puzzle */
  #opened(puzzle) {
    const { view } = this.game;
    const kind = this.catalog.kinds.find(({ name }) => name === puzzle.kind);
    if (!view) return;
    this.board.name(`${kind?.title ?? puzzle.kind}: ${puzzle.name}, ${view.board.width} by ${view.board.height}`);
    this.input.selected = null;
    this.input.cell = null;
    this.about.textContent = kind?.about ?? "";
    this.keys.textContent = kind?.controls ?? "";
    this.replay.clear();
    this.goal.hidden = !view.goal;
    if (view.goal) {
      this.goalBoard.show(view.goal.board);
      this.goalWords.textContent = `The goal: ${view.goal.words}.`;
    }
    this.offer.hidden = !view.offer;
    if (view.offer) {
      const { why, action, text } = view.offer;
      refill(this.offer, el("p", {}, why), button(action, () => this.picker.pick({ kind: puzzle.kind, text, name: puzzle.name }), { id: "take-offer" }));
      announce(why);
    }
    this.store.show(puzzle);
    this.optimum.open(puzzle, this.#measure().best);
    if (!this.host.hidden) this.optimum.seek();
  }

  #won() {
    const { puzzle } = this.game;
    const { word, count } = this.#measure();
    if (!puzzle) return;
    const best = recall(puzzle).best;
    // A pasted plan does not count as the player's solution.
    if (!this.replay.loaded && count > 0 && (best === undefined || count < best)) {
      remember(puzzle, { best: count, solution: this.game.steps.map(({ step }) => step) });
    }
    this.store.show(puzzle);
    this.picker.mark();
    const shortest = this.optimum.value;
    const fewest = word === "move" ? "fewest" : "shortest";
    const praise = typeof shortest !== "number" ? "" : count <= shortest ? `, and that is the ${fewest}` : `; ${shortest} would do`;
    this.showMessage(`Solved in ${plural(count, word)}${praise}.`, "won");
  }

  #showScore() {
    const { view, puzzle } = this.game;
    if (!view || !puzzle) return;
    const { word } = this.#measure();
    const parts = view.counts.filter(([name]) => name !== `${word}s`).map(([name, n]) => counted(name, n));
    const own = recall(puzzle).best;
    const shortest = this.optimum.value;
    parts.push(shortest === "none" ? "cannot be solved"
      : shortest === "sought" ? "shortest: still looking …"
        : shortest === "unknown" ? "shortest: not known"
          : `${word === "move" ? "fewest" : "shortest"} ${shortest}`);
    if (own !== undefined) parts.push(`your best ${own}`);
    this.score.textContent = parts.join(" · ");
  }

  #mark() {
    const { view } = this.game;
    if (!view) return;
    const { selected } = this.input;
    const cells = view.board.cells;
    const mine = cells.flatMap(({ thing }, i) => (thing?.id === selected && selected !== null ? [i] : []));
    const block = mine.some((i) => cells[i]?.thing?.form === "block");
    const dots = mine.filter((i) => cells[i]?.thing?.form === "dot");
    this.board.mark({ selected: this.input.cell !== null ? [this.input.cell] : block ? mine : [], heads: dots });
    const all = choosable(view.board);
    const players = cells.some(({ thing }) => thing?.form === "player" || thing?.form === "tile");
    refill(this.pieces, ...(players ? [] : all).map(({ id, label }) => {
      const paint = cells.find(({ thing }) => thing?.id === id)?.thing;
      const chip = button(label, () => this.input.select(id), { class: "chip", "aria-pressed": String(id === selected), "aria-label": `piece ${label}` });
      if (paint) Object.assign(chip.style, { backgroundColor: paint.fill, color: paint.ink });
      return chip;
    }));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    const pressing = target instanceof HTMLButtonElement && [" ", "Enter"].includes(event.key);
    const turning = target instanceof HTMLElement && target.role === "tab" && event.key.startsWith("Arrow");
    if (this.host.hidden || typing || pressing || turning) return;
    if (this.input.key(event) || this.#command(event)) {
      event.preventDefault();
      this.replay.stop();
    }
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
    else if (key === "n" && this.game.view?.solved) this.picker.next();
    else return false;
    return true;
  }

  /** Shows the next step of a plan from here. The player can continue while the search runs. */
  async #showHint() {
    this.replay.stop();
    await this.game.settled();
    this.hinting?.abort();
    const control = new AbortController();
    this.hinting = control;
    const known = this.#planFromHere();
    if (known) return this.#pointOut(known);
    this.showMessage("Thinking of a hint …");
    try {
      const job = { ...this.game.position(), seconds: HINT_SECONDS };
      /** @type {Answer} */
      const answer = await search("solve", job, () => {}, control.signal);
      if (answer.verdict === "unsolvable") this.showMessage("There is no way from here: take something back.", "wrong");
      else if (!answer.plan) this.showMessage("No hint: the time was not enough.", "wrong");
      else this.#pointOut(answer.plan.steps);
    } catch (error) {
      if (!control.signal.aborted) this.showMessage(/** @type {Error} */ (error).message, "wrong");
    }
  }

  /** The rest of the plan from the start, if the game follows it. */
  #planFromHere() {
    const { steps } = this.game;
    const { plan } = this.optimum;
    return plan && steps.every(({ step }, i) => step === plan[i]) ? plan.slice(steps.length) : undefined;
  }

  /** Shows the first step of a plan on the board: the piece and its destination. @param {string[]} plan */
  #pointOut(plan) {
    const [first] = plan;
    const move = this.#firstMove(first);
    if (!move || !first) return;
    this.showMessage(`${plural(plan.length, "step")} to go. Try ${first}.`);
    this.board.mark({ hint: { from: move.from, to: move.to } });
  }

  /** The legal move that equals or begins a step of a plan. @param {string | undefined} step @returns {Move | undefined} */
  #firstMove(step) {
    return this.game.view?.moves.find((move) => move.step === step)
      ?? this.game.view?.moves.find((move) => step?.startsWith(move.step.replace(/\)$/, "")));
  }

  async #shareLink() {
    const { puzzle, steps } = this.game;
    if (!puzzle) return;
    const link = await toLink({ ...puzzle, steps: steps.map(({ step }) => step) });
    this.link.value = link;
    this.link.hidden = false;
    this.link.select();
    try {
      await navigator.clipboard.writeText(link);
      this.showMessage("The link is in your clipboard; it holds the whole game.");
    } catch {
      this.showMessage("Copy the link; it holds the whole game.");
    }
  }
}
