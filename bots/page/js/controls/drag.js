// Drag and drop on a board: where a piece is taken is the first click of an action, and where it is dropped the next
// one.

import { s } from "../dom.js";
import { cellOf, nameOf, shapesOf } from "../elements/cells.js";

const LEAST_PIXELS = 6;

/** A piece that is held by a pointer: a mouse, a finger or a pen. */
export class Drag {
  /** @type {Element | null} the cell where the piece was taken */
  #from = null;
  #start = { x: 0, y: 0 };
  #listening = new AbortController();
  /** @type {SVGElement | null} the piece under the pointer */
  #piece = null;
  /** True until the click is over that follows a drop. */
  #isOver = false;

  /**
   * @param {import("../elements/board.js").Board} board
   * @param {(cell: Element) => void} pick clicks a cell
   */
  constructor(board, pick) {
    this.board = board;
    this.pick = pick;
    board.addEventListener("pointerdown", (event) => {
      const cell = cellOf(event.target);
      if (!cell?.matches(".movable") || !event.isPrimary || event.button !== 0) return;
      this.#end();
      [this.#from, this.#start, this.#listening] = [
        cell, { x: event.clientX, y: event.clientY }, new AbortController()];
      const { signal } = this.#listening; // on the document, as the pointer may leave the board
      document.addEventListener("pointermove", (moved) => this.#move(moved), { signal });
      document.addEventListener("pointerup", (dropped) => this.#drop(dropped), { signal });
      document.addEventListener("pointercancel", () => this.#end(), { signal });
    });
    board.addEventListener("click", (event) => this.#isOver && event.stopImmediatePropagation(), { capture: true });
    // A finger that drags a piece does not scroll. `touch-action` has no effect inside of pictures.
    board.addEventListener("touchmove", (event) => this.#from && event.preventDefault(), { passive: false });
  }

  /** @param {PointerEvent} event */
  #move({ clientX, clientY }) {
    const from = /** @type {Element} */ (this.#from);
    const [right, down] = [clientX - this.#start.x, clientY - this.#start.y];
    const { svg } = /** @type {import("../picture.js").Picture} */ (this.board.picture);
    if (!this.#piece) {
      if (Math.hypot(right, down) < LEAST_PIXELS) return;
      if (this.board.picked.at(-1) !== nameOf(from)) this.pick(from);
      this.#piece = s("g", { class: "held", "aria-hidden": "true" },
        shapesOf(from).map((shape) => shape.cloneNode(true)));
      from.classList.add("taken");
      svg.append(this.#piece);
    }
    const scale = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
    this.#piece.setAttribute("transform", `translate(${right * scale} ${down * scale})`);
    const at = this.#cellAt(clientX, clientY);
    for (const cell of this.board.cells) cell.classList.toggle("over", cell === at);
  }

  /** @param {PointerEvent} event */
  #drop({ clientX, clientY }) {
    const [from, isHeld] = [this.#from, this.#piece !== null];
    this.#end();
    if (!isHeld) return;
    this.#isOver = true;
    setTimeout(() => void (this.#isOver = false));
    const cell = this.#cellAt(clientX, clientY);
    if (cell?.matches(".target")) this.pick(cell);
    else if (cell !== from) this.board.clear();
  }

  #end() {
    this.#listening.abort();
    for (const cell of this.board.cells) cell.classList.remove("over", "taken");
    this.#piece?.remove();
    [this.#from, this.#piece] = [null, null];
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #cellAt(x, y) {
    const cell = cellOf(document.elementFromPoint(x, y));
    return cell && this.board.contains(cell) ? cell : null;
  }
}
