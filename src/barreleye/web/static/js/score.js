/** Scores as people read them. All are for White. */

/** @typedef {{cp?: number, mate?: number, bound?: string, chances?: number[]}} Score */

/** @param {Score} score */
export function text(score) {
  if (score.mate !== undefined) return `#${score.mate}`;
  const pawns = (score.cp ?? 0) / 100;
  return (pawns >= 0 ? "+" : "−") + Math.abs(pawns).toFixed(2);
}

/**
 * White's share of the chances, from 0 to 1.
 * @param {Score} score
 */
export function share(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  if (score.chances) return (score.chances[0] + score.chances[1] / 2) / 1000;
  return 0.5;
}

/** @param {Score} score */
export function words(score) {
  if (score.mate !== undefined) {
    return `${score.mate > 0 ? "White" : "Black"} mates in ${Math.abs(score.mate)}`;
  }
  const ahead = Math.abs(share(score) - 0.5);
  if (ahead < 0.12) return "The position is about even";
  const side = share(score) > 0.5 ? "White" : "Black";
  if (ahead < 0.25) return `${side} is slightly better`;
  if (ahead < 0.38) return `${side} is better`;
  return ahead < 0.46 ? `${side} is much better` : `${side} is winning`;
}

/**
 * A line with its move numbers: what to show before each move.
 * @param {string} fen
 * @param {number} index
 */
export function moveCount(fen, index) {
  const [, side, , , , number] = fen.split(" ");
  const plies = index + (side === "b" ? 1 : 0);
  if (plies % 2 === 0) return `${Number(number) + plies / 2}.`;
  return index === 0 ? `${number}…` : "";
}
