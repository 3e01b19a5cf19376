/** The board: chessground, told what may be moved by the server; by mouse, by touch and by keyboard. */

import { Chessground } from "../vendor/chessground.min.js";
import { byId, el, put } from "./dom.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../vendor/source/types.js").Key} Key */
/** @typedef {{uci: string, brush: string}} Arrow */

const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };

export class Board {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    this.cursor = "";
    this.picked = "";
    /** @type {Map<string, string>} */
    this.heat = new Map();
    /** @type {((square: string) => void) | null} */
    this.onPick = null;
    this.place = byId("board");
    this.ground = Chessground(this.place, {
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 160 },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to) } },
      premovable: { enabled: false },
      drawable: { enabled: true, brushes: brushes() },
      events: { select: (square) => this.onPick?.(square) },
      disableContextMenu: true,
    });
    state.addEventListener("position", () => this.draw());
    this.place.addEventListener("keydown", (event) => this.press(event));
    this.place.addEventListener("focus", () => { this.cursor ||= this.state.white ? "e2" : "e7"; this.mark(); });
    this.place.addEventListener("blur", () => { this.picked = ""; this.mark(); });
    new ResizeObserver(() => this.ground.redrawAll()).observe(this.place);
  }

  /** Show the position that the state is about. */
  draw() {
    const facts = this.state.facts;
    if (!facts) return;
    const last = this.state.moves.at(-1);
    const dests = new Map();
    for (const { uci } of facts.legal) {
      const from = uci.slice(0, 2);
      if (!dests.has(from)) dests.set(from, []);
      dests.get(from).push(uci.slice(2, 4));
    }
    this.picked = "";
    this.heat.clear();
    this.ground.set({
      fen: facts.fen, turnColor: facts.turn, check: facts.check, orientation: this.state.white ? "white" : "black",
      lastMove: last ? [key(last), key(last.slice(2))] : undefined,
      movable: { color: facts.turn, dests }, drawable: { autoShapes: [] },
    });
    this.mark();
    put(byId("labels"));
  }

  /** Turn the board round. */
  flip() {
    this.state.white = !this.state.white;
    this.ground.set({ orientation: this.state.white ? "white" : "black" });
    this.state.dispatchEvent(new Event("flip"));
  }

  /**
   * A man was moved by hand.
   * @param {string} from
   * @param {string} to
   */
  moved(from, to) {
    const legal = this.state.facts?.legal ?? [];
    const meant = legal.filter(({ uci }) => uci.startsWith(from + to));
    if (meant.length > 1) this.promote(meant.map(({ uci }) => uci));
    else if (meant.length) this.state.play(meant[0].uci);
    else this.draw();
  }

  /**
   * Ask what a pawn becomes.
   * @param {string[]} moves
   */
  promote(moves) {
    const dialog = byId("promotion");
    const side = this.state.facts?.turn === "white" ? "w" : "b";
    /** @param {string | null} move */
    const done = (move) => {
      dialog.hidden = true;
      if (move) this.state.play(move);
      else this.draw();
      this.place.focus();
    };
    put(dialog, ...Object.entries(PROMOTIONS).map(([letter, name]) => {
      const move = moves.find((uci) => uci.endsWith(letter)) ?? null;
      return el("button", { type: "button", "aria-label": name, onclick: () => done(move) },
        el("img", { src: `pieces/${side}${letter}.svg`, alt: name }));
    }));
    dialog.onkeydown = (event) => { if (event.key === "Escape") done(null); };
    dialog.onclick = (event) => { if (event.target === dialog) done(null); };
    dialog.hidden = false;
    dialog.querySelector("button")?.focus();
  }

  /**
   * Arrows over the board.
   * @param {Arrow[]} arrows
   */
  arrows(arrows) {
    if (!this.place.clientWidth) return;            // a page that is not laid out has no place for them
    this.ground.setAutoShapes(arrows.map(({ uci, brush }) => (
      { orig: key(uci), dest: key(uci.slice(2)), brush })));
  }

  /**
   * Whether a man stands on a square.
   * @param {string} square
   */
  has(square) {
    return this.ground.state.pieces.has(key(square));
  }

  /**
   * Numbers on squares, and colours from 1 (good) to 6 (bad).
   * @param {Map<string, string>} labels
   * @param {Map<string, number>} heat
   */
  annotate(labels, heat) {
    this.heat = new Map([...heat].map(([square, level]) => [square, `heat-${level}`]));
    this.mark();
    put(byId("labels"), ...[...labels].map(([square, text]) => {
      const label = el("span", {}, el("b", { text }));
      const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
      label.style.left = `${12.5 * (this.state.white ? file : 7 - file)}%`;
      label.style.bottom = `${12.5 * (this.state.white ? rank : 7 - rank)}%`;
      return label;
    }));
  }

  /** Mark squares: those with colours, and the one that the keyboard is on. */
  mark() {
    /** @type {Map<Key, string>} */
    const custom = new Map([...this.heat].map(([square, name]) => [key(square), name]));
    if (this.cursor && document.activeElement === this.place) {
      custom.set(key(this.cursor), `${custom.get(key(this.cursor)) ?? ""} cursor`.trim());
    }
    this.ground.set({ highlight: { custom } });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key in steps && !event.shiftKey) {
      const [dx, dy] = steps[/** @type {keyof typeof steps} */ (event.key)];
      const sign = this.state.white ? 1 : -1;
      const file = Math.max(0, Math.min(7, this.cursor.charCodeAt(0) - 97 + sign * dx));
      const rank = Math.max(1, Math.min(8, Number(this.cursor[1]) + sign * dy));
      this.cursor = "abcdefgh"[file] + rank;
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick();
    } else if (event.key === "Escape") {
      this.picked = "";
      this.ground.selectSquare(null);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    this.mark();
    this.say();
  }

  /** Take up the man under the cursor, or put it down. */
  pick() {
    const from = this.picked;
    const legal = this.state.facts?.legal ?? [];
    if (from && legal.some(({ uci }) => uci.startsWith(from + this.cursor))) {
      this.picked = "";
      this.moved(from, this.cursor);
    } else {
      const can = legal.some(({ uci }) => uci.startsWith(this.cursor));
      this.picked = can ? this.cursor : "";
      this.ground.selectSquare(can ? key(this.cursor) : null);
      this.onPick?.(this.cursor);
    }
  }

  /** Say for those who do not see it what the cursor is on. */
  say() {
    const man = this.ground.state.pieces.get(key(this.cursor));
    const what = man ? `${man.color} ${man.role}` : "empty";
    byId("live").textContent = `${this.cursor}, ${what}${this.picked ? `, moving from ${this.picked}` : ""}`;
  }
}

/**
 * The square that a text begins with, as chessground calls squares.
 * @param {string} text
 */
function key(text) {
  return /** @type {Key} */ (text.slice(0, 2));
}

/** Arrows in the colours of the report. */
function brushes() {
  /** @param {string} name @param {string} color @param {number} opacity @param {number} lineWidth */
  const brush = (name, color, opacity, lineWidth) => ({ key: name, color, opacity, lineWidth });
  return {
    green: brush("g", "#2f9e6e", 1, 10), red: brush("r", "#d1495b", 1, 10), blue: brush("b", "#14789e", 1, 10),
    yellow: brush("y", "#d79b00", 1, 10), best: brush("best", "#2f9e6e", 1, 11), second: brush("second", "#14789e", 0.8, 9),
    other: brush("other", "#14789e", 0.5, 7), threat: brush("threat", "#d1495b", 1, 11),
  };
}
