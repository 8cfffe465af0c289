// The outline of a set of cells as an SVG path with rounded corners. Parts that touch only at a corner stay separate.

/** @typedef {[number, number]} Point */

/** @param {Point} from @param {Point} to @returns {Point} */
function way(from, to) {
  return [Math.sign(to[0] - from[0]), Math.sign(to[1] - from[1])];
}

/**
 * The closed outlines as lists of corners, each cell to the right of its line.
 * @param {Point[]} cells column and row of each
 * @returns {Point[][]}
 */
function rings(cells) {
  const inside = new Set(cells.map(([x, y]) => `${x},${y}`));
  /** @type {Map<string, Point[]>} */
  const sides = new Map();
  for (const [x, y] of cells) {
    /** @type {[Point, Point, Point][]} */
    const around = [
      [[x, y - 1], [x, y], [x + 1, y]],
      [[x + 1, y], [x + 1, y], [x + 1, y + 1]],
      [[x, y + 1], [x + 1, y + 1], [x, y + 1]],
      [[x - 1, y], [x, y + 1], [x, y]],
    ];
    for (const [neighbour, from, to] of around) {
      if (inside.has(neighbour.join())) continue;
      const known = sides.get(from.join());
      if (known) known.push(to);
      else sides.set(from.join(), [to]);
    }
  }
  const found = [];
  for (;;) {
    const first = sides.keys().next();
    if (first.done) return found;
    found.push(walk(sides, first.value));
  }
}

/**
 * Follows the sides from a corner until they close, and removes them.
 * @param {Map<string, Point[]>} sides @param {string} start
 */
function walk(sides, start) {
  const [x = 0, y = 0] = start.split(",").map(Number);
  /** @type {Point[]} */
  const ring = [];
  /** @type {Point} */
  let at = [x, y];
  /** @type {Point} */
  let heading = [0, 0];
  do {
    const ways = sides.get(at.join()) ?? [];
    // Where two cells touch at this corner, the right turn stays with the current cell.
    const [hx, hy] = heading;
    const right = ways.findIndex((to) => way(at, to).join() === [-hy, hx].join());
    const [to] = ways.splice(Math.max(right, 0), 1);
    if (ways.length === 0) sides.delete(at.join());
    if (!to) break;
    const turn = way(at, to);
    if (turn.join() !== heading.join()) ring.push(at);
    at = to;
    heading = turn;
  } while (at.join() !== start);
  // If the line runs straight through its first point, that is no corner.
  const [first, second] = ring;
  const last = ring.at(-1);
  if (first && second && last && way(last, first).join() === way(first, second).join()) ring.shift();
  return ring;
}

/**
 * @param {Point[]} cells column and row of each
 * @param {number} size units a cell @param {number} inset @param {number} radius
 */
export function outline(cells, size, inset, radius) {
  let path = "";
  for (const ring of rings(cells)) {
    ring.forEach((here, i) => {
      const before = /** @type {Point} */ (ring.at(i - 1));
      const after = /** @type {Point} */ (ring[(i + 1) % ring.length]);
      const [cx, cy] = way(before, here);
      const [gx, gy] = way(here, after);
      const x = here[0] * size + inset * (-cy - gy);
      const y = here[1] * size + inset * (cx + gx);
      const sweep = cx * gy - cy * gx > 0 ? 1 : 0;
      path += `${i === 0 ? "M" : "L"}${x - cx * radius} ${y - cy * radius}`;
      path += `A${radius} ${radius} 0 0 ${sweep} ${x + gx * radius} ${y + gy * radius}`;
    });
    path += "Z";
  }
  return path;
}
