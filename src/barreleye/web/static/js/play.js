/** The view in which one plays against the engine: a level, a side, a clock; take back, ask for a hint. */

import { el, put } from "./dom.js";
import { complain } from "./notices.js";

/** @typedef {import("./tabs.js").View} View */

const TICK_MS = 200;
const HINT = { nodes: 200000 };

/** @implements {View} */
export class PlayView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {import("./board.js").Board} board
   * @param {any} about
   */
  constructor(state, analysis, board, about) {
    this.id = "play";
    this.title = "Play";
    this.state = state;
    this.analysis = analysis;
    this.board = board;
    this.on = false;
    this.thinks = false;
    this.asked = "";
    /** @type {"white" | "black"} */
    this.side = "white";
    this.clocks = { white: 0, black: 0 };
    this.added = 0;
    this.hasClock = false;
    this.since = 0;
    /** @type {"white" | "black" | ""} */
    this.last = "";
    this.level = el("select", {}, ...about.levels.map(/** @param {any} one */ (one) => el("option", { value: one.name, text: one.elo ? `${one.name} (${one.elo})` : "full strength", selected: one.name === "club" })));
    this.colour = el("select", {}, el("option", { value: "white", text: "White" }), el("option", { value: "black", text: "Black" }));
    this.time = el("select", {}, ...[["", "no clock"], ["180 2", "3 minutes + 2 s"], ["300 3", "5 minutes + 3 s"], ["600 5", "10 minutes + 5 s"], ["1800 20", "30 minutes + 20 s"]].map(([value, text]) => el("option", { value, text })));
    this.status = el("p", { class: "said", "aria-live": "polite" });
    this.faces = el("div", { class: "clocks" });
    this.buttons = el("div", { class: "row" });
    this.element = el("div", { class: "view" }, el("div", { class: "card" }, el("h2", { text: "Play against Barreleye" }),
      el("div", { class: "row" }, el("label", { class: "field" }, "Level", this.level), el("label", { class: "field" }, "You are", this.colour), el("label", { class: "field" }, "Clock", this.time)),
      this.buttons, this.faces, this.status, el("p", { class: "note", text: "A game begins with the position on the board. Below full strength Barreleye sees less and is less sure which of the good moves is best." })));
    state.addEventListener("position", () => this.turn());
    setInterval(() => this.tick(), TICK_MS);
    this.draw();
  }

  /** Shown again: a move that was asked for may have been lost to another search. */
  open() {
    if (!this.thinks) this.asked = "";
    this.turn();
  }

  start() {
    this.side = this.colour.value === "black" ? "black" : "white";
    const [seconds, added] = this.time.value.split(" ").map(Number);
    this.hasClock = Boolean(seconds);
    this.clocks = { white: 1000 * seconds || 0, black: 1000 * seconds || 0 };
    this.added = 1000 * (added || 0);
    this.on = true;
    this.analysis.lines.clear();            // no help while a game is on
    this.analysis.pause();
    if (this.state.white !== (this.side === "white")) this.board.flip();
    this.since = performance.now();
    this.asked = "";
    this.turn();
  }

  /** @param {string} words */
  end(words) {
    this.on = false;
    this.thinks = false;
    this.status.textContent = words;
    this.draw();
  }

  /** Somebody's turn: ours to think, or theirs. */
  async turn() {
    const facts = this.state.facts;
    if (!this.on || !facts) return undefined;
    this.analysis.pause();
    this.analysis.paused = false;           // it stays off until somebody asks for it
    this.draw();
    if (facts.over) return this.end(`${facts.over}${facts.result ? ` (${facts.result})` : ""}.`);
    const place = JSON.stringify(this.state.here);
    if (facts.turn === this.side) {
      this.status.textContent = "Your move.";
      return undefined;
    }
    if (this.asked === place) return undefined;
    this.asked = place;
    this.thinks = true;
    this.status.textContent = "Barreleye is thinking…";
    try {
      const clock = this.hasClock ? { wtime: Math.round(this.clocks.white), btime: Math.round(this.clocks.black), winc: this.added, binc: this.added } : {};
      const { move } = await this.state.link.ask("move", { ...this.state.here, level: this.level.value, ...clock });
      if (this.on && place === JSON.stringify(this.state.here) && move) {
        this.press();
        await this.state.play(move);
      }
    } catch (error) {
      complain(error);
    } finally {
      this.thinks = false;
    }
    return undefined;
  }

  /** The clock is pressed: time is added, the other side's runs. */
  press() {
    const turn = this.state.facts?.turn ?? "white";
    if (this.hasClock) this.clocks[turn] += this.added;
    this.since = performance.now();
  }

  tick() {
    if (!this.on || !this.hasClock || !this.state.facts) return;
    const now = performance.now();
    const { turn } = this.state.facts;
    if (this.last !== turn && this.last === this.side) this.clocks[this.side] += this.added;
    this.last = turn;
    this.clocks[turn] = Math.max(0, this.clocks[turn] - (now - this.since));
    this.since = now;
    this.drawClocks();
    if (!this.clocks[turn]) this.end(turn === this.side ? "Your time is up: Barreleye wins." : "Barreleye's time is up: you win.");
  }

  back() {
    this.asked = "";
    this.state.place.moves = this.state.moves;
    const steps = this.state.facts?.turn === this.side ? 2 : 1;
    const kept = this.state.moves.slice(0, -steps);
    this.state.show(this.state.place.fen, kept);
  }

  async hint() {
    try {
      const { search } = await this.state.link.ask("go", { ...this.state.here, ...this.state.settings, limit: HINT, lines: 1 });
      this.status.textContent = "Looking for a good move…";
      /** @param {Event} event */
      const hear = (event) => {
        const message = /** @type {CustomEvent} */ (event).detail;
        if (message.search !== search) return;
        const line = message.lines.at(-1) ?? message.depths?.at(-1);
        if (line) {
          this.board.arrows([{ uci: line.pv[0], brush: "best" }]);
          this.status.textContent = `Think about ${line.san[0]}.`;
        }
        if (message.done) this.state.link.removeEventListener("lines", hear);
      };
      this.state.link.addEventListener("lines", hear);
    } catch (error) {
      complain(error);
    }
  }

  draw() {
    /** @param {string} text @param {() => void} act @param {string} [kind] */
    const button = (text, act, kind = "") => el("button", { type: "button", class: kind, text, onclick: act });
    put(this.buttons, ...(this.on ? [button("Take back", () => this.back()), button("Hint", () => this.hint()), button("Resign", () => this.end("You resigned: Barreleye wins."))] : [button("Start", () => this.start(), "main")]));
    this.drawClocks();
  }

  drawClocks() {
    /** @param {"white" | "black"} side */
    const face = (side) => {
      const seconds = Math.ceil(this.clocks[side] / 1000);
      const runs = this.on && this.state.facts?.turn === side;
      return el("div", { class: runs ? "clock runs" : "clock" }, el("span", { text: side === this.side ? "You" : "Barreleye" }), el("b", { text: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}` }));
    };
    put(this.faces, ...(this.hasClock ? [face("white"), face("black")] : []));
  }
}
