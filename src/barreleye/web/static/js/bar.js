/** The evaluation bar beside the board. */

import { byId } from "./dom.js";
import { share, text, words } from "./score.js";

/** @type {Record<string, number>} */
const POINTS = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };

/**
 * @param {import("./score.js").Score | null} score
 * @param {boolean} whiteBelow
 * @param {string} result of a game that is over
 */
export function drawBar(score, whiteBelow, result = "") {
  const bar = byId("bar");
  const part = score ? share(score) : POINTS[result] ?? 0.5;
  const filled = /** @type {HTMLElement} */ (bar.querySelector(".bar-white"));
  filled.style.height = `${Math.round(1000 * Math.max(0.02, Math.min(0.98, part))) / 10}%`;
  bar.classList.toggle("flipped", !whiteBelow);
  bar.classList.toggle("black-ahead", part < 0.5);
  const shown = /** @type {HTMLElement} */ (bar.querySelector(".bar-text"));
  shown.textContent = score ? short(score) : "";
  bar.setAttribute("aria-label", score ? `Evaluation ${text(score)}: ${words(score)}` : result ? `The game is over: ${result}` : "Evaluation: not known yet");
}

/**
 * A score for a narrow place: without its sign, which the side of the bar shows, and with one decimal at most.
 * @param {import("./score.js").Score} score
 */
function short(score) {
  if (score.mate !== undefined) return text(score).replace(/[+−]/, "");
  const pawns = Math.abs(score.cp ?? 0) / 100;
  return pawns.toFixed(pawns < 9.95 ? 1 : 0);
}
