/** The view of the engine thinking: the verdict, the chances, the lines, the score by depth, and its settings. */

import { byId, count, el, put } from "./dom.js";
import { graph } from "./graph.js";
import { hideHover, showHover } from "./hover.js";
import { tablesCard } from "./tables.js";
import { moveCount, text, words } from "./score.js";

/** @typedef {import("./analysis.js").Line} Line */

const SAID_EVERY_MS = 5000;
const USUAL_WIDTH = 600;
const LIMITS = [["", "until stopped"], ["time", "seconds"], ["nodes", "nodes"], ["depth", "plies deep"]];
const AMOUNTS = { time: 10, nodes: 1000000, depth: 20 };

/** @typedef {import("./tabs.js").View} View */

/** @implements {View} */
export class LinesView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {(move: string, not: boolean) => void} askWhy
   */
  constructor(state, analysis, askWhy) {
    this.id = "lines";
    this.title = "Analysis";
    this.state = state;
    this.analysis = analysis;
    this.askWhy = askWhy;
    this.said = 0;
    this.score = el("span", { class: "score", text: "…" });
    this.words = el("span", { class: "words" });
    this.facts = el("p", { class: "facts" });
    this.chances = el("div", { class: "chances", role: "img" });
    this.list = el("ol", { class: "lines" });
    this.graph = el("div");
    this.go = el("button", { type: "button", class: "main", onclick: () => analysis.toggle(), title: "Start or stop (l)" });
    this.element = el("div", { class: "view" },
      el("div", { class: "card" }, el("div", { class: "row spread" }, el("div", { class: "verdict" }, this.score, this.words), this.go),
        this.facts, this.chances),
      el("div", { class: "card" }, this.list), tablesCard(state),
      el("div", { class: "card" }, el("h2", { text: "The score by depth" }), this.graph),
      el("div", { class: "card" }, this.form()));
    analysis.addEventListener("change", () => this.draw());
  }

  open() {
    this.draw();                        // now that there is a width to draw in
    this.analysis.resume();
  }

  /** Limits, lines, threads, hash. */
  form() {
    const [kind, amount] = this.state.place.limit.split(" ");
    const kinds = el("select", { "aria-label": "How long to think" }, ...LIMITS.map(([value, name]) => el("option", { value, text: name, selected: value === (kind ?? "") })));
    const much = el("input", { type: "number", min: 1, "aria-label": "How much", value: amount ?? "", hidden: !kind });
    const changeLimit = () => {
      much.hidden = !kinds.value;
      if (kinds.value && !much.value) much.value = String(AMOUNTS[/** @type {keyof typeof AMOUNTS} */ (kinds.value)]);
      this.change({ limit: kinds.value && Number(much.value) > 0 ? `${kinds.value} ${Number(much.value)}` : "" });
    };
    kinds.addEventListener("change", () => { much.value = ""; changeLimit(); });
    much.addEventListener("change", changeLimit);
    /** @param {"lines" | "threads" | "hash"} name @param {string} label @param {number} most */
    const number = (name, label, most) => {
      const field = el("input", { type: "number", min: 1, max: most, value: this.state.place[name] });
      field.addEventListener("change", () => {
        const value = Math.round(Number(field.value));
        if (value >= 1 && value <= most) this.change({ [name]: value });
        field.value = String(this.state.place[name]);
      });
      field.style.width = "5.2em";
      return el("label", { class: "field" }, label, field);
    };
    return el("div", { class: "row" }, el("span", { class: "row" }, el("label", { class: "field" }, "Think", kinds), much),
      number("lines", "Lines", 10), number("threads", "Threads", 512), number("hash", "Hash (MiB)", 4096));
  }

  /** @param {Partial<import("./address.js").Place>} changes */
  change(changes) {
    this.state.set(changes);
    if (this.analysis.runs || this.analysis.lines.size) this.analysis.restart();
  }

  draw() {
    const { analysis } = this;
    const best = analysis.best;
    this.go.textContent = analysis.runs ? "Stop" : "Analyse";
    this.score.textContent = best ? text(best) : this.state.facts?.over ? this.state.facts.result : "…";
    this.words.textContent = best ? words(best) : this.state.facts?.over ?? "";
    const [win, draw, loss] = best?.chances ?? [0, 0, 0];
    this.chances.hidden = !best;
    put(this.chances, ...[["win", win], ["draw", draw], ["loss", loss]].map(([name, part]) => {
      const piece = el("span", { class: name, text: Number(part) >= 70 ? `${Math.round(Number(part) / 10)} %` : "" });
      piece.style.width = `${Number(part) / 10}%`;
      return piece;
    }));
    this.chances.setAttribute("aria-label", `White wins ${Math.round(win / 10)} %, draw ${Math.round(draw / 10)} %, Black wins ${Math.round(loss / 10)} %`);
    const seconds = best ? Math.max(best.ms / 1000, 0.001) : 0;
    const speed = best && best.nodes ? `, ${count(best.nodes / seconds)} a second` : "";
    this.facts.textContent = best ? `depth ${best.depth}, ${count(Math.max(analysis.nodes, best.nodes))} nodes${speed}` : "";
    this.drawLines();
    put(this.graph, graph(analysis.depths, this.graph.clientWidth || USUAL_WIDTH));
    this.say(best);
  }

  drawLines() {
    const lines = [...this.analysis.lines.values()].sort((one, other) => one.line - other.line).slice(0, this.state.place.lines);
    if (this.list.contains(document.activeElement) || this.list.matches(":hover")) {
      // What is under the pointer or has the focus is changed in place, so that it does not slip away.
      if (this.list.children.length === lines.length) {
        lines.forEach((line, index) => this.renew(/** @type {HTMLElement} */ (this.list.children[index]), line));
        return;
      }
    }
    put(this.list, ...lines.map((line) => this.line(line)));
    if (!lines.length) put(this.list, el("li", { class: "note", text: this.state.facts?.over ? "The game is over." : "No line yet." }));
  }

  /** @param {HTMLElement} item @param {Line} line */
  renew(item, line) {
    const fresh = this.line(line);
    if (item.dataset.pv === fresh.dataset.pv) item.querySelector(".score")?.replaceWith(/** @type {Node} */ (fresh.querySelector(".score")));
    else if (!item.contains(document.activeElement) && !item.matches(":active")) item.replaceWith(fresh);
  }

  /** @param {Line} line */
  line(line) {
    const { fen } = this.analysis;
    const moves = el("span", { class: "san" });
    line.san.forEach((san, index) => {
      const counted = moveCount(fen, index);
      if (counted) moves.append(el("span", { class: "count", text: counted }));
      const upTo = line.pv.slice(0, index + 1);
      const button = el("button", { type: "button", text: san, title: "Play up to here", onclick: () => { hideHover(); this.state.play(...upTo); } });
      const show = () => {
        const box = button.getBoundingClientRect();
        showHover({ x: box.right, y: box.bottom }, fen, upTo, `${counted || ""}${san}`, this.state.white);
      };
      for (const name of ["mouseenter", "focus"]) button.addEventListener(name, show);
      for (const name of ["mouseleave", "blur"]) button.addEventListener(name, hideHover);
      moves.append(button);
    });
    const bound = line.bound ? el("small", { text: line.bound === "at least" ? "≥ " : "≤ " }) : null;
    return el("li", { "data-pv": line.pv.join(" ") }, el("span", { class: "score" }, bound, text(line)), moves,
      el("button", { type: "button", class: "link", text: line.line === 1 ? "Why?" : "Why not?", title: line.line === 1 ? "Why this move?" : `Why not ${line.san[0]}?`, onclick: () => this.askWhy(line.pv[0], line.line > 1) }));
  }

  /** Tell those who listen rather than look, not too often. @param {Line | null} best */
  say(best) {
    const now = performance.now();
    if (!best || now - this.said < SAID_EVERY_MS) return;
    this.said = now;
    byId("live").textContent = `${words(best)}, ${text(best)} at depth ${best.depth}: ${best.san.slice(0, 4).join(" ")}`;
  }
}
