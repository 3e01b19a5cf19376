/** The keys of lichess's analysis board, wherever nothing else wants them. */

import { byId } from "./dom.js";
import { walk } from "./played.js";

/**
 * @param {import("./state.js").State} state
 * @param {import("./board.js").Board} board
 * @param {import("./analysis.js").Analysis} analysis
 */
export function listenToKeys(state, board, analysis) {
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => walk(state, board, "back"), k: () => walk(state, board, "back"),
    ArrowRight: () => walk(state, board, "forward"), j: () => walk(state, board, "forward"),
    ArrowUp: () => walk(state, board, "first"), 0: () => walk(state, board, "first"), Home: () => walk(state, board, "first"),
    ArrowDown: () => walk(state, board, "last"), $: () => walk(state, board, "last"), End: () => walk(state, board, "last"),
    f: () => board.flip(), l: () => analysis.toggle(), " ": () => analysis.playBest(),
    "/": () => byId("typed-text").focus(),
  };
  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target.closest("input, select, textarea, [role=tablist], [role=treegrid], .icicle, #board")) return;
    if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary, label")) return;
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
