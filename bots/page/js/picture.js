// Pictures of positions, which the server draws: read, cut to the boards, and players taken out of them.

import { assign, s } from "./dom.js";
import { usePictureStyles } from "./theme.js";
import { saidPlayer } from "./words.js";

/**
 * @typedef {object} SeatPicture
 * @property {Element[]} mark shapes of the mark
 * @property {string} detail such as `3 coins`
 * @property {string} badge such as `tiebreaker`
 * @property {string} note such as `bid 2`
 * @property {string} color name of the color of the mark
 * @property {number} coins discs in the picture
 */

/**
 * @typedef {object} Picture
 * @property {SVGSVGElement} svg the boards alone, where there are boards
 * @property {string} heading
 * @property {Map<string, SeatPicture>} seats
 */

const parser = new DOMParser();
/** Stands for a position that a spectator does not see before the end. */
const SECRET =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300">'
  + "<title>: The position is hidden until the match is over</title></svg>";

/**
 * Read a picture. Its style sheet becomes one of the page.
 *
 * @param {string | null} text null: a secret position
 * @returns {Picture}
 */
export function readPicture(text) {
  // The policy of the page forbids style sheets in its text, also in parts that come to it later.
  const bare = (text ?? SECRET).replace(/<style>([^<]*)<\/style>/, (_, styles) => {
    usePictureStyles(styles);
    return "";
  });
  const parsed = parser.parseFromString(bare, "image/svg+xml").documentElement;
  const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.importNode(parsed, true)));
  for (const name of ["width", "height", "font-family"]) svg.removeAttribute(name);
  const seats = new Map([...svg.querySelectorAll("[data-seat]")].map(
    (group) => [group.getAttribute("data-seat") ?? "", readSeat(group)]));
  const title = svg.querySelector(":scope > title");
  let heading = title?.textContent?.replace(/^[^:]*:\s*|; view of [^;]*$/g, "") ?? "";
  for (const player of seats.keys()) heading = heading.replaceAll(player, saidPlayer(player));
  if (svg.querySelector("[data-cell]")) {
    title?.remove(); // the tooltip of the whole picture would cover those of the cells
    for (const part of svg.querySelectorAll(
      ":scope > .po-paper, :scope > [data-seat], :scope > text.po-ink, :scope > desc")) part.remove();
    crop(svg);
  }
  return { svg, heading, seats };
}

/**
 * @param {Element} group
 * @returns {SeatPicture}
 */
function readSeat(group) {
  const shapes = [...group.children];
  const mark = shapes.filter((shape) => shape.matches("path, circle:not(.po-coin), rect[class*='po-f-']"));
  const texts = shapes.filter((shape) => shape.matches("text"));
  const muted = texts.filter((text) => text.matches(".po-muted"));
  const badge = texts.find((text) => text.matches("[text-anchor=middle]"));
  const classes = mark[0]?.getAttribute("class") ?? "";
  return {
    mark,
    detail: muted.find((text) => !text.hasAttribute("text-anchor"))?.textContent ?? "",
    note: muted.find((text) => text.getAttribute("text-anchor") === "end")?.textContent ?? "",
    badge: badge?.textContent ?? "",
    color: /po-[fs]-(\w+)/.exec(classes)?.[1] ?? "gray",
    coins: shapes.filter((shape) => shape.matches(".po-coin")).length,
  };
}

/**
 * Cut a picture to what is left in it. All shapes have plain coordinates, so no layout is needed.
 *
 * @param {SVGSVGElement} svg
 */
