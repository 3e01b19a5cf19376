/** The view that answers questions: why this move, why not another, what is the threat, which technique decides. */

import { count, el, put } from "./dom.js";
import { complain } from "./notices.js";

/** @typedef {import("./tabs.js").View} View */

/** @implements {View} */
export class WhyView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {import("./board.js").Board} board
   */
  constructor(state, analysis, board) {
    this.id = "why";
    this.title = "Why?";
    this.state = state;
    this.analysis = analysis;
    this.board = board;
    this.turn = 0;                      // of the last question; the answer to an earlier one comes too late
    this.choice = el("select", { "aria-label": "Another move" });
    /** @param {string} label @param {() => void} ask @param {string} [kind] */
    const button = (label, ask, kind = "") => el("button", { type: "button", class: kind, text: label, onclick: ask });
    this.answers = el("div", { class: "view", "aria-live": "polite" });
    this.stop = el("button", { type: "button", text: "Stop", hidden: true, onclick: () => this.state.link.ask("stop").catch(complain) });
    this.element = el("div", { class: "view" }, el("div", { class: "card" }, el("h2", { text: "Ask the engine" }),
      el("div", { class: "row" }, button("Why this move?", () => this.ask("why"), "main"), button("What is the threat?", () => this.ask("threat")), button("Which technique decides?", () => this.ask("technique")), this.stop),
      el("div", { class: "row" }, el("label", { class: "field" }, "Why not", this.choice), button("Ask", () => this.ask("why not", this.choice.value), "main")),
      el("p", { class: "note", text: "Every answer is a search of its own and stands on what was found in it; no language model is involved. You can also play the move you have in mind on the board, go back, and ask." })), this.answers);
    state.addEventListener("position", () => this.fill());
    this.fill();
  }

  /** The moves that can be asked about; the one that was played next, if any, is proposed. */
  fill() {
    const legal = [...(this.state.facts?.legal ?? [])].sort((one, other) => one.san.localeCompare(other.san));
    const next = this.state.place.moves[this.state.place.ply];
    this.leave();
    put(this.choice, ...legal.map(({ uci, san }) => el("option", { value: uci, text: `${san}?`, selected: uci === next })));
  }

  /** The position is another one: what is being asked is of no more use. */
  leave() {
    this.turn++;
    if (!this.stop.hidden) this.state.link.ask("stop").catch(complain);
    this.stop.hidden = true;
    put(this.answers);
  }

  /**
   * @param {string} question
   * @param {string} [move]
   */
  async ask(question, move = "") {
    if (question === "why not" && !move) return;
    if (move) this.choice.value = move;
    const turn = ++this.turn;
    this.stop.hidden = false;
    this.analysis.pause();
    const { here } = this.state;
    put(this.answers, el("div", { class: "card" }, el("p", { class: "note", text: question === "technique" ? "Searching some fifty times, once without each technique…" : "Thinking about it…" }), el("progress", { "aria-label": "Working" })));
    try {
      const found = await this.state.link.ask("why", { ...here, ...this.state.settings, question, move });
      if (turn !== this.turn) return;
      put(this.answers, ...found.answers.map(/** @param {any} answer */ (answer) => this.answer(answer)), el("p", { class: "note", text: `From searches of ${count(found.nodes)} nodes.` }));
      const main = found.answers[0];
      if (main?.arrow) this.board.arrows([{ uci: main.arrow, brush: question === "threat" || question === "why not" ? "threat" : "best" }]);
    } catch (error) {
      if (turn !== this.turn) return;
      put(this.answers);
      complain(error);
    }
    this.stop.hidden = true;
  }

  /** @param {any} answer */
  answer(answer) {
    const evidence = answer.sentences.map(/** @param {any} one */ (one) => el("li", {}, el("b", { text: one.text }), el("pre", { text: JSON.stringify(one.evidence, null, 1) })));
    return el("article", { class: "card answer" }, el("h2", { text: answer.question }), ...answer.sentences.map(/** @param {any} one */ (one) => el("p", { class: "said", text: one.text })),
      el("details", {}, el("summary", { text: "What this stands on" }), el("ul", { class: "evidence" }, ...evidence)));
  }
}
