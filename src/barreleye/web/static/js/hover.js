/** The small board beside the pointer. */

import { diagram } from "./diagram.js";
import { byId, el, put } from "./dom.js";

const GAP = 16;

/**
 * Show a position near a place on the screen.
 * @param {{x: number, y: number}} at
 * @param {string} fen
 * @param {string[]} moves
 * @param {string} words
 * @param {boolean} whiteBelow
 */
export function showHover(at, fen, moves, words, whiteBelow) {
  const box = byId("hover");
  put(box, diagram(fen, moves, whiteBelow), words ? el("p", { text: words }) : null);
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = at.x + GAP + width > innerWidth ? at.x - GAP - width : at.x + GAP;
  box.style.left = `${Math.max(4, left)}px`;
  box.style.top = `${Math.max(4, Math.min(innerHeight - height - 4, at.y + GAP))}px`;
}

export function hideHover() {
  byId("hover").hidden = true;
}
