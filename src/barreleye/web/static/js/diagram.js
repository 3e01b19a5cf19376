/** Small boards for looking at: a FEN, moves from there, drawn as SVG. It knows how men move, not what is legal. */

import { svg } from "./dom.js";

/**
 * The men of a FEN by square.
 * @param {string} fen
 * @returns {Map<string, string>}
 */
export function men(fen) {
  const found = new Map();
  fen.split(" ")[0].split("/").forEach((row, number) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else found.set("abcdefgh"[file++] + (8 - number), letter);
    }
  });
  return found;
}

/**
 * Play a move in UCI notation; castling is known by the king's two steps or by his taking his own rook.
 * @param {Map<string, string>} board
 * @param {string} move
 */
export function push(board, move) {
  const [from, to, promoted] = [move.slice(0, 2), move.slice(2, 4), move.slice(4)];
  const man = board.get(from);
  if (!man) return;
  const taken = board.get(to);
  board.delete(from);
  if (man.toLowerCase() === "k" && taken && (taken < "a") === (man < "a")) {
    const isShort = to > from;
    board.delete(to);
    board.set((isShort ? "g" : "c") + from[1], man);
    board.set((isShort ? "f" : "d") + from[1], taken);
    return;
  }
  if (man.toLowerCase() === "k" && Math.abs(from.charCodeAt(0) - to.charCodeAt(0)) === 2) {
    const [rook, side] = to[0] === "g" ? ["h", "f"] : ["a", "d"];
    const tower = board.get(rook + from[1]);
    board.delete(rook + from[1]);
    if (tower) board.set(side + from[1], tower);
  }
  if (man.toLowerCase() === "p" && from[0] !== to[0] && !taken) board.delete(to[0] + from[1]);
  board.set(to, promoted ? (man < "a" ? promoted.toUpperCase() : promoted) : man);
}

/**
 * A board as SVG.
 * @param {string} fen
 * @param {string[]} [moves] played from there, the last one is marked
 * @param {boolean} [whiteBelow]
 */
export function diagram(fen, moves = [], whiteBelow = true) {
  const board = men(fen);
  for (const move of moves) push(board, move);
  const last = moves.at(-1);
  const drawn = svg("svg", { class: "mini", viewBox: "0 0 8 8", role: "img", "aria-label": `Board: ${fen.split(" ")[0]}` });
  drawn.append(svg("rect", { class: "light", width: 8, height: 8 }));
  for (let index = 0; index < 64; index++) {
    const [file, row] = [index % 8, index >> 3];
    if ((file + row) % 2) drawn.append(svg("rect", { class: "dark", x: file, y: row, width: 1, height: 1 }));
  }
  /** @param {string} square */
  const corner = (square) => {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    return whiteBelow ? { x: file, y: 7 - rank } : { x: 7 - file, y: rank };
  };
  for (const square of last && last !== "0000" ? [last.slice(0, 2), last.slice(2, 4)] : []) {
    drawn.append(svg("rect", { class: "touched", ...corner(square), width: 1, height: 1 }));
  }
  for (const [square, man] of board) {
    const side = man < "a" ? "w" : "b";
    drawn.append(svg("image", { href: `pieces/${side}${man.toLowerCase()}.svg`, ...corner(square), width: 1, height: 1 }));
  }
  return drawn;
}
