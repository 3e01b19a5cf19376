/** Below the board: the moves played, walking through them, typing moves, what the position is called. */

import { byId, el, put } from "./dom.js";
import { complain } from "./notices.js";

/** @typedef {import("./state.js").State} State */

/**
 * @param {State} state
 * @param {import("./board.js").Board} board
 */
export function playedMoves(state, board) {
  state.addEventListener("position", () => draw(state));
  byId("walk").addEventListener("click", (event) => {
    const where = /** @type {HTMLElement} */ (event.target).dataset.walk;
    if (where) walk(state, board, where);
  });
  const form = /** @type {HTMLFormElement} */ (byId("typed"));
  const field = /** @type {HTMLInputElement} */ (byId("typed-text"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = field.value.trim();
    if (!typed) return;
    try {
      const found = await state.link.ask("typed", { ...state.here, text: typed });
      field.value = "";
      if (found.fen) state.show(found.fen);
      else state.play(found.move);
    } catch (error) {
      complain(error);
      field.select();
    }
  });
}

/**
 * Below the board one can ask why the last move is not the engine's: the question is about the position before it.
 * @param {State} state
 * @param {{on: boolean}} game there is no help while one is on
 * @param {(move: string, not: boolean) => void} askWhy
 */
export function askAboutLast(state, game, askWhy) {
  const button = byId("why-last");
  button.addEventListener("click", async () => {
    const { fen, moves, ply } = state.place;
    await state.show(fen, moves, ply - 1);
    askWhy(moves[ply - 1], true);
  });
  state.addEventListener("position", () => {
    const last = state.facts?.played.at(-1);
    button.hidden = !last || game.on;
    button.textContent = `Why not ${last}?`;
    button.title = "What the engine has against the last move";
  });
}

/**
 * @param {State} state
 * @param {import("./board.js").Board} board
 * @param {string} where
 */
export function walk(state, board, where) {
  if (where === "flip") board.flip();
  else if (where === "first") state.walk(0);
  else if (where === "last") state.walk(state.place.moves.length);
  else state.walk(state.place.ply + (where === "back" ? -1 : 1));
}

/** @param {State} state */
function draw(state) {
  const facts = state.facts;
  if (!facts) return;
  const { ply } = state.place;
  const items = [...facts.played, ...facts.later].map((san, index) => {
    const half = index + (facts.whiteFirst ? 0 : 1);
    const number = facts.firstMove + (half >> 1);
    const counted = half % 2 === 0 ? `${number}.` : index === 0 ? `${number}…` : "";
    return el("li", {}, counted ? el("span", { class: "count", text: counted }) : null,
      el("button", { type: "button", text: san, "aria-current": index + 1 === ply ? "true" : null, onclick: () => state.walk(index + 1) }));
  });
  put(byId("moves"), ...items);
  byId("moves").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
  byId("opening").textContent = facts.opening;
  const turn = facts.turn === "white" ? "White to move" : "Black to move";
  byId("status").textContent = facts.over ? `${facts.over}${facts.result ? ` (${facts.result})` : ""}.` : facts.check ? `${turn}, in check.` : `${turn}.`;
}
