// Cells of a board: their names, places and marks.

import { s } from "../dom.js";
import { squareOf } from "../picture.js";

const SHAPES = ["[class*='po-f-']", "[class*='po-s-']", "text[text-anchor=middle]"].map((shape) => `:scope > ${shape}`)
  .join();

/**
 * @param {Element} cell
 */
export function nameOf(cell) {
  return cell.getAttribute("data-cell") ?? "";
}

/**
 * @param {EventTarget | null} target
 * @returns {Element | null}
 */
export function cellOf(target) {
  return target instanceof Element ? target.closest("[data-cell]") : null;
}

/**
 * Return the mark on a cell, or its text; null for a blank one.
 *
 * @param {Element} cell
 */
export function shapeOf(cell) {
  return cell.querySelector(SHAPES);
}

/**
 * Return all shapes of the mark on a cell, without frames around it.
 *
 * @param {Element} cell
 */
export function shapesOf(cell) {
  return [...cell.querySelectorAll(`${SHAPES}, :scope > circle, :scope > .po-paper`)].filter(
    (shape) => !shape.matches("rect[fill=none]"));
}

/**
 * Put the cells of each board into rows, as screen readers expect of a grid.
 *
 * @param {Element[]} cells
 */
export function groupCells(cells) {
  for (const grid of gridsOf(cells)) groupRows(grid);
}

/**
 * Return the notation of a cell, or its place in words where its board has none.
 *
 * @param {Element} cell
 */
export function placeOf(cell) {
  const written = cell.getAttribute("data-place");
  if (written) return written;
  const name = nameOf(cell);
  const place = /^(?:(\w+):)?(\d+),(\d+)$/.exec(name);
  if (place) return `${place[1] ? `${place[1]} board, ` : ""}row ${place[2]}, column ${place[3]}`;
  return name.replace(/^([A-Z]+)(\d+)$/, "board $1, tile $2");
}

/**
 * Return the cells board by board. Names such as `A1` and `tic:1,1` begin with their board.
 *
 * @param {Element[]} cells
 */
function gridsOf(cells) {
  /** @type {Map<string, Element[]>} */
  const grids = new Map();
  for (const cell of cells) {
    const board = /^(?:([A-Z])\d|(\w+):)/.exec(nameOf(cell))?.slice(1).join("") ?? "";
    grids.set(board, [...(grids.get(board) ?? []), cell]);
  }
  return grids;
}

/**
 * @param {[string, Element[]]} grid
 */
function groupRows([name, cells]) {
  const group = s("g", { role: "grid", "aria-label": name ? `Board ${name}` : "Board" });
  cells[0].before(group);
  /** @type {Map<number, SVGElement>} */
  const rows = new Map();
  for (const cell of cells) {
    const { y } = squareOf(cell);
    let row = rows.get(y);
    if (!row) {
      row = s("g", { role: "row" });
      rows.set(y, row);
      group.append(row);
    }
    row.append(cell);
  }
}

/**
 * Return the nearest cell in a direction, such that lines count more than distance.
 *
 * @param {Element[]} cells
 * @param {Element} from
 * @param {[number, number]} direction
 */
export function nearest(cells, from, [right, down]) {
  const start = squareOf(from);
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const { x, y, side } = squareOf(cell);
    const [dx, dy] = [x + side / 2 - start.x - start.side / 2, y + side / 2 - start.y - start.side / 2];
    const along = dx * right + dy * down;
    if (along < start.side / 4) continue;
    const distance = along ** 2 + 6 * (dx * down + dy * right) ** 2; // rows of hexagons are half a cell apart
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/**
 * Return the next cell that can be chosen; after the last one, the first.
 *
 * @param {Element[]} cells
 * @param {Element} from
 * @param {number} step 1, or -1 for the one before
 */
export function nextOpen(cells, from, step) {
  const open = cells.filter((cell) => cell === from || cell.matches(".open"));
  return open.at((open.indexOf(from) + step) % open.length) ?? null;
}
