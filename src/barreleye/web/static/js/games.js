/** The view of games: paste or drop PGN, walk through a game, have it judged move by move, open its report. */

import { el, put, svg } from "./dom.js";
import { complain } from "./notices.js";

/** @typedef {import("./tabs.js").View} View */
/** @typedef {{title: string, headers: Record<string, string>, fen: string, moves: string[], comments: Record<string, string>, clocks: Record<string, string>}} Game */

const [USUAL_WIDTH, HEIGHT, MARGIN] = [600, 150, 8];
const [AXIS, TICK_PX] = [18, 40];       // room below for the numbers of moves, and between them
const MOST_LISTED = 100;

/** @implements {View} */
export class GamesView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   */
  constructor(state, analysis) {
    this.id = "games";
    this.title = "Games";
    this.state = state;
    this.analysis = analysis;
    this.upload = "";
    /** @type {Game[]} */
    this.games = [];
    this.chosen = -1;
    this.busy = false;
    this.turn = 0;                      // of the last game to be judged; what is said of another comes too late
    /** @type {any} */
    this.review = null;
    this.text = el("textarea", { rows: 5, spellcheck: "false", "aria-label": "Games as PGN", placeholder: "Paste games as PGN here, or drop a file" });
    this.file = el("input", { type: "file", accept: ".pgn,.txt", "aria-label": "A PGN file", onchange: () => { const file = this.file.files?.[0]; if (file) this.bring(file); } });
    this.list = el("div", { class: "scroll list" });
    this.shown = el("div", { class: "view" });
    this.element = el("div", { class: "view" }, el("div", { class: "card" }, this.text, el("div", { class: "row" },
      el("button", { type: "button", class: "main", text: "Read the games", onclick: () => this.bring(this.text.value) }), this.file), this.list), this.shown);
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.bring(file);
    });
    state.link.addEventListener("progress", (event) => this.progress(/** @type {CustomEvent} */ (event).detail));
    state.addEventListener("position", () => this.follow());
  }

  /** @param {string | Blob} body */
  async bring(body) {
    try {
      const answer = await fetch("games", { method: "POST", body });
      const found = await answer.json();
      if (found.error) throw new Error(found.error);
      for (const problem of found.problems) complain(new Error(problem));
      this.upload = found.upload;
      this.games = found.games;
      put(this.list, el("table", {}, el("tbody", {}, ...this.games.slice(0, MOST_LISTED).map((game, index) => el("tr", {}, el("td", {}, el("button", { type: "button", class: "link", text: game.title, onclick: () => this.choose(index) })),
        el("td", { text: game.headers.Result }), el("td", { class: "number", text: `${Math.ceil(game.moves.length / 2)} moves` }))))));
      this.choose(0);
    } catch (error) {
      complain(error);
    }
  }

  /** @param {number} index */
  choose(index) {
    if (this.busy) this.state.link.ask("stop").catch(complain);
    this.busy = false;
    this.turn++;
    this.chosen = index;
    this.review = null;
    const game = this.games[index];
    this.state.show(game.fen, game.moves, 0);
    this.draw();
  }

  draw() {
    const game = this.games[this.chosen];
    if (!game) return;
    this.bar = el("progress", { "aria-label": "Positions looked at", value: 0, max: game.moves.length + 1, hidden: true });
    this.go = el("button", { type: "button", class: "main", text: "Annotate", onclick: () => (this.busy ? this.state.link.ask("stop").catch(complain) : this.annotate()) });
    this.nodes = el("select", { "aria-label": "How carefully" }, ...[[20000, "quickly"], [100000, "with care"], [500000, "thoroughly"]].map(([value, text]) => el("option", { value, text })));
    this.comment = el("p", { class: "said", "aria-live": "polite" });
    this.clocks = el("p", { class: "note" });
    this.graph = el("div");
    this.sides = el("div", { class: "versus" });
    put(this.shown, el("div", { class: "card" }, el("h2", { text: game.title }), el("div", { class: "row" }, this.go, this.nodes, this.link = el("a", { target: "_blank", text: "Open the report", hidden: true })), this.bar, this.graph, this.clocks, this.comment, this.sides));
    this.follow();
  }

  async annotate() {
    if (!this.go || !this.bar || !this.nodes) return;
    this.busy = true;
    this.go.textContent = "Stop";
    this.bar.hidden = false;
    this.analysis.pause();
    const turn = ++this.turn;
    try {
      const review = await this.state.link.ask("annotate", { upload: this.upload, game: this.chosen, nodes: Number(this.nodes.value) });
      if (turn !== this.turn) return;
      this.review = review;
      this.drawReview();
    } catch (error) {
      if (turn !== this.turn) return;
      complain(error);
    }
    this.busy = false;
    this.go.textContent = "Annotate";
    this.bar.hidden = true;
  }

  /** @param {any} message */
  progress(message) {
    if (!this.bar) return;
    this.bar.value = message.done;
    this.bar.max = message.total;
  }

  drawReview() {
    const { review, link } = this;
    if (!review || !this.sides || !link) return;
    link.setAttribute("href", review.report);
    link.hidden = false;
    put(this.sides, ...review.sides.map(/** @param {any} side */ (side) => el("div", {}, el("h3", { text: side.name }), el("p", { class: "big", text: side.accuracy === null ? "–" : `${side.accuracy.toFixed(0)} %` }),
      el("p", { class: "note", text: "accuracy" }), el("p", { text: Object.entries(side.counts).map(([name, number]) => `${number} ${name.toLowerCase()}${number === 1 ? "" : "s"}`).join(", ").replace("inaccuracys", "inaccuracies") }))));
    this.follow();
  }

  /** Whether the board shows the game of this view. */
  isHere() {
    const game = this.games[this.chosen];
    return Boolean(game) && this.state.place.fen === game.fen && this.state.place.moves.join() === game.moves.join();
  }

  /** The board has moved: mark the place in the graph, say what there is to say. */
  follow() {
    if (!this.comment || !this.isHere()) return;
    const { ply } = this.state.place;
    const move = this.review?.moves[ply - 1];
    const own = this.games[this.chosen].comments[ply] ?? "";
    this.comment.textContent = [move ? `${move.label} ${move.comment}${move.judgement && move.best.includes(" ") ? ` Better: ${move.best}.` : ""}` : "", own].filter(Boolean).join(" — ");
    if (this.clocks) put(this.clocks, this.timesLeft(ply));
    if (!this.review || !this.graph) return;
    const hadFocus = this.graph.contains(document.activeElement);
    const drawn = this.curve(ply, this.graph.clientWidth || USUAL_WIDTH);
    put(this.graph, drawn);
    if (hadFocus) drawn.focus();
  }

  open() {
    this.follow();                      // now that there is a width to draw in
  }

  /**
   * What the clocks show after a ply, where the game tells.
   * @param {number} ply
   */
  timesLeft(ply) {
    const { clocks, fen } = this.games[this.chosen];
    const [latest, before] = [clocks[ply], clocks[ply - 1]];
    const isWhites = ply % 2 === (fen.split(" ")[1] === "b" ? 0 : 1);
    const [white, black] = isWhites ? [latest, before] : [before, latest];
    return [white ? `White's clock ${white}` : "", black ? `Black's clock ${black}` : ""].filter(Boolean).join(" · ");
  }

  /**
   * @param {number} ply
   * @param {number} width
   */
  curve(ply, width) {
    const { start, moves } = this.review;
    const shares = [start, ...moves.map(/** @param {any} move */ (move) => move.share)];
    const step = width / Math.max(1, shares.length - 1);
    /** @param {number} share */
    const y = (share) => MARGIN + ((HEIGHT - 2 * MARGIN) * (100 - share)) / 100;
    const path = shares.map((share, index) => `${(index * step).toFixed(1)},${y(share).toFixed(1)}`).join(" ");
    const drawn = svg("svg", { class: "graph game-graph", viewBox: `0 0 ${width} ${HEIGHT + AXIS}`, role: "slider", tabindex: 0, "aria-label": "White's chances over the game", "aria-valuemin": 0, "aria-valuemax": moves.length, "aria-valuenow": ply, "aria-valuetext": moves[ply - 1]?.label ?? "the start" },
      svg("rect", { class: "black-area", width, height: HEIGHT }), svg("polygon", { class: "white-area", points: `0,${HEIGHT} ${path} ${width},${HEIGHT}` }),
      svg("line", { class: "zero", x1: 0, x2: width, y1: y(50), y2: y(50) }), svg("polyline", { class: "curve", points: path }),
      svg("line", { class: "here", x1: ply * step, x2: ply * step, y1: 0, y2: HEIGHT }));
    let free = 0;
    moves.forEach(/** @param {any} move @param {number} index */ (move, index) => {
      const x = (index + 1) * step;
      if (/^\d+\./.test(move.label) && x >= free && x < width - 10) {
        drawn.append(svg("text", { x, y: HEIGHT + AXIS - 4, "text-anchor": "middle", text: parseInt(move.label, 10) }));
        free = x + TICK_PX;
      }
      if (!move.judgement) return;
      const dot = svg("circle", { class: move.judgement, cx: Math.min(width - 6, (index + 1) * step), cy: y(move.share), r: 5 });
      dot.append(svg("title", { text: `${move.label} ${move.comment}` }));
      drawn.append(dot);
    });
    drawn.addEventListener("click", (event) => {
      const box = drawn.getBoundingClientRect();
      this.state.walk(Math.round((/** @type {MouseEvent} */ (event).clientX - box.left) / box.width * (shares.length - 1)));
    });
    return drawn;
  }
}
