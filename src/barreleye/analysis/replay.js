"use strict";
/** Stepping through the games of a report: a board, the words and the clocks of each move, by keys, buttons and graph. */

/**
 * @typedef {object} Step one move, and the position after it
 * @property {string} label as a book prints it
 * @property {string} board
 * @property {string} move
 * @property {string} best what should be played now, empty at the end
 * @property {string} score
 * @property {number} share White's chances in per cent
 * @property {string} kind inaccuracy, mistake, blunder, or nothing
 * @property {string[]} said sentences about it
 * @property {string} line what was better
 * @property {string} own what the game itself says
 * @property {string[]} clocks White's and Black's, empty where the game does not tell
 */
/** @typedef {{names: string[], steps: Step[]}} Told */

const SQUARE = 45;
const MEN = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen", k: "king" };
const KEYS = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 };

/**
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} kind
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function made(tag, kind, ...children) {
  const found = document.createElement(tag);
  if (kind) found.className = kind;
  found.append(...children);
  return found;
}

class Player {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.place = /** @type {HTMLElement} */ (section.querySelector(".player"));
    this.chart = /** @type {HTMLElement} */ (section.querySelector(".chart"));
    /** @type {Told} */
    this.told = JSON.parse(section.querySelector(".told")?.textContent ?? "");
    this.ply = 0;
    this.white = true;
    this.board = drawn("svg", { class: "board", viewBox: `0 0 ${8 * SQUARE} ${8 * SQUARE}`, role: "img" });
    this.share = made("div", "bar-white");
    this.bar = made("div", "bar", this.share);
    this.sides = [made("p", "player-name"), made("p", "player-name")];
    this.words = made("div", "words");
    this.words.setAttribute("aria-live", "polite");
    this.here = made("i", "here");
    this.chart.append(this.here);
    this.list = /** @type {HTMLElement} */ (section.querySelector(".moves"));
    const buttons = made("div", "steps", this.button("«", "To the start", () => this.show(0)),
      this.button("‹", "A move back (left arrow)", () => this.show(this.ply - 1)),
      this.button("›", "A move forward (right arrow)", () => this.show(this.ply + 1)),
      this.button("»", "To the end", () => this.show(Infinity)), this.button("⇅", "Turn the board (f)", () => this.flip()));
    this.place.append(made("div", "stage", this.sides[1], made("div", "board-row", this.bar, this.board), this.sides[0], buttons),
      made("div", "beside", this.words, this.list));
    section.querySelector("details")?.remove();
    this.items = [...this.list.querySelectorAll("[data-ply]")].map((cell) => this.live(/** @type {HTMLElement} */ (cell)));
    this.chart.addEventListener("click", (event) => this.clicked(event));
    for (const link of section.querySelectorAll("a[data-ply]")) {
      link.addEventListener("click", () => this.show(Number(/** @type {HTMLElement} */ (link).dataset.ply)));
    }
    this.place.hidden = false;
    this.show(0);
  }

  /**
   * @param {string} sign
   * @param {string} name
   * @param {() => void} act
   */
  button(sign, name, act) {
    const found = made("button", "", sign);
    found.type = "button";
    found.title = name;
    found.setAttribute("aria-label", name);
    found.addEventListener("click", act);
    return found;
  }

  /**
   * A move of the list that can be gone to.
   * @param {HTMLElement} cell
   */
  live(cell) {
    const found = made("button", cell.className, ...cell.childNodes);
    found.type = "button";
    found.addEventListener("click", () => this.show(Number(cell.dataset.ply)));
    cell.replaceWith(found);
    return found;
  }

  /**
   * Somebody clicked the graph: go to the move below the pointer, not to its picture.
   * @param {MouseEvent} event
   */
  clicked(event) {
    event.preventDefault();
    const box = this.chart.getBoundingClientRect();
    this.show(Math.round((event.clientX - box.left) / box.width * (this.told.steps.length - 1)));
  }

  /**
   * The position after so many moves.
   * @param {number} ply
   */
  show(ply) {
    const { steps, names } = this.told;
    this.ply = Math.max(0, Math.min(steps.length - 1, ply));
    const step = steps[this.ply];
    this.draw(step);
    this.share.style.height = `${step.share}%`;
    this.bar.classList.toggle("flipped", !this.white);
    this.here.style.left = `${100 * this.ply / Math.max(1, steps.length - 1)}%`;
    this.sides.forEach((side, below) => {
      const color = Number(Boolean(below) === this.white);
      const time = step.clocks[color];
      side.replaceChildren(made("span", `man ${color ? "black" : "white"}`), names[color], ...(time ? [made("b", "clock", time)] : []));
    });
    const label = made("h4", "", made("span", step.kind, step.label), made("span", "score", step.score));
    this.words.replaceChildren(label, ...step.said.map((text) => made("p", "", text)), ...(step.line ? [made("p", "line", step.line)] : []),
      ...(step.own ? [made("p", "own", step.own)] : []));
    this.items.forEach((item, index) => {
      if (index + 1 === this.ply) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    });
    const current = this.items[this.ply - 1];
    this.list.scrollTop = current ? current.offsetTop - this.list.clientHeight / 2 : 0;
  }

  flip() {
    this.white = !this.white;
    this.show(this.ply);
  }

  /**
   * Where a square's upper left corner is.
   * @param {string} square
   */
  corner(square) {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    return this.white ? [SQUARE * file, SQUARE * (7 - rank)] : [SQUARE * (7 - file), SQUARE * rank];
  }

  /** @param {Step} step */
  draw(step) {
    const parts = [drawn("use", { href: "#grid" })];
    for (const square of step.move ? [step.move.slice(0, 2), step.move.slice(2, 4)] : []) {
      const [x, y] = this.corner(square);
      parts.push(drawn("rect", { class: "touched", x, y, width: SQUARE, height: SQUARE }));
    }
    step.board.split("/").forEach((row, number) => {
      let file = 0;
      for (const letter of row) {
        if (letter >= "1" && letter <= "8") {
          file += Number(letter);
          continue;
        }
        const [x, y] = this.corner("abcdefgh"[file++] + (8 - number));
        const man = MEN[/** @type {keyof typeof MEN} */ (letter.toLowerCase())];
        parts.push(drawn("use", { href: `#${letter < "a" ? "white" : "black"}-${man}`, x, y }));
      }
    });
    parts.push(this.coordinates());
    if (step.best) parts.push(this.arrow(step.best));
    this.board.setAttribute("aria-label", `Board after ${step.label}: ${step.board}`);
    this.board.replaceChildren(...parts);
  }

  coordinates() {
    const texts = [...Array(8).keys()].flatMap((index) => [
      drawn("text", { x: SQUARE * (index + 1) - 3, y: 8 * SQUARE - 3, "text-anchor": "end" }, "abcdefgh"[this.white ? index : 7 - index]),
      drawn("text", { x: 2, y: SQUARE * index + 10 }, String(this.white ? 8 - index : index + 1))]);
    return drawn("g", { class: "coordinates" }, ...texts);
  }

  /**
   * From the middle of one square to the middle of another, with a head.
   * @param {string} move
   */
  arrow(move) {
    const [[x1, y1], [x2, y2]] = [move.slice(0, 2), move.slice(2, 4)].map((square) => this.corner(square).map((side) => side + SQUARE / 2));
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [neckX, neckY] = [x2 - 19 * dx, y2 - 19 * dy];
    const head = [[x2, y2], [neckX - 11 * dy, neckY + 11 * dx], [neckX + 11 * dy, neckY - 11 * dx]].map((point) => point.map((side) => side.toFixed(1)).join());
    return drawn("g", { class: "arrow best" }, drawn("line", { x1: x1 + 10 * dx, y1: y1 + 10 * dy, x2: neckX, y2: neckY }), drawn("polygon", { points: head.join(" ") }));
  }

  /** How far its board is from the middle of the window. */
  get distance() {
    const box = this.board.getBoundingClientRect();
    return Math.abs((box.top + box.bottom) / 2 - innerHeight / 2);
  }
}

const players = [...document.querySelectorAll(".game")].filter((section) => section.querySelector(".told"))
  .map((section) => new Player(/** @type {HTMLElement} */ (section)));

// Keys go to the game one works with, or else to the one in view.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const player = players.find((one) => one.place.contains(target)) ?? players.reduce((one, other) => (other.distance < one.distance ? other : one), players[0]);
  if (!player) return;
  if (event.key in KEYS) player.show(player.ply + KEYS[/** @type {keyof typeof KEYS} */ (event.key)]);
  else if (event.key === "f") player.flip();
  else if (player.place.contains(target) && (event.key === "Home" || event.key === "End")) player.show(event.key === "Home" ? 0 : Infinity);
  else return;
  event.preventDefault();
});
