// The page comes to life: the tabs, the theme, the puzzle that all of them are about.

import { catalog } from "./api.js";
import { Compare } from "./compare.js";
import { byId, complain } from "./dom.js";
import { Edit } from "./edit.js";
import { Game } from "./game.js";
import { Picker } from "./picker.js";
import { Play } from "./play.js";
import { See } from "./see.js";
import { fromLink } from "./share.js";
import { Solve } from "./solve.js";

const TABS = ["play", "solve", "see", "compare", "edit"];

/** @param {string} name */
function openTab(name) {
  for (const tab of TABS) {
    const handle = byId(`tab-${tab}`);
    const open = tab === name;
    handle.setAttribute("aria-selected", String(open));
    handle.tabIndex = open ? 0 : -1;
    byId(tab).hidden = !open;
  }
  byId(name).dispatchEvent(new Event("open"));
}

function startTabs() {
  for (const [i, tab] of TABS.entries()) {
    const handle = byId(`tab-${tab}`);
    handle.addEventListener("click", () => openTab(tab));
    handle.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const next = TABS.at((i + by) % TABS.length);
      if (by === 0 || !next) return;
      event.preventDefault();
      openTab(next);
      byId(`tab-${next}`).focus();
    });
  }
}

/** Light, dark, or as the system says; remembered where the browser allows it. */
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
  startTabs();
  startTheme();
  const all = await catalog();
  const game = new Game();
  const picker = new Picker(byId("picker"), all);
  new Play(byId("play"), game, all);
  const solve = new Solve(byId("solve"), game, all);
  const see = new See(byId("see"), game, all);
  const compare = new Compare(byId("compare"), game, all);
  const edit = new Edit(byId("edit"), (puzzle) => {
    picker.pick(puzzle);
    openTab("play");
  });
  /** @type {string[]} */
  let steps = [];
  picker.addEventListener("pick", () => {
    const puzzle = picker.chosen;
    const kind = all.kinds.find(({ name }) => name === puzzle?.kind);
    if (!puzzle || !kind) return;
    for (const tab of [solve, see, compare]) tab.setKind(kind);
    edit.setPuzzle(puzzle);
    complain("");
    game.open(puzzle, steps);
    steps = [];
  });
  const openLink = async () => {
    const shared = await fromLink(location.hash);
    if (!shared) return false;
    steps = shared.steps;
    picker.pick({ kind: shared.kind, text: shared.text, name: shared.name });
    return picker.chosen !== null;
  };
  addEventListener("hashchange", openLink);
  if (!(await openLink())) picker.pickKind(all.kinds[0]?.name ?? "");
}

start().catch((error) => complain(error.message));
