// What the page draws over the cells of a board: heat, highlights, coins.

import { s } from "../dom.js";
import { groundOf, squareOf } from "../picture.js";
import { nameOf, shapeOf } from "./cells.js";

const LEAST_WORDS = 40;
/** Width of a letter, by the size of the font. */
const LETTER = 0.65;

/**
 * Show shares as squares whose areas are in proportion to them.
 *
 * @param {Element[]} cells
 * @param {Record<string, number> | null} heat name of a cell -> share of all, from 0 to 1
 */
export function drawHeat(cells, heat) {
  const most = Math.max(0, ...Object.values(heat ?? {}));
  for (const cell of cells) {
    cell.querySelector(".heat")?.remove();
    const share = heat?.[nameOf(cell)] ?? 0;
    if (share <= 0) continue;
    const { x, y, side, corner } = squareOf(cell);
    const inner = side * Math.sqrt(share / most);
    const at = (side - inner) / 2;
    const size = Math.min(side * 0.22, 15);
    const words = `${Math.round(share * 100)}%`;
    const isMarked = shapeOf(cell) !== null;
    groundOf(cell).after(s("g", { class: "heat po po-auto", "aria-hidden": "true" }, [
      s("rect", { class: "po-heat", x: x + at, y: y + at, width: inner, height: inner, rx: corner * (inner / side) }),
      side >= LEAST_WORDS && !isMarked && inner >= words.length * size * LETTER
        && s("text", { class: "po-ink", x: x + side / 2, y: y + side / 2 + size * 0.36, "font-size": size,
          "text-anchor": "middle" }, words),
    ]));
  }
}

/**
 * Frame cells.
 *
 * @param {Element[]} cells
 * @param {string[]} names
 */
export function drawMarked(cells, names) {
  for (const cell of cells) {
    cell.querySelector(".marked")?.remove();
    if (!names.includes(nameOf(cell))) continue;
    const { x, y, side, corner } = squareOf(cell);
    cell.append(
      s("rect", { class: "marked", x: x + 1, y: y + 1, width: side - 2, height: side - 2, rx: corner,
        "stroke-width": Math.max(2, side * 0.05) }));
  }
}

/**
 * Show amounts as coins.
 *
 * @param {Element[]} cells
 * @param {Map<string, number>} amounts name of a cell -> amount
 * @returns {Element[]} the cells whose amount is another now
 */
export function drawAmounts(cells, amounts) {
  return cells.filter((cell) => {
    const amount = amounts.get(nameOf(cell)) ?? 0;
    const old = cell.querySelector(".amount");
    if (amount === Number(old?.getAttribute("data-amount") ?? 0)) return false;
    old?.remove();
    if (amount > 0) cell.append(coin(cell, amount));
    return true;
  });
}

/**
 * @param {Element} cell
 * @param {number} amount
 */
function coin(cell, amount) {
  const { x, y, side } = squareOf(cell);
  const size = side * (amount > 99 ? 0.26 : 0.36);
  return s("g", { class: "amount po po-auto", "data-amount": amount, "aria-hidden": "true" }, [
    s("circle", { class: "po-coin po-coinedge", cx: x + side / 2, cy: y + side / 2, r: side * 0.38,
      "stroke-width": side * 0.045 }),
    s("text", { class: "coin-text", x: x + side / 2, y: y + side / 2 + size * 0.36, "font-size": size,
      "text-anchor": "middle" }, amount),
  ]);
}
