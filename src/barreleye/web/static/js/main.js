/** Everything is put together here, and nothing else happens here. */

import { Analysis } from "./analysis.js";
import { drawBar } from "./bar.js";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { GamesView } from "./games.js";
import { listenToKeys } from "./keys.js";
import { LedgerView } from "./ledger.js";
import { LinesView } from "./lines.js";
import { NetworkView } from "./network.js";
import { complain } from "./notices.js";
import { PlayView } from "./play.js";
import { askAboutLast, playedMoves } from "./played.js";
import { SettingsView, remembered, wear } from "./settings.js";
import { Link } from "./socket.js";
import { State } from "./state.js";
import { Tabs } from "./tabs.js";
import { TechniquesView } from "./techniques.js";
import { TreeView } from "./tree.js";
import { WhyView } from "./why.js";

const LOST = {
  tabs: "Four tabs are open already, each with an engine of its own. Close one of them, and this one goes on.",
  server: "There is no connection to Barreleye. Is barreleye web still running?",
};

wear(remembered("theme"));
const link = new Link();
const state = new State(link);
const board = new Board(state);
const analysis = new Analysis(state);

playedMoves(state, board);
listenToKeys(state, board, analysis);

/** Arrows and bar follow the best lines. */
function follow() {
  drawBar(analysis.best, state.white, state.facts?.result);
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
      const why = new WhyView(state, analysis, board);
      /** @param {string} move @param {boolean} not */
      const askWhy = (move, not) => {
        tabs?.choose("why");
        why.ask(not ? "why not" : "why", not ? move : "");
      };
      const play = new PlayView(state, analysis, board, about);
      askAboutLast(state, play, askWhy);
      tabs = new Tabs(state, [
        new LinesView(state, analysis, askWhy), why, new LedgerView(state, analysis, askWhy, board), new TreeView(state, analysis, about, board),
        new TechniquesView(state, analysis, about), new NetworkView(state, analysis, board),
        new GamesView(state, analysis), play, new SettingsView(state, about),
      ]);
    }
    await state.refresh();
  } catch (error) {
    complain(error);
  }
});
link.connect();
