/** The view of the network: what each piece is worth to it, and where it would like a piece to stand. */

import { el, put } from "./dom.js";
import { complain } from "./notices.js";
import { Stopped } from "./socket.js";
import { text } from "./score.js";

const LEVELS = 3;
const PIECES = "The numbers on the board are pawns, for White: what each piece adds to the network's verdict, without any search. Click a piece to see where the network would like it to stand.";
const SQUARES = "The numbers on the board are pawns, for White: how much more or less the network would say with this piece there and all else equal. Green squares are better for its side, red ones worse.";

/** @typedef {import("./tabs.js").View} View */

/** @implements {View} */
export class NetworkView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {import("./board.js").Board} board
   */
  constructor(state, analysis, board) {
    this.id = "network";
    this.title = "Network";
    this.state = state;
    this.analysis = analysis;
    this.board = board;
    /** @type {any} */
    this.seen = null;
    /** @type {any} */
    this.placement = null;
    this.verdict = el("p", { class: "big" });
    this.said = el("div");
    this.how = el("select", { "aria-label": "How to count" }, el("option", { value: "shares", text: "shares that add up" }), el("option", { value: "removal", text: "without the piece" }));
    this.how.addEventListener("change", () => this.draw());
    this.count = el("label", { class: "field" }, "Count", this.how);
    this.note = el("p", { class: "note", text: PIECES });
    this.back = el("button", { type: "button", text: "All pieces", hidden: true, onclick: () => { this.placement = null; this.draw(); } });
    this.element = el("div", { class: "view" }, el("div", { class: "card" }, el("div", { class: "row spread" }, this.verdict, el("span", { class: "row" }, this.back, this.count)), this.said,
      this.note));
    state.addEventListener("position", () => { this.seen = this.placement = null; if (!this.element.hidden) this.look(); });
    state.addEventListener("flip", () => { if (!this.element.hidden) this.draw(); });
  }

  open() {
    this.analysis.pause();
    this.board.onPick = (square) => { if (this.board.has(square)) this.look(square); };
    if (this.seen) this.draw();
    else this.look();
  }

  close() {
    this.board.onPick = null;
    this.board.ground.selectSquare(null);
    this.board.annotate(new Map(), new Map());
  }

  /** @param {string} [square] */
  async look(square = "") {
    if (!this.state.facts) return;
    try {
      const found = await this.state.link.ask("network", { ...this.state.here, ...this.state.settings, square });
      if (square) this.placement = found;
      else this.seen = found;
      this.draw();
    } catch (error) {
      if (error instanceof Stopped) return;
      this.verdict.textContent = "";
      put(this.said, el("p", { class: "said", text: error instanceof Error ? error.message : "" }));
      if (square || !this.state.facts.check) complain(error);
    }
  }

  draw() {
    const found = this.placement ?? this.seen;
    if (!found) return;
    this.back.hidden = !this.placement;
    this.count.hidden = Boolean(this.placement);
    this.note.textContent = this.placement ? SQUARES : PIECES;
    this.verdict.textContent = `The network says ${text({ cp: found.verdict })}`;
    put(this.said, ...found.sentences.map(/** @param {any} one */ (one) => el("p", { class: "said", text: one.text })));
    const values = this.placement ? found.verdicts : found[this.how.value];
    const labels = new Map(Object.entries(values).map(([square, value]) => [square, pawns(Number(value) - (this.placement ? found.verdict : 0))]));
    this.board.arrows([]);
    this.board.annotate(labels, this.placement ? heat(found) : new Map());
  }
}

/** @param {number} value */
function pawns(value) {
  const shown = (Math.abs(value) / 100).toFixed(1);
  return shown === "0.0" ? "0" : (value > 0 ? "+" : "−") + shown;
}

/**
 * Levels from 1 (much better) to 6 (much worse) for whoever's piece it is.
 * @param {any} found
 * @returns {Map<string, number>}
 */
function heat(found) {
  const sign = found.white ? 1 : -1;
  const gains = Object.entries(found.verdicts).map(([square, value]) => /** @type {[string, number]} */ ([square, sign * (Number(value) - found.verdict)]));
  const most = Math.max(30, ...gains.map(([, gain]) => Math.abs(gain)));
  return new Map(gains.map(([square, gain]) => {
    const step = Math.min(LEVELS - 1, Math.floor((LEVELS * Math.abs(gain)) / most));
    return [square, gain >= 0 ? LEVELS - step : LEVELS + 1 + step];
  }));
}
