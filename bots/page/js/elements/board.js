// <po-board>: the boards of a position, playable by pointer and by keys, with heat and amounts on the cells.

import { ClickPath } from "../controls/clicks.js";
import { assign, fill, h, isCalm, say } from "../dom.js";
import { groundOf, markOf, squareOf } from "../picture.js";
import { plural, saidPlayer } from "../words.js";
import { cellOf, groupCells, nameOf, nearest, nextOpen, placeOf, shapeOf } from "./cells.js";
import { drawAmounts, drawHeat, drawMarked } from "./overlays.js";

const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * @typedef {object} BoardOptions
 * @property {boolean} [canPlay] true if cells can be chosen
 * @property {string | null} [player] the player whose mark a hover shows
 * @property {import("../types.js").Clicks} [clicks] what the player can choose
 * @property {(name: string) => boolean} [isOpen] true for cells that can be chosen without an action of their own
 * @property {(name: string) => string} [extra] more words about a cell
 */

/**
 * Events: `choose` with `{name, actions}` as `detail`: the cell, null where clicks are taken back, and the actions that
 * the clicks
 * so far complete. Keys that the board does not use are left to others.
 */
export class Board extends HTMLElement {
  /** @type {import("../picture.js").Picture | null} */
  picture = null;
  /** @type {BoardOptions} */
  options = {};
  /** @type {string | null} the cell that Tab reaches */
  #current = null;
  #path = new ClickPath({});
  /** @type {Promise<any> | null} loaded when something can be dragged */
  drag = null;

  constructor() {
    super();
    this.addEventListener("click", (event) => this.#choose(event.target));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#setCurrent(cellOf(event.target)));
    for (const kind of ["pointerover", "focusin"])
      this.addEventListener(kind, (event) => this.#light(cellOf(event.target)));
    for (const kind of ["pointerleave", "focusout"]) this.addEventListener(kind, () => this.#light(null));
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
    const clicks = options.canPlay ? options.clicks ?? {} : {};
    if (JSON.stringify(clicks) !== JSON.stringify(this.options.canPlay ? this.options.clicks ?? {} : {}))
      this.#path = new ClickPath(clicks);
    this.options = options;
    const { svg } = picture;
    const cells = [...svg.querySelectorAll("[data-cell]")];
    const box = svg.viewBox.baseVal;
    this.style.setProperty("--ratio", String((box.width / box.height).toFixed(4)));
    this.classList.toggle("playable", Boolean(options.canPlay));
    if (cells.length) {
      svg.setAttribute("role", "group");
      svg.setAttribute("aria-label", "Board");
      groupCells(cells);
    }
    for (const cell of cells) {
      assign(cell, { role: "gridcell", tabindex: "-1" });
      groundOf(cell).classList.add("ground");
    }
    if (!isSame && !isCalm()) svg.classList.add("fresh");
    fill(this, svg);
    this.#showPath();
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

  /** True if further clicks on cells lead to an action. */
  get goesOn() {
    return this.#path.next.length > 0;
  }

  /** Cells that are clicked already on the way to an action. */
  get picked() {
    return this.#path.picked;
  }

  /** Take all clicks back. */
  clear() {
    this.#path.picked = [];
    this.#showPath();
    this.#tell(null, []);
  }

  /**
   * Show shares of visits.
   *
   * @param {Record<string, number> | null} heat name of a cell -> share of all, from 0 to 1
   */
  setHeat(heat) {
    drawHeat(this.cells, heat);
    for (const cell of this.cells) this.#say(cell);
  }

  /** @param {string[]} names of cells to mark, such as those of a hint */
  setMarked(names) {
    drawMarked(this.cells, names);
  }

  /**
   * Show amounts as coins on cells.
   *
   * @param {Map<string, number>} amounts
   */
  setAmounts(amounts) {
    for (const cell of drawAmounts(this.cells, amounts)) this.#say(cell);
  }

  /** Show which cells are clicked and which can be, in looks and in words. */
  #showPath() {
    const { next, picked, movable } = this.#path;
    const targets = new Set(next.flat());
    if (movable.size)
      this.drag ??= import("../controls/drag.js").then(({ Drag }) => new Drag(this, (cell) => this.#choose(cell)));
    for (const cell of this.cells) {
      const name = nameOf(cell);
      const isOpen = this.#isOpen(name) || targets.has(name);
      cell.classList.toggle("open", isOpen);
      cell.classList.toggle("picked", picked.includes(name));
      cell.classList.toggle("target", picked.length > 0 && targets.has(name));
      cell.classList.toggle("movable", movable.has(name) && shapeOf(cell) !== null);
      if (isOpen || this.#path.choosable.has(name)) cell.removeAttribute("aria-disabled");
      else cell.setAttribute("aria-disabled", "true");
      cell.querySelector(".ghost")?.remove();
      if (isOpen && !picked.length && next.some((group) => group.length === 1 && group[0] === name))
        this.#addGhost(cell);
      this.#say(cell);
    }
    this.classList.toggle("few", 2 * this.querySelectorAll(".open").length < this.cells.length);
  }

  /**
   * Show the mark of the player on a blank cell that one click marks.
   *
   * @param {Element} cell
   */
  #addGhost(cell) {
    const seat = this.options.player ? this.picture?.seats.get(this.options.player) : undefined;
    if (!seat?.mark.length || shapeOf(cell)) return;
    const { x, y, side } = squareOf(cell);
    const ghost = markOf(seat);
    assign(ghost, { x: x + side * 0.16, y: y + side * 0.16, width: side * 0.68, height: side * 0.68 });
    ghost.setAttribute("class", "ghost po po-auto");
    cell.append(ghost);
  }

  /**
   * Light the cells that mean the same click as one of them, such as those of a column.
   *
   * @param {Element | null} at
   */
  #light(at) {
    const name = at ? nameOf(at) : "";
    const lit = new Set(this.#path.next.filter((group) => group.length > 1 && group.includes(name)).flat());
    for (const cell of this.cells) cell.classList.toggle("lit", lit.has(nameOf(cell)));
  }

  /**
   * @param {string} name of a cell
   */
  #isOpen(name) {
    return Boolean(this.options.canPlay && this.options.isOpen?.(name));
  }

  /**
   * @param {Element} cell
   */
  #isChoosable(cell) {
    return cell.getAttribute("aria-disabled") !== "true";
  }

  /**
   * @param {Element} cell
   */
  #say(cell) {
    const label = this.#label(cell);
    if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
  }

  /**
   * @param {Element} cell
   */
  #label(cell) {
    const name = nameOf(cell);
    const note = cell.querySelector("text[text-anchor=end]")?.textContent;
    const words = [placeOf(cell), this.#owner(cell) ?? "blank", note ? `costs ${note}` : "",
      this.options.extra?.(name) ?? "", cell.matches(".picked") ? "picked" : cell.matches(".target") ? "target" : "",
      cell.querySelector(".heat text")?.textContent ?? ""];
    return words.filter(Boolean).join(", ");
  }

  /**
   * @param {Element} cell
   */
  #owner(cell) {
    const mark = shapeOf(cell);
    if (!mark) return null;
    const color = /po-[fs]-(\w+)/.exec(mark.getAttribute("class") ?? "")?.[1];
    for (const [player, seat] of this.picture?.seats ?? [])
      if (seat.color === color) return `marked by ${saidPlayer(player)}`;
    return cell.getAttribute("data-piece") || mark.textContent || "marked";
  }

