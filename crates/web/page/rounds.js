// The rounds of iterated strategies: the thresholds of IDA*, the limits of iterative deepening, and the widths of
// Iterated Width with the atoms that each round saw.

import { commas, el, refill, svg } from "./dom.js";

/** @import { Scene } from "./api.js" */
/** @import { Lap, Trace } from "./trace.js" */

/** @type {Record<string, string>} */
const WORDS = { idastar: "threshold", ids: "limit", iw: "width" };

/** @param {string} strategy @param {Trace} trace @param {HTMLElement} host */
export function showRounds(strategy, trace, host) {
  const word = WORDS[strategy];
  host.hidden = !word || trace.laps.length === 0;
  if (!word || host.hidden) return;
  const most = Math.max(1, ...trace.laps.map(({ expanded }) => expanded));
  const atoms = strategy === "iw";
  const rows = trace.laps.map((lap) => {
    const bar = el("div", { class: "bar" });
    bar.style.width = `${(100 * lap.expanded) / most}%`;
    return el("tr", {}, el("td", {}, `${word} ${lap.bound ?? "–"}`), el("td", { class: "meter" }, bar),
      el("td", {}, commas(lap.expanded)), el("td", {}, commas(lap.kept)),
      atoms && el("td", {}, commas(lap.pruned)), atoms && el("td", {}, commas(lap.atoms.length)));
  });
  refill(host, el("h2", {}, atoms ? "Atoms seen at each width" : `Rounds, by ${word}`),
    el("div", { class: "scroll" }, el("table", { id: "rounds" },
      el("thead", {}, el("tr", {}, el("th", {}, word), el("th", {}, ""), el("th", {}, "expanded"), el("th", {}, atoms ? "kept" : "new"),
        atoms && el("th", {}, "not novel"), atoms && el("th", {}, "atoms"))),
      el("tbody", {}, ...rows))),
    atoms && el("div", { class: "row" }, ...trace.laps.slice(0, 4).map((lap) => heat(trace.start, lap))));
}

/** How many different things were seen in each cell. @param {Scene} scene @param {Lap} lap */
function heat(scene, lap) {
  const seen = new Map();
  for (const [, cell] of lap.atoms) seen.set(cell, (seen.get(cell) ?? 0) + 1);
  const most = Math.max(1, ...seen.values());
  const cells = scene.cells.map(({ ground }, i) => {
    const rect = svg("rect", { x: i % scene.width, y: Math.floor(i / scene.width), width: 0.94, height: 0.94, rx: 0.15 },
      svg("title", {}, `${seen.get(i) ?? 0} things seen here`));
    const open = ground === "floor" || ground === "goal";
    rect.style.fill = open ? "var(--honey)" : "var(--wall)";
    rect.style.opacity = String(open ? 0.08 + (0.92 * (seen.get(i) ?? 0)) / most : 0.5);
    return rect;
  });
  const map = svg("svg", { viewBox: `0 0 ${scene.width} ${scene.height}`, width: Math.min(180, scene.width * 22), role: "img", "aria-label": `where things were seen at width ${lap.bound}` }, ...cells);
  return el("figure", {}, map, el("figcaption", {}, `width ${lap.bound}: ${commas(lap.atoms.length)} atoms`));
}
