/** The view of settings, which this browser remembers; and what can be taken away from the page. */

import { el, put } from "./dom.js";
import { complain } from "./notices.js";

/** @typedef {import("./tabs.js").View} View */

const THEMES = [["", "as set in your system"], ["light", "light"], ["dark", "dark"]];

/**
 * What was remembered.
 * @param {string} name
 */
export function remembered(name) {
  try {
    return localStorage.getItem(`barreleye-${name}`) ?? "";
  } catch {
    return "";                  // a browser that keeps nothing
  }
}

/** @param {string} name @param {string} value */
function remember(name, value) {
  try {
    localStorage.setItem(`barreleye-${name}`, value);
  } catch {
    // It holds for this visit only.
  }
}

/** @param {string} theme */
export function wear(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

/** @implements {View} */
export class SettingsView {
  /**
   * @param {import("./state.js").State} state
   * @param {any} about
   */
  constructor(state, about) {
    this.id = "settings";
    this.title = "Settings";
    this.state = state;
    const theme = el("select", { onchange: () => { remember("theme", theme.value); wear(theme.value); } }, ...THEMES.map(([value, text]) => el("option", { value, text, selected: value === remembered("theme") })));
    this.path = el("input", { value: remembered("tables"), placeholder: "/home/you/syzygy", spellcheck: "false", onchange: () => this.look() });
    this.found = el("p", { class: "note", "aria-live": "polite" });
    this.saved = el("p", { class: "note", "aria-live": "polite" });
    const fen = el("input", { readonly: true, "aria-label": "The position as FEN" });
    state.addEventListener("position", () => { fen.value = state.facts?.fen ?? ""; });
    fen.value = state.facts?.fen ?? "";
    this.element = el("div", { class: "view" },
      el("div", { class: "card" }, el("h2", { text: "Look" }), el("label", { class: "field" }, "Colours", theme)),
      el("div", { class: "card" }, el("h2", { text: "Endgame tables" }), el("label", { class: "field" }, "Folder with Syzygy files", this.path), this.found),
      el("div", { class: "card" }, el("h2", { text: "Take it with you" }), fen, el("div", { class: "row" }, el("button", { type: "button", text: "Copy the link", onclick: () => this.copy() }),
        el("button", { type: "button", text: "Save as one HTML file", onclick: () => this.save() })), this.saved),
      el("div", { class: "card" }, el("h2", { text: "About" }), el("p", { text: `Barreleye ${about.version}, a chess engine you can see into. Free software under the GPL, version 3 or later; the board is lichess's chessground.` }),
        el("p", { class: "note", text: "Keys: arrows walk through the moves, f turns the board, l starts and stops the engine, space plays its move, / goes to the field for moves." })));
  }

  open() {
    this.look();
  }

  async look() {
    remember("tables", this.path.value.trim());
    try {
      const { men } = await this.state.link.ask("tables", { path: this.path.value.trim() });
      this.found.textContent = men ? `Tables for up to ${men} men.` : "No tables found. With some, positions with few men show which moves win, draw and lose.";
      this.state.dispatchEvent(new Event("tables"));
    } catch (error) {
      complain(error);
    }
  }

  copy() {
    if (!navigator.clipboard) {                 // browsers have none for pages of other machines
      this.saved.textContent = "This browser does not let the page copy: take the link from the address bar.";
      return;
    }
    navigator.clipboard.writeText(location.href).then(() => { this.saved.textContent = "The link is copied."; }, complain);
  }

  async save() {
    this.saved.textContent = "Searching and writing…";
    try {
      const { html } = await this.state.link.ask("export", { ...this.state.here, ...this.state.settings, nodes: this.state.place.nodes });
      const address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
      const link = el("a", { href: address, download: "barreleye.html" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10000);
      this.saved.textContent = "Saved: the board, what the engine thinks and why, and the tree of its search.";
    } catch (error) {
      put(this.saved);
      complain(error);
    }
  }
}
