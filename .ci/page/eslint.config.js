// Rules for the modules of the page. `make page-lint` copies this file beside the installed tools.

import js from "@eslint/js";

const GLOBALS = `
  AbortController Blob CSS CSSStyleSheet CompressionStream CustomEvent DOMParser DecompressionStream Element Event EventTarget File HTMLElement HTMLInputElement IntersectionObserver KeyboardEvent
  MessageEvent MouseEvent Node Response SVGElement TextDecoder URL URLSearchParams WebSocket addEventListener atob btoa clearInterval clearTimeout customElements
  document fetch history localStorage location matchMedia navigator performance queueMicrotask scrollTo setInterval setTimeout
`;

export default [
  js.configs.recommended,
  {
    languageOptions: {
      globals: Object.fromEntries(GLOBALS.trim().split(/\s+/).map((name) => [name, "readonly"])),
    },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", 310],
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
