/** What endgame tables know of the position on the board: every move with its result. */

import { el, put } from "./dom.js";
import { complain } from "./notices.js";
import { remembered } from "./settings.js";

/** @param {import("./state.js").State} state */
export function tablesCard(state) {
  const list = el("div", { class: "scroll" });
  const card = el("div", { class: "card", hidden: true }, el("h2", { text: "What endgame tables know" }), list);
  let turn = 0;
  const look = async () => {
    const mine = ++turn;
    card.hidden = true;
    if (!state.facts || state.facts.men > 7 || state.facts.over) return;
    try {
      const { moves } = await state.link.ask("tables", { ...state.here, path: remembered("tables") });
      if (mine !== turn || !moves.length) return;
      put(list, el("table", {}, el("thead", {}, el("tr", {}, el("th", { text: "move" }), el("th", { text: "result" }), el("th", { class: "number", text: "plies to the next capture or pawn move" }))),
        el("tbody", {}, ...moves.map(/** @param {any} one */ (one) => el("tr", {}, el("td", {}, el("button", { type: "button", class: "link", text: one.san, onclick: () => state.play(one.uci) })), el("td", { text: one.verdict }), el("td", { class: "number", text: one.dtz ? Math.abs(one.dtz) : "–" }))))));
      card.hidden = false;
    } catch (error) {
      complain(error);
    }
  };
  state.addEventListener("position", look);
  state.addEventListener("tables", look);
  return card;
}
