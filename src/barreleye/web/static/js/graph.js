/** The score of the best move by depth, with a name where the move changed. */

import { svg } from "./dom.js";
import { text } from "./score.js";

/** @typedef {import("./analysis.js").Line} Line */

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [170, 40, 14, 22, 22];
const MOST_CP = 1000;

/** @param {Line} line */
function height(line) {
  if (line.mate !== undefined) return line.mate > 0 ? MOST_CP : -MOST_CP;
  return Math.max(-MOST_CP, Math.min(MOST_CP, line.cp ?? 0));
}

/**
 * @param {Map<number, Line>} depths
 * @param {number} width that it will have on the screen, so that its words are as large as others
 * @returns {SVGElement}
 */
export function graph(depths, width) {
  const points = [...depths.entries()].sort(([one], [other]) => one - other);
  const drawn = svg("svg", { class: "graph", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img" });
  if (!points.length) {
    drawn.setAttribute("aria-label", "No score yet");
    return drawn;
  }
  const values = points.map(([, line]) => height(line));
  const [low, high] = [Math.min(-50, ...values), Math.max(50, ...values)];
  const deepest = Math.max(10, points[points.length - 1][0]);
  /** @param {number} depth */
  const x = (depth) => LEFT + ((width - LEFT - RIGHT) * (depth - 1)) / Math.max(1, deepest - 1);
  /** @param {number} value */
  const y = (value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  for (const value of [high, 0, low]) {
    drawn.append(svg("line", { class: value ? "axis" : "zero", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end", text: value ? text({ cp: value }).slice(0, -1) : "0" }));
  }
  for (let depth = 5; depth <= deepest; depth += 5) {
    drawn.append(svg("text", { x: x(depth), y: HEIGHT - 6, "text-anchor": "middle", text: depth }));
  }
  drawn.append(svg("text", { x: LEFT, y: HEIGHT - 6, text: "depth" }));
  drawn.append(svg("polyline", { class: "curve", points: points.map(([depth, line]) => `${x(depth)},${y(height(line))}`).join(" ") }));
  let before = "";
  let free = 0;
  for (const [depth, line] of points) {
    const isNew = line.san[0] !== before;
    const dot = svg("circle", { cx: x(depth), cy: y(height(line)), r: isNew ? 4.5 : 3, class: isNew ? "new" : null });
    dot.append(svg("title", { text: `depth ${depth}: ${line.san[0] ?? ""} ${text(line)}` }));
    drawn.append(dot);
    if (isNew && x(depth) >= free) {
      drawn.append(svg("text", { class: "name", x: x(depth), y: Math.max(13, y(height(line)) - 9), "text-anchor": depth <= 2 ? "start" : depth > deepest - 2 ? "end" : "middle", text: line.san[0] ?? "" }));
      free = x(depth) + 44;
    }
    before = line.san[0];
  }
  const last = points[points.length - 1];
  drawn.setAttribute("aria-label", `Score by depth: ${text(last[1])} at depth ${last[0]}`);
  return drawn;
}
