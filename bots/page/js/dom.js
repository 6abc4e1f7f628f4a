// Builds elements. The policy of the page forbids inline scripts and styles, so nothing here writes markup as text.

import { ICONS } from "./icons.js";

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

const SAID_MS = 10000;
const SVG = "http://www.w3.org/2000/svg";

/**
 * Return a new element.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [props] attributes; `on...` are listeners, `class` and booleans as in HTML; null is left
 *   out
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  assign(element, props);
  element.append(...nodes(children));
  return element;
}

/**
 * Return a new SVG element.
 *
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {Child[]} children
 * @returns {SVGElement}
 */
export function s(tag, props = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  assign(element, props);
  element.append(...nodes(children));
  return element;
}

/**
 * Set attributes, listeners and custom properties of an element.
 *
 * @param {Element} element
 * @param {Record<string, any>} props
 */
export function assign(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) /** @type {HTMLElement} */ (element).style.setProperty(name, String(value));
    else if (name === "value" && "value" in element) element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Replace the children of an element.
 *
 * @param {Element} element
 * @param {Child[]} children
 */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (Array.isArray(child)) return nodes(child);
    if (child === null || child === undefined || child === false || child === "") return [];
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * Return a button.
 *
 * @param {Child} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, any>} [props]
 */
export function button(label, onclick, props = {}) {
  return h("button", { type: "button", class: "button", onclick, ...props }, label);
}

/**
 * Return a choice of one of some words, side by side.
 *
 * @template {string} T
 * @param {string} label of the choice
 * @param {string} name of its inputs
 * @param {[T, string][]} words pairs of value and word
 * @param {T} chosen
 * @param {(value: T) => void} choose called with another value
 */
export function segments(label, name, words, chosen, choose) {
  return h("div", { class: "segments", role: "radiogroup", "aria-label": label },
    words.map(([value, word]) => h("label", {}, [
    h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => choose(value) }),
    h("span", {}, word),
  ])));
}

/**
 * Return an icon of the set in `icons.js`, hidden from screen readers.
 *
 * @param {string} path data of an SVG path in a square of 24
 */
export function icon(path) {
  return s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, s("path", { d: path }));
}

/**
 * Call a function once an element is on the screen, or nearly.
 *
 * @param {Element} element
 * @param {() => void} act
 */
export function whenSeen(element, act) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    act();
  }, { rootMargin: "50px" });
  observer.observe(element);
}

/**
 * Say a text to screen readers, after those that they still say.
 *
 * @param {string} text
 */
export function say(text) {
  const said = h("p", {}, text);
  document.getElementById("said")?.append(said);
  setTimeout(() => said.remove(), SAID_MS);
}

/** Return true if the reader asks for less motion. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Show a dialog, and remove it when it is closed.
 *
 * @param {string} title
 * @param {Child[]} content
 * @param {Record<string, any>} [props]
 * @returns {HTMLDialogElement}
 */
export function showDialog(title, content, props = {}) {
  const close = button(icon("M6 6l12 12M18 6L6 18"), () => dialog.close(),
    { class: "quiet close", "aria-label": "Close" });
  const dialog = h("dialog", { "aria-labelledby": "dialog-title", ...props }, [
    h("div", { class: "dialog-head" }, h("h2", { id: "dialog-title" }, title), close),
    h("div", { class: "dialog-body" }, content),
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Ask before something that cannot be taken back.
 *
 * @param {string} title
 * @param {string} text
 * @param {string} no the word for leaving all as it is
 * @param {string} yes
 * @param {string} id of the button with that word
 * @param {() => void} act
 */
export function askBefore(title, text, no, yes, id, act) {
  const done = () => {
    dialog.close();
    act();
  };
  const buttons = h("div", { class: "row end-row" }, button(no, () => dialog.close()),
    button(yes, done, { class: "button danger", id }));
  const dialog = showDialog(title, [h("p", {}, text), buttons]);
}

/**
 * Do something, and show why it failed.
 *
 * @param {() => any} act
 */
export async function attempt(act) {
  try {
    await act();
  } catch (error) {
    toast(/** @type {Error} */ (error).message, { isError: true });
  }
}

/**
 * Return links to the views above this one.
 *
 * @param {string} here
 * @param {[string, string][]} above address and text
 */
export function crumbs(here, above = [["#/", "Games"]]) {
  return h("nav", { class: "crumbs", "aria-label": "Path" }, [
    above.map(([address, text]) => [h("a", { href: address }, text), h("span", { "aria-hidden": "true" }, "/")]),
    h("span", { "aria-current": "page" }, here),
  ]);
}

/**
 * Show a message for some seconds, at the lower edge of the window. It is gone in the next view, unless it is for that.
 *
 * @param {string} text
 * @param {{isError?: boolean, isForNext?: boolean}} [options]
 */
export function toast(text, { isError = false, isForNext = false } = {}) {
  document.querySelector(".toast")?.remove();
  const shown = h("div", { class: `toast${isError ? " error" : ""}`, role: isError ? "alert" : "status",
    "data-next": isForNext }, text);
  (document.querySelector("dialog[open]") ?? document.body).append(shown);
  setTimeout(() => shown.remove(), isError ? 7000 : 3500);
}

/** Remove what the view that is left has put over the page. */
export function clearNotices() {
  for (const dialog of document.querySelectorAll("dialog[open]")) /** @type {HTMLDialogElement} */ (dialog).close();
  const shown = document.querySelector(".toast");
  if (shown?.hasAttribute("data-next")) shown.removeAttribute("data-next");
  else shown?.remove();
}

/**
 * Return a button with which a person chooses a file.
 *
 * @param {string} id of the input
 * @param {string} accept the types of files
 * @param {(file: File) => void} take
 */
export function fileChooser(id, accept, take) {
  const input = h("input", { type: "file", accept, id, class: "unseen", onchange: () => {
    const file = input.files?.[0];
    input.value = "";
    if (file) take(file);
  } });
  return [h("label", { class: "button", for: id }, icon(ICONS.up), "Choose a file"), input];
}
