// What the figures that run in the reader's browser share; figures.js has the figures. Each is a picture until the
// reader presses "Run", and nothing is loaded before.

const PACKAGE = new URL("./playout-games/", import.meta.url).href;
const COLORS = ["#1d72c4", "#d9641e", "#2f9159", "#9a4fc4", "#b8860b", "#7a8794"];
const [WIDTH, HEIGHT, LEFT, BOTTOM] = [640, 240, 44, 34];

/** Return a new element. Attributes are properties of it where it has them. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Return some numbers of simulations up to a last one, in even steps of their logarithm. */
export function budgetsUpTo(last, first = 10, steps = 12) {
  const ratio = last / first;
  return [...new Set(Array.from({ length: steps }, (_, step) => Math.round(first * ratio ** (step / (steps - 1)))))];
}

const written = (number) =>
  Math.abs(number) >= 1000 ? number.toLocaleString("en") : String(Number(number.toPrecision(3)));

/**
 * Return a chart of bars.
 *
 * @param title text above the bars
 * @param rows objects with a label, share (0 to 1), text, and maybe a color (its number) and a mark (a share)
 */
export function bars(title, rows) {
  const lines = rows.map(({ label, share, text, color = 0, mark }) => {
    const track = element("div", { className: "track" });
    track.append(element("i", { style: `width: ${100 * share}%; background: ${COLORS[color]}` }));
    if (mark !== undefined) track.append(element("b", { style: `left: ${100 * mark}%`, title: `${written(mark)}` }));
    return element("tr", {}, element("th", { scope: "row" }, label), element("td", {}, track), element("td", {}, text));
  });
  return element("table", { className: "bars" }, element("caption", {}, title), ...lines);
}

/** Return a dashed line for a chart of lines, at one height. */
export function level(xs, y, color = 5) {
  return { ys: xs.map(() => y), color, dashed: true };
}

/**
 * Return a chart of lines.
 *
 * @param title text above the chart
 * @param xs numbers of the axis below, ascending
 * @param series objects with ys and maybe a name, a color (its number), dashed, and tops: it is bars from ys to tops
 * @param options range of the other axis (low, high), and isLog of the axis below
 */
export function lines(title, xs, series, { low = 0, high = 1, isLog = true } = {}) {
  const scale = isLog ? Math.log : (x) => x;
  const [from, to] = [scale(xs[0]), scale(xs.at(-1))];
  const left = (x) => LEFT + ((WIDTH - LEFT - 16) * (scale(x) - from)) / (to - from || 1);
  const top = (y) => 8 + (HEIGHT - BOTTOM - 8) * (1 - (Math.min(high, Math.max(low, y)) - low) / (high - low));
  const parts = [0, 0.5, 1].map((share) => {
    const y = low + share * (high - low);
    const label = `<text x="${LEFT - 6}" y="${top(y) + 4}" text-anchor="end">${written(y)}</text>`;
    return `<path d="M${LEFT} ${top(y)}H${WIDTH - 16}" class="grid"/>${label}`;
  });
  for (const x of [xs[0], xs[xs.length >> 1], xs.at(-1)]) {
    parts.push(`<text x="${left(x)}" y="${HEIGHT - 14}" text-anchor="middle">${written(x)}</text>`);
  }
  for (const [number, { ys, tops, color = number, dashed }] of series.entries()) {
    const paint = COLORS[color % COLORS.length];
    const points = ys.map((y, at) => `${left(xs[at]).toFixed(1)} ${top(y).toFixed(1)}`);
    const path = tops ? points.map((one, at) => `M${one}V${top(tops[at])}`).join("") : `M${points.join("L")}`;
    parts.push(
      `<path d="${path}" fill="none" stroke="${paint}" stroke-width="2" ${dashed ? 'stroke-dasharray="5 4"' : ""}/>`,
    );
  }
  const keys = series.flatMap(({ name, color }, number) =>
    name ? [element("span", { style: `color: ${COLORS[(color ?? number) % COLORS.length]}` }, `■ ${name} `)] : [],
  );
  const chart = element("div", {});
  chart.innerHTML = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">${parts.join("")}</svg>`;
  return element("div", { className: "lines" }, element("p", {}, title), chart, element("p", {}, ...keys));
}

/** Return when an element no longer shows that it is busy. */
export async function settled(busy) {
  while (busy.hasAttribute("aria-busy")) await new Promise((next) => setTimeout(next, 20));
}

/** What a figure draws on, and how it asks the package. */
class Stage {
  #output = element("div", { className: "output" });
  #key = null;
  #match = null;
  /** True when the reader has moved a slider since the figure began to draw. */
  isStale = false;

  constructor(figure, { sliders = {} }) {
    this.options = figure.dataset;
    this.values = {};
    const still = figure.querySelector("img");
    const inputs = Object.entries(sliders).map(([name, [least, most, value, step]]) =>
      this.#slider(name, least, most, value, step),
    );
    figure.replaceChildren(element("div", { className: "sliders" }, ...inputs), this.#output);
    this.show(still ?? "", "loading …");
  }

  /** Called when a slider has moved. */
  onMove = () => {};

  #slider(name, least, most, value, step) {
    const isLog = step === "log";
    const start = this.options[name] === undefined ? value : Number(this.options[name]);
    const shown = element("output", {}, written(start));
    const place = isLog ? Math.log10 : (one) => one;
    const input = element("input", { type: "range", min: place(least), max: place(most), step: isLog ? 0.05 : step });
    input.value = place(start);
    this.values[name] = start;
    input.addEventListener("input", () => {
      this.values[name] = isLog ? Math.round(Number((10 ** input.value).toPrecision(2))) : Number(input.value);
      shown.textContent = written(this.values[name]);
      this.onMove();
    });
    return element("label", {}, `${name} `, input, shown);
  }

  /** Show texts and elements in place of what the figure has shown. */
  show(...parts) {
    this.#output.replaceChildren(...parts.map((part) => (typeof part === "string" ? element("p", {}, part) : part)));
  }

  /** Load a module of the package, whose worker all figures of the page share. */
  load(file = "index.js") {
    return import(PACKAGE + file);
  }

  /** Return a match: the same one as before if nothing has changed. */
  async match(game, bots, options) {
    const { match } = await this.load();
    const key = JSON.stringify([game, bots, options]);
    if (key !== this.#key) {
      void this.#match?.close();
      this.#match = await match(game, bots, options);
      this.#key = key;
    }
    return this.#match;
  }

  /** Search a position. Without `bots`, all players are persons. */
  async search(game, { position, bots = {}, ...limits }) {
    return (await this.match(game, bots, { position })).analyse({ seed: 1, ...limits });
  }
}

/** Draw a figure now, and again whenever a slider moves. A drawing that is under way ends before the next begins. */
function begin(figure, definition) {
  const stage = new Stage(figure, definition);
  let isDrawing = false;
  stage.onMove = async () => {
    stage.isStale = isDrawing;
    if (isDrawing) return;
    isDrawing = true;
    figure.setAttribute("aria-busy", "true");
    do {
      stage.isStale = false;
      await definition
        .draw(stage, { ...stage.values })
        .catch((error) => stage.show(element("p", { className: "error" }, error.message)));
    } while (stage.isStale);
    figure.removeAttribute("aria-busy");
    isDrawing = false;
  };
  void stage.onMove();
}

/** Give each figure of the page its button. */
export function offer(figures) {
  for (const figure of document.querySelectorAll("figure.living")) {
    const button = element("button", { type: "button" }, "Run");
    button.addEventListener("click", () => begin(figure, figures[figure.dataset.figure]));
    figure.append(button);
  }
}
