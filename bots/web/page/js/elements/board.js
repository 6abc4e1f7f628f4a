// <po-board>: the boards of a position, playable by pointer and by keys, with heat and amounts on the cells.

import { assign, fill, h, isCalm, s } from "../dom.js";
import { markOf, squareOf } from "../picture.js";
import { drawAmounts, drawHeat, drawMarked } from "./overlays.js";

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * @typedef {object} BoardOptions
 * @property {boolean} [canPlay] true if cells with an action can be chosen
 * @property {string | null} [player] the player whose mark a hover shows
 * @property {(name: string) => boolean} [isOpen] true for cells that can be chosen without an action of their own
 * @property {(name: string) => string} [extra] more words about a cell
 */

/** Events: `choose` with `{name, action}` as `detail`. Keys that the board does not use are left to others. */
export class Board extends HTMLElement {
  /** @type {import("../picture.js").Picture | null} */
  picture = null;
  /** @type {BoardOptions} */
  options = {};
  /** @type {string | null} the cell that Tab reaches */
  #current = null;

  constructor() {
    super();
    this.addEventListener("click", (event) => this.#choose(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#setCurrent(cellOf(event.target)));
  }

  /**
   * Show a picture.
   *
   * @param {import("../picture.js").Picture} picture
   * @param {BoardOptions} options
   */
  show(picture, options) {
    const hadFocus = this.contains(document.activeElement);
    const isSame = this.picture?.svg.outerHTML === picture.svg.outerHTML;
    this.picture = picture;
    this.options = options;
    const { svg } = picture;
    const cells = [...svg.querySelectorAll("[data-cell]")];
    const box = svg.viewBox.baseVal;
    this.style.setProperty("--ratio", String((box.width / box.height).toFixed(4)));
    this.classList.toggle("playable", Boolean(options.canPlay));
    if (cells.length) {
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", "Board");
      for (const grid of gridsOf(cells)) groupRows(grid);
    }
    for (const cell of cells) this.#prepare(cell);
    if (!isSame && !isCalm()) svg.classList.add("fresh");
    fill(this, svg);
    const current = this.cell(this.#current ?? "") ?? cells.find((cell) => this.#isChoosable(cell)) ?? cells[0];
    this.#setCurrent(current ?? null);
    if (hadFocus && current) /** @type {SVGElement} */ (current).focus();
  }

  /**
   * @param {string} name
   * @returns {SVGGElement | null}
   */
  cell(name) {
    return this.querySelector(`[data-cell="${CSS.escape(name)}"]`);
  }

  get cells() {
    return [...this.querySelectorAll("[data-cell]")];
  }

  /** Texts of the actions that cells have. */
  get actions() {
    return [...this.querySelectorAll("[data-action]")].map((cell) => cell.getAttribute("data-action") ?? "");
  }

  /**
   * Show shares of visits.
   *
   * @param {Record<string, number> | null} heat name or action of a cell -> share of all, from 0 to 1
   */
  setHeat(heat) {
    drawHeat(this.cells, heat);
    for (const cell of this.cells) {
      const label = this.#label(cell);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    }
  }

  /**
   * Mark cells, such as those of a hint.
   *
   * @param {string[]} names names or actions of cells
   */
  setMarked(names) {
    drawMarked(this.cells, names);
  }

  /**
   * Show amounts as coins on cells.
   *
   * @param {Map<string, number>} amounts
   */
  setAmounts(amounts) {
    for (const cell of drawAmounts(this.cells, amounts)) cell.setAttribute("aria-label", this.#label(cell));
  }

  /**
   * @param {Element} cell
   */
  #prepare(cell) {
    const canChoose = this.#isChoosable(cell);
    assign(cell, { role: "gridcell", tabindex: "-1", "aria-label": this.#label(cell) });
    if (!canChoose) {
      cell.setAttribute("aria-disabled", "true");
      return;
    }
    cell.classList.add("open");
    const seat = this.options.player ? this.picture?.seats.get(this.options.player) : undefined;
    if (!seat?.mark.length || !cell.hasAttribute("data-action")) return;
    const { x, y, side } = squareOf(cell);
    const ghost = markOf(seat);
    assign(ghost, { x: x + side * 0.16, y: y + side * 0.16, width: side * 0.68, height: side * 0.68 });
    ghost.setAttribute("class", "ghost po po-auto");
    cell.append(ghost);
  }

  /**
   * @param {Element} cell
   */
  #isChoosable(cell) {
    if (!this.options.canPlay) return false;
    return cell.hasAttribute("data-action") || Boolean(this.options.isOpen?.(cell.getAttribute("data-cell") ?? ""));
  }

  /**
   * @param {Element} cell
   */
  #label(cell) {
    const name = cell.getAttribute("data-cell") ?? "";
    const place = /^(?:(\w+):)?(\d+),(\d+)$/.exec(name);
    const where = place ? `${place[1] ? `${place[1]} board, ` : ""}row ${place[2]}, column ${place[3]}` : name.replace(/^(\D+)(\d+)$/, "board $1, tile $2");
    const note = cell.querySelector("text[text-anchor=end]")?.textContent;
    const words = [where, this.#owner(cell) ?? "blank", note ? `costs ${note}` : "", this.options.extra?.(name) ?? "", cell.querySelector(".heat text")?.textContent ?? ""];
    return words.filter(Boolean).join(", ");
  }

  /**
   * @param {Element} cell
   */
  #owner(cell) {
    const mark = cell.querySelector(":scope > path, :scope > circle");
    if (!mark) return null;
    const color = /po-[fs]-(\w+)/.exec(mark.getAttribute("class") ?? "")?.[1];
    for (const [player, seat] of this.picture?.seats ?? []) if (seat.color === color) return `marked by ${player}`;
    return "marked";
  }

  /**
   * @param {EventTarget | null} target
   */
  #choose(target) {
    const cell = cellOf(target);
    if (!cell || !this.#isChoosable(cell)) return;
    const detail = { name: cell.getAttribute("data-cell"), action: cell.getAttribute("data-action") };
    this.dispatchEvent(new CustomEvent("choose", { detail }));
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const cell = cellOf(event.target);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(cell);
      return;
    }
    const { cells } = this;
    const arrow = ARROWS[event.key];
    const next = arrow ? nearest(cells, cell, arrow) : event.key === "Home" ? cells[0] : event.key === "End" ? cells.at(-1) : null;
    if (arrow || next) event.preventDefault();
    if (next) /** @type {SVGElement} */ (next).focus();
  }

  /**
   * @param {Element | null} cell
   */
  #setCurrent(cell) {
    if (!cell) return;
    for (const old of this.querySelectorAll("[data-cell][tabindex='0']")) old.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    this.#current = cell.getAttribute("data-cell");
  }
}

/**
 * @param {EventTarget | null} target
 * @returns {Element | null}
 */
export function cellOf(target) {
  return target instanceof Element ? target.closest("[data-cell]") : null;
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
    const board = /^([A-Za-z]+)/.exec(cell.getAttribute("data-cell") ?? "")?.[1] ?? "";
    grids.set(board, [...(grids.get(board) ?? []), cell]);
  }
  return grids;
}

/**
 * Put the cells of a board into rows, as screen readers expect of a grid.
 *
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
function nearest(cells, from, [right, down]) {
  const start = squareOf(from);
  let best = null;
  let least = Infinity;
  for (const cell of cells) {
    const { x, y, side } = squareOf(cell);
    const [dx, dy] = [x + side / 2 - start.x - start.side / 2, y + side / 2 - start.y - start.side / 2];
    const along = dx * right + dy * down;
    if (along < start.side / 4) continue;
    const distance = along + 4 * Math.abs(dx * down + dy * right);
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/** Return a picture for lists and cards, which nobody can play on. */
export function still(/** @type {import("../picture.js").Picture} */ picture) {
  picture.svg.setAttribute("aria-hidden", "true");
  picture.svg.removeAttribute("role");
  return h("div", { class: "still" }, picture.svg);
}

customElements.define("po-board", Board);
