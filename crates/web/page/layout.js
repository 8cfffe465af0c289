// Positions of states: a radial tree with a ring for each depth, where angles are proportional to the number of
// leaves. The layout takes linear time, is the same each time, and no state moves while the search continues.

/** @import { Trace } from "./trace.js" */

/** @typedef {{ x: Float32Array, y: Float32Array }} Places positions between -1 and 1 */

/** @param {Trace} trace @returns {Places} */
export function layout(trace) {
  const count = trace.states;
  const { parent } = trace;
  const depth = new Int32Array(count);
  const leaves = new Float32Array(count);
  // A parent has a smaller number than its child, so one pass in each direction is enough. A link forward would be a
  // loop.
  for (let state = 0; state < count; state += 1) {
    const above = parent[state] ?? -1;
    depth[state] = above >= 0 && above < state ? (depth[above] ?? 0) + 1 : 0;
  }
  let deepest = 1;
  let roots = 0;
  for (let state = count - 1; state >= 0; state -= 1) {
    const below = leaves[state] || 1;
    leaves[state] = below;
    deepest = Math.max(deepest, depth[state] ?? 0);
    const above = parent[state] ?? -1;
    if ((depth[state] ?? 0) > 0) leaves[above] = (leaves[above] ?? 0) + below;
    else roots += below;
  }
  const from = new Float32Array(count);
  const used = new Float32Array(count);
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const whole = 2 * Math.PI;
  // Long paths are twisted, so that a single deep path is a spiral and not a straight line.
  const twist = 0.9 + deepest / 80;
  let taken = 0;
  for (let state = 0; state < count; state += 1) {
    const share = (leaves[state] ?? 1) / roots;
    const above = parent[state] ?? -1;
    if ((depth[state] ?? 0) === 0) {
      from[state] = taken;
      taken += share;
    } else {
      from[state] = (from[above] ?? 0) + (used[above] ?? 0);
      used[above] = (used[above] ?? 0) + share;
    }
    // A single root is at the centre; several share a small ring.
    const alone = (leaves[state] ?? 0) === roots ? 0 : 0.5;
    const radius = ((depth[state] ?? 0) + ((depth[state] ?? 0) === 0 ? alone : 0)) / deepest;
    const angle = ((from[state] ?? 0) + share / 2) * whole + radius * twist - Math.PI / 2;
    x[state] = radius * Math.cos(angle);
    y[state] = radius * Math.sin(angle);
  }
  centre(x, y);
  return { x, y };
}

/** Moves and scales the picture so that it fills the square around the unit circle. @param {Float32Array} x @param {Float32Array} y */
function centre(x, y) {
  const span = (/** @type {Float32Array} */ values) => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
    return { middle: (low + high) / 2, half: (high - low) / 2 };
  };
  const [across, down] = [span(x), span(y)];
  const half = Math.max(across.half, down.half) || 1;
  for (let i = 0; i < x.length; i += 1) {
    x[i] = ((x[i] ?? 0) - across.middle) / half;
    y[i] = ((y[i] ?? 0) - down.middle) / half;
  }
}
