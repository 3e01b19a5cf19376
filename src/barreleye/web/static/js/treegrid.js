/** The tree as a grid of text: the same visits as the icicle, for the keyboard and for screen readers. */

import { count, el, put } from "./dom.js";
import { complain } from "./notices.js";

/** @typedef {{node: number, name: string, kind: string, depth: number, size: number, value: string, ending: string, inside: boolean}} Row */

export class TreeGrid {
  /**
   * @param {import("./socket.js").Link} link
   * @param {(node: number) => void} onChoose
   */
  constructor(link, onChoose) {
    this.link = link;
    this.onChoose = onChoose;
    this.body = el("tbody");
    this.element = el("div", { class: "scroll" }, el("table", { class: "treegrid", role: "treegrid", "aria-label": "Recorded visits" },
      el("thead", {}, el("tr", {}, el("th", { text: "move" }), el("th", { class: "wide", text: "searched as" }), el("th", { class: "number", text: "depth" }),
        el("th", { class: "number", text: "value" }), el("th", { class: "number", text: "visits" }), el("th", { text: "ended by" }))), this.body));
    this.body.addEventListener("keydown", (event) => this.key(event));
  }

  /** Show what lies within a visit. @param {number | null} node */
  async show(node) {
    try {
      const { rows } = await this.link.ask("rows", { node });
      put(this.body, ...rows.map(/** @param {Row} row */ (row) => this.row(row, 1)));
      const first = this.body.querySelector("tr");
      if (first) first.tabIndex = 0;
    } catch (error) {
      complain(error);
    }
  }

  /** @param {Row} row @param {number} level */
  row(row, level) {
    const twist = el("span", { class: "twist", "aria-hidden": "true", text: row.inside ? "▸" : "" });
    const name = el("td", { role: "gridcell" }, twist, row.name);
    name.style.paddingLeft = `${8 + 16 * (level - 1)}px`;
    const shown = el("tr", { role: "row", "aria-level": level, "aria-expanded": row.inside ? "false" : null, tabindex: -1, "data-node": row.node },
      name, el("td", { role: "gridcell", class: "wide", text: row.kind }), el("td", { role: "gridcell", class: "number", text: row.depth }), el("td", { role: "gridcell", class: "number", text: row.value }),
      el("td", { role: "gridcell", class: "number", text: count(row.size) }), el("td", { role: "gridcell", text: row.ending }));
    shown.addEventListener("click", (event) => {
      if (event.target === twist) this.toggle(shown);
      else this.choose(shown);
    });
    shown.addEventListener("dblclick", () => this.toggle(shown));
    return shown;
  }

  /** @param {HTMLTableRowElement} row */
  choose(row) {
    this.focus(row);
    this.onChoose(Number(row.dataset.node));
  }

  /** @param {Element | null | undefined} row */
  focus(row) {
    if (!(row instanceof HTMLTableRowElement)) return;
    for (const one of this.body.querySelectorAll("tr[tabindex='0']")) /** @type {HTMLElement} */ (one).tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
  }

  /** Show or hide what lies within. @param {HTMLTableRowElement} row */
  async toggle(row) {
    const level = Number(row.ariaLevel);
    const expanded = row.getAttribute("aria-expanded");
    if (expanded === null) return;
    const twist = /** @type {HTMLElement} */ (row.querySelector(".twist"));
    if (expanded === "true") {
      while (row.nextElementSibling && Number(/** @type {HTMLElement} */ (row.nextElementSibling).ariaLevel) > level) row.nextElementSibling.remove();
    } else {
      const { rows } = await this.link.ask("rows", { node: Number(row.dataset.node) }).catch((error) => { complain(error); return { rows: [] }; });
      row.after(...rows.map(/** @param {Row} one */ (one) => this.row(one, level + 1)));
    }
    row.setAttribute("aria-expanded", String(expanded !== "true"));
    twist.textContent = expanded === "true" ? "▸" : "▾";
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest("tr");
    if (!row) return;
    const isOpen = row.getAttribute("aria-expanded");
    if (event.key === "ArrowDown") this.focus(row.nextElementSibling);
    else if (event.key === "ArrowUp") this.focus(row.previousElementSibling);
    else if (event.key === "ArrowRight" && isOpen === "false") this.toggle(row);
    else if (event.key === "ArrowLeft" && isOpen === "true") this.toggle(row);
    else if (event.key === "Enter" || event.key === " ") this.choose(row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
