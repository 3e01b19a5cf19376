/** The state of the page in its address, so that a link shows the same again. */

/**
 * @typedef {object} Place
 * @property {string} fen empty for the start of a game
 * @property {string[]} moves
 * @property {number} ply how many of the moves are on the board
 * @property {string} view
 * @property {string} limit "" or "time 5", "nodes 200000", "depth 20"
 * @property {number} lines
 * @property {number} threads
 * @property {number} hash
 * @property {string[]} off techniques that are switched off
 * @property {number} nodes of the recorded search
 * @property {number | null} node the visit that the tree shows
 * @property {number | null} visits how many the recorded search had, to see whether it is the same
 */

/** @type {Place} */
export const DEFAULTS = {
  fen: "", moves: [], ply: 0, view: "lines", limit: "", lines: 3, threads: 1, hash: 64, off: [], nodes: 200000, node: null, visits: null,
};
const LISTS = new Set(["moves", "off"]);
const NUMBERS = new Set(["ply", "lines", "threads", "hash", "nodes", "node", "visits"]);
/** What a link may ask for. */
const LEAST_MOST = { ply: [0, 2000], lines: [1, 10], threads: [1, 512], hash: [1, 4096], nodes: [1000, 20000000], node: [0, 1e15], visits: [0, 1e15] };

/**
 * What an address says; what it does not say, or says wrongly, is as by default.
 * @param {string} hash
 * @returns {Place}
 */
export function read(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const found = /** @type {any} */ ({ ...DEFAULTS });
  for (const [name, text] of said) {
    if (!(name in DEFAULTS)) continue;
    if (LISTS.has(name)) {
      found[name] = text.split(",").filter(Boolean).slice(0, 2000);
    } else if (NUMBERS.has(name)) {
      const [least, most] = LEAST_MOST[/** @type {keyof typeof LEAST_MOST} */ (name)];
      const number = Number(text);
      if (Number.isInteger(number) && number >= least && number <= most) found[name] = number;
    } else {
      found[name] = text.slice(0, 120);
    }
  }
  if (!said.has("ply")) found.ply = found.moves.length;
  found.ply = Math.min(found.ply, found.moves.length);
  return found;
}

/**
 * The address of a state: what is as by default is left out.
 * @param {Place} place
 * @returns {string}
 */
export function write(place) {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) {
    const standard = /** @type {any} */ (DEFAULTS)[name];
    if (name === "ply" ? value === place.moves.length : String(value ?? "") === String(standard ?? "")) continue;
    said.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = said.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
  return text ? `#${text}` : " ";
}