  /**
   * @param {EventTarget | null} target
   */
  #choose(target) {
    const cell = cellOf(target);
    if (!cell || !this.#isChoosable(cell)) return;
    const name = nameOf(cell);
    const actions = this.#path.pick(name);
    this.#showPath();
    this.#light(null);
    if (this.picked.length && !actions.length)
      say(`${placeOf(cell)} is picked. ${plural(new Set(this.#path.next.flat()).size, "target")}.`);
    this.#tell(name, actions);
  }

  /**
   * @param {string | null} name
   * @param {string[]} actions
   */
  #tell(name, actions) {
    this.dispatchEvent(new CustomEvent("choose", { detail: { name, actions } }));
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
    if (event.key === "Escape" && this.picked.length) {
      event.preventDefault();
      this.clear();
      say("Nothing is picked.");
      return;
    }
    const { cells } = this;
    const arrow = ARROWS[event.key];
    const jump = { PageUp: -1, PageDown: 1 }[event.key];
    const next = arrow ? nearest(cells, cell, arrow) : jump ? nextOpen(cells, cell, jump) : event.key === "Home"
      ? cells[0] : event.key === "End" ? cells.at(-1) : null;
    if (arrow || jump || next) event.preventDefault();
    if (next) /** @type {SVGElement} */ (next).focus();
  }

  /**
   * @param {Element | null} cell
   */
  #setCurrent(cell) {
    if (!cell) return;
    for (const old of this.querySelectorAll("[data-cell][tabindex='0']")) old.setAttribute("tabindex", "-1");
    cell.setAttribute("tabindex", "0");
    this.#current = nameOf(cell);
  }
}

/** Return a picture for lists and cards, which nobody can play on. */
export function still(/** @type {import("../picture.js").Picture} */ picture) {
  picture.svg.setAttribute("aria-hidden", "true");
  picture.svg.removeAttribute("role");
  return h("div", { class: "still" }, picture.svg);
}

customElements.define("po-board", Board);
