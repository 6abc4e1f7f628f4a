// Gestures on tiles that build a bid: click, wheel, drag of chips, and keys.

import { cellOf } from "../elements/cells.js";
import { h } from "../dom.js";

const TYPING_MS = 1200;
const DRAG_PIXELS = 6;

/**
 * @typedef {object} Bidding
 * @property {() => boolean} isActive
 * @property {(tile: string) => boolean} isOpen
 * @property {() => number} size chips of one click
 * @property {(tile: string) => number} amount
 * @property {(tile: string, count: number) => void} set
 * @property {(tile: string) => void} select
 */

export class ChipGestures {
  #typed = "";
  #typedAt = 0;
  /** @type {string | null} the tile that the digits are for */
  #typedOn = null;
  /** @type {{from: string | null, count: number, x: number, y: number, ghost: HTMLElement | null} | null} */
  #drag = null;
  #hasDragged = false;

  /**
   * @param {HTMLElement} board
   * @param {Bidding} bidding
   */
  constructor(board, bidding) {
    this.board = board;
    this.bidding = bidding;
    board.addEventListener("choose", (event) => this.#click(/** @type {CustomEvent} */ (event).detail.name));
    board.addEventListener("contextmenu", (event) => this.#take(event));
    board.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    board.addEventListener("keydown", (event) => this.#key(event));
    board.addEventListener("focusin", (event) => {
      const tile = cellOf(event.target)?.getAttribute("data-cell");
      if (tile && bidding.isActive()) bidding.select(tile);
    });
    document.addEventListener("pointerdown", (event) => this.#down(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => this.#stop());
  }

  /**
   * @param {string} tile
   */
  #click(tile) {
    if (this.#hasDragged || !this.bidding.isActive()) return;
    this.bidding.set(tile, this.bidding.amount(tile) + this.bidding.size());
  }

  /**
   * Take chips back by the second button of the pointer.
   *
   * @param {Event} event
   */
  #take(event) {
    const tile = cellOf(event.target)?.getAttribute("data-cell");
    if (!tile || !this.bidding.isActive() || !this.bidding.isOpen(tile)) return;
    event.preventDefault();
    this.bidding.set(tile, this.bidding.amount(tile) - this.bidding.size());
  }

  /**
   * @param {WheelEvent} event
   */
  #wheel(event) {
    const tile = cellOf(event.target)?.getAttribute("data-cell");
    if (!tile || event.ctrlKey || !this.bidding.isActive() || !this.bidding.isOpen(tile)) return;
    event.preventDefault();
    this.bidding.set(tile, this.bidding.amount(tile) + (event.deltaY < 0 ? 1 : -1));
  }

  /**
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const tile = cellOf(event.target)?.getAttribute("data-cell");
    if (!tile || event.ctrlKey || event.metaKey || event.altKey || !this.bidding.isActive() || !this.bidding.isOpen(tile)) return;
    const count = this.bidding.amount(tile);
    if (/^\d$/.test(event.key)) {
      const now = Date.now();
      const goesOn = tile === this.#typedOn && now - this.#typedAt < TYPING_MS;
      this.#typed = goesOn ? `${this.#typed}${event.key}`.slice(-3) : event.key;
      [this.#typedAt, this.#typedOn] = [now, tile];
      this.bidding.set(tile, Number(this.#typed));
      event.preventDefault();
      return;
    }
    this.#typedAt = 0;
    if (event.key === "+" || event.key === "=") this.bidding.set(tile, count + this.bidding.size());
    else if (event.key === "-") this.bidding.set(tile, count - this.bidding.size());
    else if (event.key === "Backspace" || event.key === "Delete") this.bidding.set(tile, 0);
    else return;
    event.preventDefault();
  }

  /**
   * Begin to drag chips from the tray, or from a tile to another.
   *
   * @param {PointerEvent} event
   */
  #down(event) {
    this.#hasDragged = false;
    if (!this.bidding.isActive() || event.button !== 0 || !(event.target instanceof Element)) return;
    const tray = event.target.closest("[data-drag]");
    const cell = this.board.contains(event.target) ? cellOf(event.target) : null;
    const from = cell?.getAttribute("data-cell") ?? null;
    const count = tray ? Number(tray.getAttribute("data-drag")) : from && event.pointerType !== "touch" ? this.bidding.amount(from) : 0;
    if (count > 0) this.#drag = { from, count, x: event.clientX, y: event.clientY, ghost: null };
  }

  /**
   * @param {PointerEvent} event
   */
  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PIXELS) return;
      drag.ghost = h("div", { class: "dragged", "aria-hidden": "true" }, drag.count);
      document.body.append(drag.ghost);
    }
    drag.ghost.style.setProperty("--x", `${event.clientX}px`);
    drag.ghost.style.setProperty("--y", `${event.clientY}px`);
  }

  /**
   * @param {PointerEvent} event
   */
  #up(event) {
    const drag = this.#drag;
    this.#stop();
    if (!drag?.ghost) return;
    this.#hasDragged = true;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const tile = under && this.board.contains(under) ? cellOf(under)?.getAttribute("data-cell") ?? null : null;
    if (tile === drag.from || (tile && !this.bidding.isOpen(tile))) return;
    if (drag.from) this.bidding.set(drag.from, 0);
    if (tile) this.bidding.set(tile, this.bidding.amount(tile) + drag.count);
  }

  #stop() {
    this.#drag?.ghost?.remove();
    this.#drag = null;
  }
}
