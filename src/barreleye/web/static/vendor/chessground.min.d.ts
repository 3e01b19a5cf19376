// The types of chessground.min.js are those of its source.
export { Chessground } from "./source/chessground.js";
