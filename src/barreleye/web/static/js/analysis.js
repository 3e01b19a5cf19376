/** The engine thinking about the position on the board: started, followed, stopped. Views listen to it. */

import { complain } from "./notices.js";

/**
 * @typedef {object} Line one line of the search, scores for White
 * @property {number} line
 * @property {number} depth
 * @property {number} seldepth
 * @property {number} nodes
 * @property {number} ms
 * @property {number} hashfull
 * @property {number} tbhits
 * @property {number} [cp]
 * @property {number} [mate]
 * @property {number[]} chances
 * @property {string} bound
 * @property {string[]} pv
 * @property {string[]} san
 */

export class Analysis extends EventTarget {
  /** @param {import("./state.js").State} state */
  constructor(state) {
    super();
    this.state = state;
    this.wanted = true;
    this.paused = false;
    this.runs = false;
    this.search = 0;
    this.fen = "";
    this.nodes = 0;
    this.started = 0;
    /** @type {any} */
    this.counters = null;
    /** @type {Map<number, Line>} */
    this.lines = new Map();
    /** @type {Map<number, Line>} the best line of each depth */
    this.depths = new Map();
    state.link.addEventListener("lines", (event) => this.hear(/** @type {CustomEvent} */ (event).detail));
    state.link.addEventListener("lost", () => { this.runs = false; this.changed(); });
    state.addEventListener("position", () => this.restart());
  }

  /** The best line, null when there is none. */
  get best() {
    return this.lines.get(1) ?? null;
  }

  /** How long to think, as the server is told. */
  get limit() {
    const [kind, amount] = this.state.place.limit.split(" ");
    return kind && Number(amount) > 0 ? { [kind]: Number(amount) } : {};
  }

  /** Another position, or other settings. */
  restart() {
    this.lines.clear();
    this.depths.clear();
    this.nodes = 0;
    this.search = 0;
    this.fen = this.state.facts?.fen ?? "";
    this.changed();
    if (this.wanted && this.state.facts?.legal.length) this.start();
    else if (this.runs) this.stop();
  }

  async start() {
    this.wanted = true;
    const { place } = this.state;
    try {
      this.runs = true;
      this.search = -1;
      const { search } = await this.state.link.ask("go", { ...this.state.here, ...this.state.settings, limit: this.limit, lines: place.lines });
      this.search = search;
      this.started = performance.now();
    } catch (error) {
      this.runs = false;
      complain(error);
    }
    this.changed();
  }

  /** Stop, and stay stopped. */
  async stop() {
    this.runs = false;
    this.changed();
    await this.state.link.ask("stop").catch(complain);
  }

  /** Make room for another kind of search. */
  pause() {
    this.paused ||= this.wanted;
    this.wanted = false;
    this.runs = false;
    this.search = 0;
    this.changed();
  }

  /** Go on if it was only paused. */
  resume() {
    if (!this.paused) return;
    this.paused = false;
    this.wanted = true;
    this.restart();
  }

  toggle() {
    this.paused = false;
    this.wanted = !this.runs;
    if (this.wanted) this.restart();
    else this.stop();
  }

  /** Play what the engine would. */
  playBest() {
    const move = this.best?.pv[0];
    if (move) this.state.play(move);
  }

  /** @param {any} message */
  hear(message) {
    if (message.search !== this.search) return;
    this.nodes = message.nodes;
    if (message.counters) this.counters = message.counters;
    for (const line of /** @type {Line[]} */ (message.lines)) this.lines.set(line.line, line);
    for (const line of /** @type {Line[]} */ (message.depths ?? [])) this.depths.set(line.depth, line);
    if (message.done) this.runs = false;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
