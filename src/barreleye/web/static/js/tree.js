/** The view of a recorded search: the icicle, the way to what it shows, a card for a visit, and the same as a grid. */

import { card } from "./card.js";
import { byId, count, el, painted, put } from "./dom.js";
import { hideHover, showHover } from "./hover.js";
import { Icicle, LETTERS, ROW } from "./icicle.js";
import { complain } from "./notices.js";
import { text } from "./score.js";
import { TreeGrid } from "./treegrid.js";

const SIZES = [20000, 100000, 200000, 500000, 1000000, 3000000];
const HOVER_MS = 120;
const MOST_HEIGHT = 520;                // of the frame, as its style has it
const ABOUT = "Every node the search visits and every decision in it is written down: the wider a strip, the more visits lie within.";

/** @typedef {import("./tabs.js").View} View */

/** @implements {View} */
export class TreeView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {any} about what the server said at the beginning
   * @param {import("./board.js").Board} board
   */
  constructor(state, analysis, about, board) {
    this.id = "tree";
    this.title = "Tree";
    this.state = state;
    this.analysis = analysis;
    this.link = state.link;
    this.board = board;
    /** @type {any} */
    this.tree = null;
    this.recorded = "";
    this.hovered = -1;
    this.timer = 0;
    this.busy = false;
    this.canvas = el("canvas", { tabindex: 0, role: "img", "aria-label": "The tree of the search. Arrow keys walk through it, Enter zooms in, Backspace out. Below it is the same as text." });
    this.icicle = new Icicle(this.canvas, about.legend);
    this.frame = el("div", { class: "icicle" }, this.canvas);
    this.crumbs = el("ol", { class: "crumbs", "aria-label": "Where this is" });
    this.facts = el("p", { class: "said" });
    this.card = el("div");
    this.grid = new TreeGrid(this.link, (node) => this.tell(node));
    this.size = el("select", { "aria-label": "How many nodes to record" }, ...SIZES.map((nodes) => el("option", { value: nodes, text: `${count(nodes)} nodes`, selected: nodes === state.place.nodes })));
    if (!SIZES.includes(state.place.nodes)) this.size.append(el("option", { value: state.place.nodes, text: `${count(state.place.nodes)} nodes`, selected: true }));
    this.size.addEventListener("change", () => { state.set({ nodes: Number(this.size.value), node: null, visits: null }); });
    this.filter = el("select", { "aria-label": "Show where a technique decided" }, el("option", { value: "", text: "all techniques" }),
      ...about.recorded.map(/** @param {string} name */ (name) => el("option", { value: name, text: name })));
    this.filter.addEventListener("change", () => this.zoom(this.state.place.node));
    this.go = el("button", { type: "button", class: "main", text: "Record a search", onclick: () => (this.busy ? this.link.ask("stop").catch(complain) : this.record()) });
    this.note = el("p", { class: "note", text: ABOUT });
    this.shown = el("div", { class: "view", hidden: true },
      el("div", { class: "card" }, this.facts, el("div", { class: "row spread" }, this.crumbs, el("label", { class: "field" }, "Show", this.filter)), this.frame,
        el("ul", { class: "legend", "aria-label": "Colours" }, ...about.legend.map(/** @param {any} one @param {number} index */ (one, index) => {
          const swatch = el("i", { text: LETTERS[index] });
          swatch.style.setProperty("--swatch", one.colour);
          return el("li", {}, swatch, one.text);
        }))),
      this.card, el("details", { class: "card" }, el("summary", { text: "The same as a table" }), this.grid.element));
    this.element = el("div", { class: "view" }, el("div", { class: "card" }, el("div", { class: "row" }, this.go, this.size),
      this.note), this.shown);
    this.listen();
  }

  listen() {
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", () => { this.hovered = -1; clearTimeout(this.timer); hideHover(); });
    this.canvas.addEventListener("click", (event) => {
      const at = this.icicle.find(event.offsetX, event.offsetY);
      if (at >= 0) this.pick(at, true);
    });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.state.addEventListener("position", () => {
      if (this.busy && this.recorded !== this.key_of()) this.link.ask("stop").catch(complain);
      if (this.isOld()) this.forget();
      if (!this.element.hidden) this.open();
    });
    new ResizeObserver(() => { if (this.tree && !this.element.hidden && Math.abs(this.frame.clientWidth - this.icicle.width) > 2) this.zoom(this.state.place.node); }).observe(this.frame);
  }

  /** Shown now: a link that names a recorded search has it recorded again. */
  open() {
    if (!this.tree && !this.busy && this.state.place.visits !== null && this.state.facts) this.record();
  }

  close() {
    hideHover();
  }

  isOld() {
    return Boolean(this.tree) && this.recorded !== this.key_of();
  }

  key_of() {
    return JSON.stringify([this.state.here, this.state.place.off]);
  }

  forget() {
    this.tree = null;
    this.frame.style.minHeight = "";
    this.shown.hidden = true;
    put(this.card);
  }

  async record() {
    const { nodes, node, visits } = this.state.place;
    this.busy = true;
    this.go.textContent = "Stop";
    this.note.textContent = "Searching…";
    this.analysis.pause();
    try {
      this.recorded = this.key_of();
      const asked = { ...this.state.here, ...this.state.settings, nodes };
      const tree = await this.link.ask("record", asked);
      if (this.recorded !== this.key_of()) return;              // somebody went on in the meantime
      this.tree = tree;
      this.shown.hidden = false;
      const mismatch = visits !== null && visits !== this.tree.visits;
      if (this.tree.best) this.board.arrows([{ uci: this.tree.best, brush: "best" }]);
      this.facts.textContent = this.tree.san ? `${this.tree.san} is best with ${text(this.tree)} at depth ${this.tree.depth}: ${count(this.tree.nodes)} nodes, ${count(this.tree.visits)} visits.`
        + (mismatch ? ` The link is of a search with ${count(visits)} visits: it was made by another build of Barreleye.` : "") : "There is nothing to search here.";
      this.state.set({ visits: this.tree.visits, node: mismatch ? null : node });
      await this.zoom(this.state.place.node);
    } catch (error) {
      complain(error);
    } finally {
      this.busy = false;
      this.go.textContent = "Record a search";
      this.note.textContent = ABOUT;
    }
  }

  /** Show a visit as the whole width. @param {number | null} node */
  async zoom(node) {
    if (!this.tree) return;
    try {
      const width = Math.max(50, Math.floor(this.frame.clientWidth));
      const layout = await this.link.ask("icicle", { node, width, technique: this.filter.value });
      if (layout.collapsed) {
        await this.openUp(/** @type {number} */ (node));
        return;
      }
      this.icicle.show(layout, Boolean(this.filter.value));
      // What is below stays where it is when a part is less deep, and waits until the picture is there.
      this.frame.style.minHeight = `${Math.max(parseFloat(this.frame.style.minHeight) || 0, Math.min(MOST_HEIGHT, layout.rows * ROW))}px`;
      await painted();
      this.state.set({ node });
      const path = [{ node: null, label: "the whole search" }, ...layout.path];
      put(this.crumbs, ...path.map((one, index) => el("li", {}, el("button", { type: "button", text: one.label, "aria-current": index === path.length - 1 ? "true" : null, onclick: () => this.zoom(one.node) }))));
      await this.grid.show(node);
      if (node !== null) this.tell(node);
    } catch (error) {
      complain(error);
    }
  }

  /** What was only counted is searched again, and shown. @param {number} node */
  async openUp(node) {
    this.facts.textContent = "Searching again to see what lies within…";
    await this.link.ask("open", { node });
    this.facts.textContent = "This part was searched again, and here is all of it.";
    await this.zoom(node);
  }

  /** A card for a visit. @param {number} node */
  async tell(node) {
    try {
      const visit = await this.link.ask("visit", { node });
      const buttons = [];
      if (visit.size > 1 && node !== this.state.place.node) {
        buttons.push(el("button", { type: "button", text: visit.collapsed ? "Search again to see inside" : "Zoom in", onclick: () => this.zoom(node) }));
      }
      if (visit.moves.length && !visit.moves.includes("0000")) {
        buttons.push(el("button", { type: "button", text: "Go to this position", onclick: () => this.state.play(...visit.moves) }));
      }
      put(this.card, card(visit, this.state.white, buttons));
      byId("live").textContent = `${visit.title}. ${visit.reason}`;
    } catch (error) {
      complain(error);
    }
  }

  /** @param {number} at @param {boolean} zooms */
  pick(at, zooms) {
    const cell = this.icicle.cells[at];
    if (!cell) return;
    hideHover();
    if (zooms && at > 0 && !Icicle.isStrip(cell)) {
      this.zoom(cell.node);
    } else if (zooms && at === 0) {
      const crumbs = this.crumbs.querySelectorAll("button");
      crumbs[crumbs.length - 2]?.click();
    } else {
      this.icicle.choose(at);
      if (at > 0 || this.state.place.node !== null) this.tell(cell.node);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key.startsWith("Arrow")) this.pick(this.icicle.step(event.key), false);
    else if (event.key === "Enter") this.pick(Math.max(0, this.icicle.chosen), true);
    else if (event.key === "Backspace" || event.key === "Escape") this.pick(0, true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const at = this.icicle.find(event.offsetX, event.offsetY);
    if (at === this.hovered) return;
    this.hovered = at;
    clearTimeout(this.timer);
    hideHover();
    const cell = this.icicle.cells[at];
    if (!cell || Icicle.isStrip(cell) || (at === 0 && this.state.place.node === null)) return;
    this.timer = window.setTimeout(async () => {
      try {
        const visit = await this.link.ask("visit", { node: cell.node });
        if (this.hovered === at) showHover({ x: event.clientX, y: event.clientY }, visit.fen, [], `${visit.title}: ${visit.reason}`, this.state.white);
      } catch (error) {
        complain(error);
      }
    }, HOVER_MS);
  }
}