function crop(svg) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  /** @type {(x0: number, y0: number, x1: number, y1: number) => void} */
  const grow = (x0, y0, x1, y1) => {
    [left, top, right, bottom] = [Math.min(left, x0), Math.min(top, y0), Math.max(right, x1), Math.max(bottom, y1)];
  };
  for (const shape of svg.querySelectorAll("rect, text, path, circle")) {
    const [x, y] = [numberOf(shape, "x"), numberOf(shape, "y")];
    if (shape.matches("circle")) {
      const [cx, cy, r] = ["cx", "cy", "r"].map((name) => numberOf(shape, name));
      grow(cx - r, cy - r, cx + r, cy + r);
    } else if (shape.matches("path"))
      for (const [px, py] of pathPoints(shape.getAttribute("d") ?? "")) grow(px, py, px, py);
    else if (shape.matches("rect")) grow(x, y, x + numberOf(shape, "width"), y + numberOf(shape, "height"));
    else {
      const size = numberOf(shape, "font-size");
      const wide = (shape.textContent ?? "").length * size * 0.6;
      const start = { middle: x - wide / 2, end: x - wide }[shape.getAttribute("text-anchor") ?? ""] ?? x;
      grow(start, y - size, start + wide, y);
    }
  }
  const margin = 4;
  const size = [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin];
  svg.setAttribute("viewBox", size.map((value) => value.toFixed(1)).join(" "));
}

/**
 * @param {Element} shape
 * @param {string} name
 */
function numberOf(shape, name) {
  return Number(shape.getAttribute(name) ?? 0);
}

/**
 * Return the shape that is the ground of a cell: a square, or a hexagon.
 *
 * @param {Element} cell
 */
export function groundOf(cell) {
  return /** @type {Element} */ (cell.querySelector(":scope > rect, :scope > path"));
}

/**
 * Return the square of a cell; for a hexagon or a line, the one around its middle.
 *
 * @param {Element} cell
 * @returns {{x: number, y: number, side: number, corner: number}}
 */
export function squareOf(cell) {
  const ground = groundOf(cell);
  if (ground.matches("rect")) {
    const [wide, high] = [numberOf(ground, "width"), numberOf(ground, "height")];
    const side = Math.min(wide, high);
    return { x: numberOf(ground, "x") + (wide - side) / 2, y: numberOf(ground, "y") + (high - side) / 2, side,
      corner: numberOf(ground, "rx") };
  }
  const { left, top, wide, high } = boxOf(ground);
  const side = wide * 0.8;
  return { x: left + (wide - side) / 2, y: top + (high - side) / 2, side, corner: side * 0.13 };
}

/**
 * Return the box around a path.
 *
 * @param {Element} path
 */
function boxOf(path) {
  const points = pathPoints(path.getAttribute("d") ?? "");
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { left, top, wide: Math.max(...xs) - left, high: Math.max(...ys) - top };
}

/**
 * Return the mark of a player as a small picture.
 *
 * @param {SeatPicture | undefined} seat
 * @returns {SVGElement}
 */
export function markOf(seat) {
  const small = s("svg", { class: "po po-auto seat-mark", "aria-hidden": "true", viewBox: "0 0 24 24" });
  for (const shape of seat?.mark ?? []) small.append(shape.cloneNode(true));
  const box = seat?.mark.length ? around(seat.mark) : null;
  if (box) assign(small, { viewBox: box });
  return small;
}

/**
 * Return a view box around the shapes of a mark.
 *
 * @param {Element[]} shapes
 */
function around(shapes) {
  const circle = shapes.find((shape) => shape.matches("circle"));
  if (circle) {
    const half = numberOf(circle, "r") * 1.35;
    return [numberOf(circle, "cx") - half, numberOf(circle, "cy") - half, 2 * half, 2 * half].join(" ");
  }
  const rect = shapes.find((shape) => shape.matches("rect"));
  // A path begins at a corner of the mark, and its letters stand before absolute coordinates.
  const { left, top, wide, high } = rect
    ? { left: numberOf(rect, "x"), top: numberOf(rect, "y"), wide: numberOf(rect, "width"),
      high: numberOf(rect, "height") } : boxOf(shapes[0]);
  const side = Math.max(wide, high) * 1.3;
  return [left - (side - wide) / 2, top - (side - high) / 2, side, side].join(" ");
}

/**
 * @param {string} data
 * @returns {[number, number][]}
 */
function pathPoints(data) {
  /** @type {[number, number][]} */
  const points = [];
  let at = /** @type {[number, number]} */ ([0, 0]);
  for (const [, letter, rest] of data.matchAll(/([MLH])([^A-Z]*)/gi)) {
    const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    at = letter === "H" ? [numbers[0], at[1]] : [numbers[0], numbers[1]];
    points.push(at);
  }
  return points;
}
