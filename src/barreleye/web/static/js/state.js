/** What the page is about: the position, the moves, the settings. Whoever changes it calls a method; views listen. */

import { read, write } from "./address.js";
import { complain } from "./notices.js";

/** @typedef {import("./address.js").Place} Place */
/** @typedef {{uci: string, san: string}} LegalMove */
/**
 * @typedef {object} Facts what the server says of a position
 * @property {string} fen
 * @property {"white" | "black"} turn
 * @property {LegalMove[]} legal
 * @property {boolean} check
 * @property {string[]} played
 * @property {string[]} later what follows in the game
 * @property {string} opening
 * @property {string} over
 * @property {string} result
 * @property {number} men
 * @property {number} firstMove
 * @property {boolean} whiteFirst
 */

export class State extends EventTarget {
  /** @param {import("./socket.js").Link} link */
  constructor(link) {
    super();
    this.link = link;
    /** @type {Place} */
    this.place = read(location.hash);
    /** @type {Facts | null} */
    this.facts = null;
    this.turn = 0;
    this.white = true;
    addEventListener("hashchange", () => this.follow());
  }

  /** The moves on the board. */
  get moves() {
    return this.place.moves.slice(0, this.place.ply);
  }

  /** The position as the server wants it. */
  get here() {
    return { fen: this.place.fen, moves: this.moves };
  }

  /** What searches are told beside the position. */
  get settings() {
    return { threads: this.place.threads, hash: this.place.hash, off: this.place.off };
  }

  /** Somebody changed the address. */
  follow() {
    if (location.hash === write(this.place).trim()) return;
    this.place = read(location.hash);
    this.dispatchEvent(new Event("settings"));
    this.refresh();
  }

  /**
   * Change settings; the position stays.
   * @param {Partial<Place>} changes
   */
  set(changes) {
    Object.assign(this.place, changes);
    this.save();
    this.dispatchEvent(new Event("settings"));
  }

  save() {
    history.replaceState(null, "", location.pathname + write(this.place).trim());
  }

  /**
   * Another position.
   * @param {string} fen
   * @param {string[]} [moves]
   * @param {number} [ply]
   */
  show(fen, moves = [], ply = moves.length) {
    Object.assign(this.place, { fen, moves, ply, node: null, visits: null });
    return this.refresh();
  }

  /**
   * A move from here; what came after is forgotten unless it is the same.
   * @param {...string} moves
   */
  play(...moves) {
    const { ply } = this.place;
    const goesOn = moves.every((move, index) => this.place.moves[ply + index] === move);
    const all = goesOn ? this.place.moves : [...this.moves, ...moves];
    return this.show(this.place.fen, all, ply + moves.length);
  }

  /**
   * Walk to a ply.
   * @param {number} ply
   */
  walk(ply) {
    const wanted = Math.max(0, Math.min(this.place.moves.length, ply));
    if (wanted !== this.place.ply) this.show(this.place.fen, this.place.moves, wanted);
  }

  /** Ask the server what may be played, and tell everybody. */
  async refresh() {
    const turn = ++this.turn;
    try {
      const facts = await this.link.ask("position", { ...this.here, later: this.place.moves.slice(this.place.ply) });
      if (turn !== this.turn) return;
      this.facts = facts;
      this.save();
      this.dispatchEvent(new Event("position"));
    } catch (error) {
      complain(error);
      if (turn === this.turn && !this.facts && (this.place.fen || this.place.moves.length)) this.show("");
      else if (turn === this.turn && this.facts) this.dispatchEvent(new Event("position"));
    }
  }
}
