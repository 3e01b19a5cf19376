/** The icicle on a canvas: cells as the server laid them out, drawn sharp, found again under the pointer. */

/** @typedef {{node: number, x: number, width: number, row: number, colour: number, flags: number}} Cell */
/** @typedef {{name: string, colour: string, text: string}} Colour */

export const ROW = 24;
const CELL_BYTES = 12;
const FINE = 16;
const NARROWEST_LABEL = 18;
const [COLLAPSED, STRIP, HAS_TECHNIQUE] = [1, 2, 4];
/** What is written on a rectangle that is too narrow for its move: how the visit ended. */
export const LETTERS = ["=", "+", "−", "T", "E", "C", "·"];

export class Icicle {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Colour[]} colours
   */
  constructor(canvas, colours) {
    this.canvas = canvas;
    this.colours = colours.map(({ colour }) => colour);
    /** @type {Cell[]} */
    this.cells = [];
    /** @type {Map<number, string>} */
    this.labels = new Map();
    this.rows = 1;
    this.width = 1;
    this.isFiltered = false;
    this.chosen = -1;
    this.ink = "";
  }

  /**
   * Take what the server laid out.
   * @param {{cells: ArrayBuffer, labels: [number, string][], rows: number, width: number}} layout
   * @param {boolean} isFiltered
   */
  show(layout, isFiltered) {
    const data = new DataView(layout.cells);
    this.cells = [];
    for (let at = 0; at < data.byteLength; at += CELL_BYTES) {
      this.cells.push({
        node: data.getUint32(at, true), x: data.getUint16(at + 4, true) / FINE, width: data.getUint16(at + 6, true) / FINE,
        row: data.getUint8(at + 8), colour: data.getUint8(at + 9), flags: data.getUint16(at + 10, true),
      });
    }
    this.labels = new Map(layout.labels);
    this.rows = layout.rows;
    this.width = layout.width;
    this.isFiltered = isFiltered;
    this.chosen = -1;
    this.draw();
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const height = this.rows * ROW;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${this.width}px`;
    this.canvas.style.height = `${height}px`;
    const brush = this.canvas.getContext("2d");
    if (!brush) return;
    brush.scale(ratio, ratio);
    this.ink = getComputedStyle(this.canvas).color;
    brush.font = "12px system-ui, sans-serif";
    brush.textBaseline = "middle";
    this.cells.forEach((cell, index) => this.drawCell(brush, cell, index));
  }

  /** @param {CanvasRenderingContext2D} brush @param {Cell} cell @param {number} index */
  drawCell(brush, cell, index) {
    const y = cell.row * ROW;
    const width = Math.max(0.6, cell.width - (cell.width > 3 ? 1 : 0.25));
    const isDim = this.isFiltered && !(cell.flags & HAS_TECHNIQUE);
    brush.globalAlpha = isDim ? 0.16 : cell.flags & STRIP ? 0.38 : 1;
    brush.fillStyle = this.colours[cell.colour];
    brush.fillRect(cell.x, y, width, ROW - 2);
    if (cell.flags & COLLAPSED && cell.width > 5) {
      brush.fillStyle = "#12222e";
      brush.globalAlpha = isDim ? 0.2 : 0.55;
      brush.fillRect(cell.x, y + ROW - 5, width, 2);
    }
    brush.globalAlpha = isDim ? 0.55 : 1;
    brush.fillStyle = isDim ? this.ink : "#12222e";
    const label = this.labels.get(index);
    if (label && cell.width > NARROWEST_LABEL && brush.measureText(label).width + 8 < cell.width) brush.fillText(label, cell.x + 4, y + ROW / 2 - 1);
    else if (cell.width > 13 && !(cell.flags & STRIP)) brush.fillText(LETTERS[cell.colour] ?? "", cell.x + cell.width / 2 - 4, y + ROW / 2 - 1);
    if (index === this.chosen) {
      brush.globalAlpha = 1;
      brush.strokeStyle = this.ink;
      brush.lineWidth = 2;
      brush.strokeRect(cell.x + 1, y + 1, Math.max(2, width - 2), ROW - 4);
    }
  }

  /**
   * The cell at a place of the canvas, -1 for none.
   * @param {number} x
   * @param {number} y
   */
  find(x, y) {
    const row = Math.floor(y / ROW);
    return this.cells.findIndex((cell) => cell.row === row && x >= cell.x && x < cell.x + cell.width);
  }

  /** @param {number} index */
  choose(index) {
    this.chosen = index;
    this.draw();
  }

  /**
   * The next cell in a direction, from the chosen one.
   * @param {string} key
   */
  step(key) {
    const from = this.cells[this.chosen] ?? this.cells[0];
    const middle = from.x + from.width / 2;
    /** @param {Cell} cell */
    const near = (cell) => Math.abs(cell.x + cell.width / 2 - middle);
    const rest = this.cells.map((cell, index) => ({ cell, index })).filter(({ cell, index }) => index !== this.chosen && (
      key === "ArrowDown" ? cell.row === from.row + 1 && cell.x < from.x + from.width && cell.x + cell.width > from.x
        : key === "ArrowUp" ? cell.row === from.row - 1 && cell.x <= middle && cell.x + cell.width >= middle
          : cell.row === from.row && (key === "ArrowLeft" ? cell.x < from.x : cell.x > from.x)));
    rest.sort((one, other) => (key === "ArrowDown" ? other.cell.width - one.cell.width : near(one.cell) - near(other.cell)));
    return rest[0]?.index ?? this.chosen;
  }

  /** @param {Cell} cell */
  static isStrip(cell) {
    return Boolean(cell.flags & STRIP);
  }
}
