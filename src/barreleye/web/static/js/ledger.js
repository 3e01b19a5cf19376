/** The heat map of the root: what each iteration thought of each move, and how much it looked at it. */

import { count, el, put } from "./dom.js";
import { complain } from "./notices.js";
import { text } from "./score.js";

const STEPS = [30, 80, 160, 300];

/** @typedef {import("./tabs.js").View} View */

/** @implements {View} */
export class LedgerView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {(move: string, not: boolean) => void} askWhy
   * @param {import("./board.js").Board} board
   */
  constructor(state, analysis, askWhy, board) {
    this.id = "moves";
    this.title = "Moves";
    this.state = state;
    this.analysis = analysis;
    this.askWhy = askWhy;
    this.board = board;
    this.known = "";
    this.table = el("div", { class: "scroll" });
    this.facts = el("p", { class: "said" });
    this.element = el("div", { class: "view" }, el("div", { class: "card" }, el("h2", { text: "What it thought of each move, depth by depth" }), this.facts, this.table,
      el("p", { class: "note", text: "Green: as good as the best move of that depth or better; red: worse. ≤ and ≥ are bounds: a move that cannot beat the best is looked at no further than it takes to see that. Click a move to ask why not." })));
    state.addEventListener("position", () => { if (!this.element.hidden) this.look(); });
  }

  open() {
    if (this.known !== JSON.stringify(this.state.here)) this.look();
  }

  async look() {
    if (!this.state.facts?.legal.length) {
      this.facts.textContent = "The game is over: there is no move to think about.";
      put(this.table);
      return;
    }
    const here = this.known = JSON.stringify(this.state.here);
    this.facts.textContent = "Searching…";
    this.analysis.pause();
    try {
      const found = await this.state.link.ask("ledger", { ...this.state.here, ...this.state.settings, nodes: this.state.place.nodes });
      if (this.known !== here) return;          // somebody went on in the meantime
      const best = found.rows[0];
      this.facts.textContent = `${best.san} after ${count(found.nodes)} nodes and ${found.depth} completed iterations. ${count((100 * best.nodes) / Math.max(1, found.nodes))} % of the nodes went into it.`;
      put(this.table, this.draw(found));
      this.board.arrows([{ uci: best.move, brush: "best" }]);       // what this search found, not the one before it
      this.table.scrollLeft = this.table.scrollWidth;
    } catch (error) {
      if (this.known !== here) return;
      this.known = "";
      this.facts.textContent = "";
      complain(error);
    }
  }

  /** @param {any} found */
  draw(found) {
    const leaders = new Map(found.leaders.map(/** @param {any} one */ (one) => [one.depth, one.move]));
    const top = new Map(found.iterations.map(/** @param {number} depth */ (depth) => [depth, found.rows.find(/** @param {any} row */ (row) => row.move === leaders.get(depth))?.cells[depth]]));
    return el("table", { class: "heat" }, el("thead", {}, el("tr", {}, el("th", { text: "move" }), el("th", { class: "number", text: "nodes" }), ...found.iterations.map(/** @param {number} depth */ (depth) => el("th", { class: "number", text: depth })))),
      el("tbody", {}, ...found.rows.map(/** @param {any} row */ (row) => el("tr", {},
        el("th", { scope: "row" }, el("button", { type: "button", class: "link", text: row.san, title: row.move === found.best ? "Why this move?" : `Why not ${row.san}?`, onclick: () => this.askWhy(row.move, row.move !== found.best) })),
        el("td", { class: "number", text: count(row.nodes) }),
        ...found.iterations.map(/** @param {number} depth */ (depth) => this.cell(row, depth, top.get(depth), leaders.get(depth) === row.move))))));
  }

  /** @param {any} row @param {number} depth @param {any} best @param {boolean} isBest */
  cell(row, depth, best, isBest) {
    const found = row.cells[depth];
    if (!found) return el("td");
    const sign = this.state.facts?.turn === "black" ? -1 : 1;
    const loss = best ? sign * (value(best) - value(found)) : 0;
    const level = isBest ? "best" : `loss-${STEPS.filter((step) => loss > step).length}`;
    const mark = found.bound === "at least" ? "≥" : found.bound === "at most" ? "≤" : "";
    return el("td", { class: `number ${level}`, text: mark + text(found).slice(0, 5), title: `${row.san} at depth ${depth}: ${found.bound} ${text(found)}, ${count(found.nodes)} nodes${found.reply ? `; best reply ${found.reply}` : ""}` });
  }
}

/** @param {any} score */
function value(score) {
  return score.mate === undefined ? score.cp : score.mate > 0 ? 30000 : -30000;
}
