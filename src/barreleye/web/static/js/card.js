/** A visit in words: where it is, why it was made, what was decided in it and why it ended. */

import { diagram } from "./diagram.js";
import { count, el } from "./dom.js";

const SHOWN = 8;

/** @param {any[]} events */
function decisions(events) {
  return el("ul", {}, ...events.map((event) => el("li", {}, el("b", { text: event.technique, title: event.step }), " ", event.text)));
}

/**
 * @param {any} visit as the server tells it
 * @param {boolean} whiteBelow
 * @param {HTMLElement[]} buttons
 */
export function card(visit, whiteBelow, buttons) {
  /** @param {string} name @param {string | number} value */
  const fact = (name, value) => el("div", {}, el("dt", { text: name }), el("dd", { text: value }));
  const picture = diagram(visit.fen, [], whiteBelow);
  return el("article", { class: "visit card" }, picture, el("div", {},
    el("h2", { text: visit.title }),
    el("p", { class: "note", text: `${visit.kind}.` }),
    el("p", { class: "said", text: visit.reason }),
    el("dl", {}, fact("value", visit.value), fact("window", `${visit.window[0]} to ${visit.window[1]}`),
      fact("depth", visit.quiescence ? "captures only" : visit.depth), fact("visits within", count(visit.size)),
      fact("iteration", visit.iteration), visit.evaluation ? fact("evaluation", visit.evaluation) : null),
    el("p", { class: "note", text: `Values are for ${visit.turn}, who is to move.` }),
    visit.events.length ? decisions(visit.events.slice(0, SHOWN)) : null,
    visit.events.length > SHOWN ? el("details", {}, el("summary", { text: `${count(visit.events.length - SHOWN + visit.more)} decisions more` }), decisions(visit.events.slice(SHOWN)),
      visit.more ? el("p", { class: "note", text: `and ${count(visit.more)} that are not listed` }) : null) : null,
    el("div", { class: "row" }, ...buttons)));
}
