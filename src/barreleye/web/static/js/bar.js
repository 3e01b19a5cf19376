/** The evaluation bar beside the board. */

import { byId } from "./dom.js";
import { share, text, words } from "./score.js";

/**
 * @param {import("./score.js").Score | null} score
 * @param {boolean} whiteBelow
 */
export function drawBar(score, whiteBelow) {
  const bar = byId("bar");
  const part = score ? share(score) : 0.5;
  const filled = /** @type {HTMLElement} */ (bar.querySelector(".bar-white"));
  filled.style.height = `${Math.round(1000 * Math.max(0.02, Math.min(0.98, part))) / 10}%`;
  bar.classList.toggle("flipped", !whiteBelow);
  bar.classList.toggle("black-ahead", part < 0.5);
  const shown = /** @type {HTMLElement} */ (bar.querySelector(".bar-text"));
  shown.textContent = score ? text(score).replace(/^[+−]/, "").replace(/(\d\d)\.\d+$/, "$1").replace(/(\d\.\d)\d$/, "$1") : "";
  bar.setAttribute("aria-label", score ? `Evaluation ${text(score)}: ${words(score)}` : "Evaluation: not known yet");
}
