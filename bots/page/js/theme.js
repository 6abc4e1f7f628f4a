// Light or dark: as the system says, or as the reader chooses.

import { button, fill, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { remember, remembered } from "./memory.js";

const KEY = "playout.theme";
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const DARK = "@media(prefers-color-scheme:dark)";

/** @typedef {typeof THEMES[number]} Theme */

const sheet = new CSSStyleSheet();
/** Text of the style sheet of pictures, as the server sends it in them. */
let pictures = "";

/** @returns {Theme} */
function theme() {
  return THEMES.find((one) => one === remembered(KEY)) ?? "auto";
}

/**
 * Use the style sheet of a picture, for all pictures of the page.
 *
 * @param {string} text
 */
export function usePictureStyles(text) {
  if (text === pictures) return;
  pictures = text;
  apply();
}

function apply() {
  const chosen = theme();
  if (chosen === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  // Pictures follow the system; a choice replaces the condition of their dark colors.
  const condition = { auto: DARK, light: "@media not all", dark: "@media all" }[chosen];
  sheet.replaceSync(pictures.replace(DARK, condition));
}

/** Return the switch: system, light, dark. */
export function themeSwitch() {
  const icons = { auto: ICONS.auto, light: ICONS.sun, dark: ICONS.moon };
  const names = { auto: "as the system", light: "light", dark: "dark" };
  const shown = button("", () => {
    remember(KEY, THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
    apply();
    label();
  }, { class: "quiet", id: "theme" });
  const label = () => {
    fill(shown, icon(icons[theme()]));
    shown.setAttribute("aria-label", `Colors: ${names[theme()]}`);
    shown.title = `Colors: ${names[theme()]}`;
  };
  label();
  return shown;
}

export function startTheme() {
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  apply();
}
