/** Everything is put together here, and nothing else happens here. */

import { Analysis } from "./analysis.js";
import { drawBar } from "./bar.js";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { listenToKeys } from "./keys.js";
import { LinesView } from "./lines.js";
import { complain } from "./notices.js";
import { playedMoves } from "./played.js";
import { Link } from "./socket.js";
import { State } from "./state.js";
import { Tabs } from "./tabs.js";
import { TreeView } from "./tree.js";

const LOST = {
  tabs: "Four tabs are open already, each with an engine of its own. Close one of them, and this one goes on.",
  server: "There is no connection to Barreleye. Is barreleye web still running?",
};

const link = new Link();
const state = new State(link);
const board = new Board(state);
const analysis = new Analysis(state);

playedMoves(state, board);
listenToKeys(state, board, analysis);

/** Arrows and bar follow the best lines. */
function follow() {
  drawBar(analysis.best, state.white);
  const arrows = [...analysis.lines.values()].sort((one, other) => one.line - other.line).slice(0, state.place.lines)
    .filter((line) => line.pv.length)
    .map((line) => ({ uci: line.pv[0], brush: line.line === 1 ? "best" : line.line === 2 ? "second" : "other" }));
  board.arrows(arrows.reverse());
}
analysis.addEventListener("change", follow);
state.addEventListener("flip", follow);

link.addEventListener("lost", (event) => {
  byId("connection").textContent = LOST[/** @type {keyof typeof LOST} */ (/** @type {CustomEvent} */ (event).detail)];
});
/** @type {Tabs | null} */
let tabs = null;
link.addEventListener("open", async () => {
  byId("connection").textContent = "";
  try {
    const about = await link.ask("hello");
    if (!tabs) {
      tabs = new Tabs(state, [
        new LinesView(state, analysis, () => tabs?.choose("tree")),
        new TreeView(state, analysis, about),
      ]);
    }
    await state.refresh();
  } catch (error) {
    complain(error);
  }
});
link.connect();
