/** The views and their tabs. Only the one that is chosen is shown, and only it works. */

import { byId, el } from "./dom.js";

/**
 * @typedef {object} View
 * @property {string} id
 * @property {string} title
 * @property {HTMLElement} element
 * @property {() => void} [open] it is shown now
 * @property {() => void} [close] it is shown no more
 */

export class Tabs {
  /**
   * @param {import("./state.js").State} state
   * @param {View[]} views
   */
  constructor(state, views) {
    this.state = state;
    this.views = views;
    /** @type {View | null} */
    this.shown = null;
    const list = byId("tabs");
    for (const view of views) {
      view.element.id = `view-${view.id}`;
      view.element.hidden = true;
      view.element.setAttribute("role", "tabpanel");
      view.element.setAttribute("aria-labelledby", `tab-${view.id}`);
      byId("views").append(view.element);
      list.append(el("button", { type: "button", role: "tab", id: `tab-${view.id}`, "aria-controls": `view-${view.id}`, "aria-selected": "false", tabindex: -1, text: view.title, onclick: () => this.choose(view.id) }));
    }
    list.addEventListener("keydown", (event) => this.key(event));
    state.addEventListener("settings", () => { if (state.place.view !== this.shown?.id) this.show(state.place.view); });
    this.show(state.place.view);
  }

  /** @param {string} id */
  choose(id) {
    this.show(id);
    this.state.set({ view: this.shown?.id ?? "lines" });
  }

  /** @param {string} id */
  show(id) {
    const wanted = this.views.find((view) => view.id === id) ?? this.views[0];
    if (wanted === this.shown) return;
    this.shown?.close?.();
    this.shown = wanted;
    for (const view of this.views) {
      const isShown = view === wanted;
      view.element.hidden = !isShown;
      const tab = byId(`tab-${view.id}`);
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      if (isShown) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    wanted.open?.();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (!(event.key in steps) || !this.shown) return;
    event.preventDefault();
    event.stopPropagation();
    const at = this.views.indexOf(this.shown) + steps[/** @type {keyof typeof steps} */ (event.key)];
    const next = this.views[(at + this.views.length) % this.views.length];
    this.choose(next.id);
    byId(`tab-${next.id}`).focus();
  }
}
