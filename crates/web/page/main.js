// Starts the page: the tabs, the theme, the common puzzle, and the address.

import { read, write } from "./address.js";
import { catalog } from "./api.js";
import { Compare } from "./compare.js";
import { byId, showError } from "./dom.js";
import { Edit } from "./edit.js";
import { Game } from "./game.js";
import { Picker } from "./picker.js";
import { Play } from "./play.js";
import { recall } from "./progress.js";
import { See } from "./see.js";
import { fromLink } from "./share.js";
import { Solve } from "./solve.js";

/** @import { Puzzle } from "./game.js" */

const TABS = ["play", "solve", "see", "compare", "edit"];

/** The tab that is open. */
let tabOpen = "play";

/** @param {string} name */
function openTab(name) {
  if (!TABS.includes(name)) return;
  tabOpen = name;
  for (const tab of TABS) {
    const handle = byId(`tab-${tab}`);
    const open = tab === name;
    handle.setAttribute("aria-selected", String(open));
    handle.tabIndex = open ? 0 : -1;
    byId(tab).hidden = !open;
  }
  byId(name).dispatchEvent(new Event("open"));
}

/** @param {() => void} changed called when the user selects a tab */
function startTabs(changed) {
  const choose = (/** @type {string} */ name) => {
    if (name === tabOpen) return;
    openTab(name);
    changed();
  };
  for (const [i, tab] of TABS.entries()) {
    const handle = byId(`tab-${tab}`);
    handle.addEventListener("click", () => choose(tab));
    handle.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = TABS.at((i + by) % TABS.length);
      if (by === 0 || !next) return;
      event.preventDefault();
      choose(next);
      byId(`tab-${next}`).focus();
    });
  }
}

/** Sets the theme: light, dark, or the system's. The browser remembers it where it can. */
function startTheme() {
  const root = document.documentElement;
  const known = ["", "light", "dark"];
  let theme = "";
  try {
    theme = localStorage.getItem("theme") ?? "";
  } catch { /* a browser that remembers nothing shows what the system says */ }
  const apply = () => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    document.dispatchEvent(new Event("theme"));
  };
  byId("theme").addEventListener("click", () => {
    theme = known[(known.indexOf(theme) + 1) % known.length] ?? "";
    apply();
    try {
      localStorage.setItem("theme", theme);
    } catch { /* then it is chosen again next time */ }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", apply);
  apply();
}

async function start() {
  startTheme();
  const all = await catalog();
  const game = new Game();
  const picker = new Picker(byId("picker"), all);
  const play = new Play(byId("play"), game, all, picker);
  const solve = new Solve(byId("solve"), game, all);
  const openBoard = (/** @type {Puzzle} */ puzzle) => picker.pick(puzzle);
  const see = new See(byId("see"), game, all, openBoard);
  const compare = new Compare(byId("compare"), game, all, openBoard);
  /** Opens a puzzle in a tab, as one step of the browser's history. @param {string} tab @param {() => void} pick */
  const openIn = (tab, pick) => {
    openTab(tab);
    pick();
  };
  const edit = new Edit(byId("edit"), (tab, puzzle) => openIn(tab, () => picker.pick(puzzle)));
  picker.asPlan = async (text) => {
    if (!(await play.replay.read(text))) return false;
    if (tabOpen !== "play") openTab("play");
    return true;
  };
  /** The steps of a shared link; null resumes the stored game. @type {string[] | null} */
  let steps = null;
  /** Is the page restoring the address that it already has? */
  let restoring = false;
  let latest = 0;
  /** Writes the address of the shown content. Packing is asynchronous, so only the latest call counts. */
  const writeAddress = async () => {
    const puzzle = picker.chosen;
    if (!puzzle) return;
    const number = ++latest;
    const quietly = restoring;
    const address = await write(tabOpen, puzzle);
    if (number !== latest || address === location.hash) return;
    if (quietly) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  };
  startTabs(writeAddress);
  picker.addEventListener("pick", () => {
    const puzzle = picker.chosen;
    const kind = all.kinds.find(({ name }) => name === puzzle?.kind);
    if (!puzzle || !kind) return;
    for (const tab of [solve, see, compare]) tab.setKind(kind);
    edit.setPuzzle(puzzle);
    showError("");
    game.open(puzzle, steps ?? recall(puzzle).steps ?? []);
    steps = null;
    writeAddress();
  });
  /** Brings the page to its address; `false` if the address is not valid. */
  const goToAddress = async () => {
    const shared = await fromLink(location.hash);
    const place = shared ? null : await read(location.hash);
    restoring = true;
    try {
      if (shared) {
        steps = shared.steps;
        openTab("play");
        picker.pick({ kind: shared.kind, text: shared.text, name: shared.name });
      } else if (place && all.kinds.some(({ name }) => name === place.kind)) {
        openTab(place.tab);
        const { chosen } = picker;
        const same = chosen?.kind === place.kind && (place.puzzle ? chosen.text === place.puzzle.text : chosen.ships === place.ships);
        if (same) writeAddress();
        else if (place.puzzle) picker.pick(place.puzzle);
        else picker.pickKind(place.kind, place.ships ?? undefined);
      } else return false;
    } finally {
      restoring = false;
    }
    return picker.chosen !== null;
  };
  addEventListener("popstate", goToAddress);
  if (!(await goToAddress())) {
    restoring = true;
    picker.pickKind(all.kinds[0]?.name ?? "");
    restoring = false;
  }
}

/** Registers the service worker. With the solvers in the browser, the page needs no network once its files are cached. */
function keepOffline() {
  if (!document.querySelector("meta[name=solver][content=browser]") || !("serviceWorker" in navigator)) return;
  // Without a cache, the page still works as long as there is a network.
  navigator.serviceWorker.register("./offline.js").catch(() => {});
}

keepOffline();
start().catch((error) => showError(error.message));
