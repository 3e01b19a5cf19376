/** What went wrong, in a sentence on the page. */

import { byId, el } from "./dom.js";
import { Stopped } from "./socket.js";

const SHOWN_MS = 9000;

/**
 * Show a sentence for a while. The same sentence is not shown twice at once.
 * @param {string} text
 */
export function notice(text) {
  const where = byId("notices");
  if ([...where.children].some((one) => one.firstChild?.textContent === text)) return;
  const shown = el("div", { class: "notice" }, el("span", { text }),
    el("button", { type: "button", class: "link", text: "close", onclick: () => shown.remove() }));
  where.append(shown);
  setTimeout(() => shown.remove(), SHOWN_MS);
}

/**
 * For promises whose failure has no other place to be told. What was stopped needs no words.
 * @param {unknown} error
 */
export function complain(error) {
  if (error instanceof Stopped) return;
  notice(error instanceof Error ? error.message : String(error));
}
