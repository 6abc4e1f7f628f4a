"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const viewer = find("viewer");
  document.body.classList.add("script");
  if (!viewer) return;

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // -- boards

  // Players named after a colour have this colour; each of the others has its own.
  const COLOURS = new Map([["blue", 0], ["red", 1], ["green", 2], ["purple", 3]]);
  const colourOf = (player) => `p${COLOURS.get(data.players[player]) ?? player % 4}`;

  const parser = new DOMParser();
  const drawBoard = (game, step) => {
    const board = find("board");
    board.replaceChildren();
    if (!game.frames.length) return;
    const text = game.frames[step].map((line) => data.lines[line]).join("\n");
    const picture = document.importNode(parser.parseFromString(text, "image/svg+xml").documentElement, true);
    board.append(picture);
    viewer.classList.toggle("wide", picture.viewBox.baseVal.width > 420);
  };

  // -- one game

  let game = null;
  let step = 0;
  let timer = 0;

  const stop = () => {
    clearInterval(timer);
    timer = 0;
    find("play").classList.remove("playing");
    find("play").setAttribute("aria-label", "Play");
  };

  const show = (wanted) => {
    const last = game.frames.length - 1;
    step = Math.max(0, Math.min(last, wanted));
    drawBoard(game, step);
    find("slider").value = step;
    find("first").disabled = find("back").disabled = step === 0;
    find("last").disabled = find("next").disabled = step === last;
    if (step === last && timer) stop();
    const who = step ? game.deciders[step - 1].map((player) => data.players[player]).join(" and ") : "";
    find("now").textContent = step ? `Step ${step} of ${last}: ${who}: ${game.steps[step - 1]}` : `Before the first of ${last} steps`;
    [...find("steps").children].forEach((item, index) => {
      const button = item.firstChild;
      if (index === step - 1) {
        button.setAttribute("aria-current", "step");
        const list = find("steps");
        if (item.offsetTop < list.scrollTop || item.offsetTop + item.offsetHeight > list.scrollTop + list.clientHeight) {
          list.scrollTop = item.offsetTop - list.clientHeight / 2;
        }
      } else button.removeAttribute("aria-current");
    });
  };

  const endOf = (of) => {
    const parts = of.failures.map((failure) => {
      const who = failure.player === null ? "An unknown player" : data.players[failure.player];
      return `${who} failed (${failure.kind}): ${failure.message}.`;
    });
    if (of.error) parts.push(`The rest cannot be shown: ${of.error}.`);
    if (of.returns === null) parts.push("The game counts for nobody.");
    return parts.join(" ");
  };

  const open = (index, wanted, focus) => {
    stop();
    game = data.games[index];
    viewer.hidden = false;
    find("which").textContent = `Game ${game.number}`;
    find("seated").replaceChildren(...game.seats.map((bot, player) => {
      const item = make("li", colourOf(player));
      item.append(make("i", "", data.players[player]), make("span", "", data.bots[bot]));
      if (game.returns) item.append(make("em", "", game.returns[player]));
      return item;
    }));
    find("steps").replaceChildren(...game.steps.map((text, at) => {
      const deciders = game.deciders[at];
      const button = make("button", deciders.length === 1 ? colourOf(deciders[0]) : "", text);
      button.type = "button";
      button.addEventListener("click", () => { stop(); show(at + 1); });
      const item = make("li");
      item.append(button);
      return item;
    }));
    find("opening").textContent = game.opening.length ? `Opening: ${game.opening.join(" ")}` : "";
    find("end").textContent = endOf(game);
    find("slider").max = game.frames.length - 1;
    document.querySelectorAll(".games tbody tr").forEach((row) => {
      row.setAttribute("aria-selected", row.id === `row-${game.number}`);
    });
    show(wanted);
    if (focus) {
      viewer.scrollIntoView({ block: "nearest" });
      viewer.focus({ preventScroll: true });
    }
  };

  // -- input of the reader

  const fromAddress = (focus) => {
    const match = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
    const index = match ? data.games.findIndex((found) => found.number === Number(match[1])) : -1;
    if (index >= 0) open(index, Number(match[2] || 0), focus);
    return index >= 0;
  };

  find("first").addEventListener("click", () => { stop(); show(0); });
  find("back").addEventListener("click", () => { stop(); show(step - 1); });
  find("next").addEventListener("click", () => { stop(); show(step + 1); });
  find("last").addEventListener("click", () => { stop(); show(game.frames.length - 1); });
  find("slider").addEventListener("input", (event) => { stop(); show(Number(event.target.value)); });
  find("play").addEventListener("click", () => {
    if (timer) return stop();
    if (step === game.frames.length - 1) show(0);
    timer = setInterval(() => show(step + 1), 700);
    find("play").classList.add("playing");
    find("play").setAttribute("aria-label", "Pause");
  });
  viewer.addEventListener("keydown", (event) => {
    if (event.target.type === "range") return;
    const moves = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: game.frames.length - 1 };
    if (event.key in moves) {
      event.preventDefault();
      stop();
      show(moves[event.key]);
    }
  });
  document.querySelector(".games tbody").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (event.target.closest("a")) return;
    location.hash = `#game-${row.id.slice(4)}`;
  });
  window.addEventListener("hashchange", () => fromAddress(true));

  const filter = () => {
    const bot = find("filter-bot").value;
    const onlyFailed = find("filter-failed") && find("filter-failed").checked;
    let count = 0;
    document.querySelectorAll(".games tbody tr").forEach((row) => {
      const fits = (!bot || row.dataset.places.split(" ").includes(bot)) && (!onlyFailed || "failed" in row.dataset);
      row.hidden = !fits;
      count += fits;
    });
    find("filter-count").textContent = `${count} shown`;
  };
  find("filter-bot").addEventListener("change", filter);
  if (find("filter-failed")) find("filter-failed").addEventListener("change", filter);

  if (!fromAddress(true)) open(0, data.games[0].steps.length, false);
})();
