/** The view of the techniques: what each does in the search that runs, its switch, and the same search without it. */

import { diagram } from "./diagram.js";
import { count, el, put } from "./dom.js";
import { complain } from "./notices.js";
import { text } from "./score.js";

/** @typedef {{name: string, item: string, text: string, on: boolean}} Technique */

/** @typedef {import("./tabs.js").View} View */

/** @implements {View} */
export class TechniquesView {
  /**
   * @param {import("./state.js").State} state
   * @param {import("./analysis.js").Analysis} analysis
   * @param {any} about
   */
  constructor(state, analysis, about) {
    this.id = "techniques";
    this.title = "Techniques";
    this.state = state;
    this.analysis = analysis;
    /** @type {Technique[]} */
    this.techniques = about.techniques;
    /** @type {Map<string, {row: HTMLElement, box: HTMLInputElement, tried: HTMLElement, worked: HTMLElement, meter: HTMLElement}>} */
    this.rows = new Map();
    this.summary = el("p", { class: "facts" });
    this.result = el("div", { class: "view" });
    this.choice = el("select", { "aria-label": "Technique to do without" }, ...this.techniques.map(({ name }) => el("option", { value: name, text: name, selected: name === "Null Move" })));
    this.compare = el("button", { type: "button", class: "main", text: "Compare", onclick: () => this.runComparison() });
    this.element = el("div", { class: "view" },
      el("div", { class: "card" }, el("h2", { text: "The same search with and without" }),
        el("div", { class: "row" }, el("label", { class: "field" }, "Without", this.choice), this.compare), this.result),
      el("div", { class: "card" }, el("div", { class: "row spread" }, el("h2", { text: "What every technique does" }),
        el("button", { type: "button", text: "All on", onclick: () => this.change([]) })), this.summary, this.table()));
    analysis.addEventListener("change", () => { if (!this.element.hidden) this.draw(); });
    state.addEventListener("settings", () => this.drawSwitches());
  }

  open() {
    this.state.link.ask("watch", { counters: true }).then(({ counters }) => { this.analysis.counters = counters; this.draw(); }).catch(complain);
    this.drawSwitches();
  }

  close() {
    this.state.link.ask("watch", { counters: false }).catch(complain);
  }

  table() {
    const groups = new Map();
    for (const one of this.techniques) groups.set(one.item, [...(groups.get(one.item) ?? []), one]);
    const bodies = [...groups].map(([item, techniques]) => el("tbody", {},
      el("tr", { class: "group" }, el("th", { colspan: 4, scope: "rowgroup", text: item[0].toUpperCase() + item.slice(1) })),
      ...techniques.map(/** @param {Technique} one */ (one) => this.row(one))));
    return el("div", { class: "scroll" }, el("table", { class: "techniques" }, el("thead", {}, el("tr", {}, el("th", { text: "technique" }),
      el("th", { class: "number wide", text: "tried" }), el("th", { class: "number", text: "worked" }), el("th", { class: "wide", text: "share" }))), ...bodies));
  }

  /** @param {Technique} one */
  row(one) {
    const box = el("input", { type: "checkbox", onchange: () => this.change(box.checked ? this.state.place.off.filter((name) => name !== one.name) : [...this.state.place.off, one.name]) });
    box.disabled = !one.on;
    const [tried, worked, meter] = [el("td", { class: "number wide" }), el("td", { class: "number" }), el("i")];
    const row = el("tr", {}, el("td", {}, el("label", {}, box, el("span", {}, one.name, el("small", { text: one.on ? one.text : `${one.text} (off by default)` })))), tried, worked,
      el("td", { class: "wide" }, el("span", { class: "meter" }, meter)));
    this.rows.set(one.name, { row, box, tried, worked, meter });
    return row;
  }

  /** @param {string[]} off */
  change(off) {
    this.state.set({ off });
    this.analysis.restart();
  }

  drawSwitches() {
    for (const [name, { row, box }] of this.rows) {
      box.checked = !box.disabled && !this.state.place.off.includes(name);
      row.classList.toggle("off", !box.checked);
    }
  }

  draw() {
    const { counters } = this.analysis;
    if (!counters) return;
    const { nodes, quiescence, probes, hits, cutoffs, firstMove } = counters;
    this.summary.textContent = nodes ? `${count(nodes)} nodes, ${percent(quiescence, nodes)} of them in quiescence; the table answered ${percent(hits, probes)} of ${count(probes)} questions; `
      + `${percent(firstMove, cutoffs)} of the cutoffs came with the first move.` : "Nothing has been searched yet.";
    for (const [name, [tried, worked]] of Object.entries(counters.techniques)) {
      const cells = this.rows.get(name);
      if (!cells) continue;
      cells.tried.textContent = tried ? count(tried) : "–";
      cells.worked.textContent = worked ? count(worked) : "–";
      cells.meter.style.width = `${tried ? Math.min(100, (100 * worked) / tried) : 0}%`;
    }
  }

  async runComparison() {
    this.compare.disabled = true;
    put(this.result, el("p", { class: "note", text: "Searching twice…" }));
    this.analysis.pause();
    try {
      const found = await this.state.link.ask("compare", { ...this.state.here, ...this.state.settings, without: [this.choice.value], nodes: 100000 });
      put(this.result, ...this.told(found));
    } catch (error) {
      put(this.result);
      complain(error);
    } finally {
      this.compare.disabled = false;
    }
  }

  /** @param {any} found */
  told(found) {
    const names = ["With everything", `Without ${found.off.join(", ")}`];
    const sides = found.sides.map(/** @param {any} side @param {number} index */ (side, index) => el("div", {}, el("h3", { text: names[index] }),
      el("p", { class: "big", text: `${side.best} ${text(side)}` }), el("p", { class: "note", text: `depth ${side.depth}, ${count(side.nodes)} nodes` }), el("p", { text: side.pv.join(" ") })));
    const parting = found.parting;
    return [el("div", { class: "versus" }, ...sides), el("p", { class: "said", text: found.text }),
      parting ? el("div", { class: "visit" }, diagram(parting.fen, [], this.state.white), el("div", {}, el("h3", { text: "Here they part" }), el("p", { text: parting.title }),
        parting.moves.length && !parting.moves.includes("0000") ? el("button", { type: "button", text: "Go to this position", onclick: () => this.state.play(...parting.moves) }) : null)) : null];
  }
}

/** @param {number} part @param {number} whole */
function percent(part, whole) {
  return whole ? `${Math.round((100 * part) / whole)} %` : "0 %";
}
