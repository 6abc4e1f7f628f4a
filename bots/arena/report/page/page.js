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

  // -- boards: a drawing is text. Lines with numbered columns and rows become a grid of cells. Boards beside each
  // other, each below its title, become a grid of small boards.

  const words = (line) => line.trim().split(/\s+/);
  const isHeader = (line) => /^\s/.test(line) && words(line).every((word, index) => word === String(index + 1));
  const isRow = (line, label, width) => {
    const found = words(line);
    return found.length === width + 1 && found[0] === label && found.slice(1).every((cell) => cell.length === 1);
  };

  const titlesOf = (line) => {
    const titles = line.split(/\s{2,}/);
    return titles.length > 1 && titles.every((title) => /^[A-Z]( \S+)?$/.test(title)) ? titles : null;
  };
  const cellsOf = (line, count) => {
    const parts = line.trim().split(/\s{3,}/).map(words);
    const isGrid = /^\s/.test(line) && parts.length === count
      && parts.every((cells) => cells.length === parts[0].length && cells.every((cell) => cell.length === 1));
    return isGrid ? parts : null;
  };
  // Return the boards that begin at a line, and the number of their lines.
  const boardsAt = (lines, at) => {
    const titles = titlesOf(lines[at]);
    const rows = [];
    for (let next = at + 1; titles && next < lines.length; next++) {
      const cells = cellsOf(lines[next], titles.length);
      if (!cells) break;
      rows.push(cells);
    }
    return { taken: 1 + rows.length, boards: rows.length ? titles.map((title, index) => ({ title, rows: rows.map((cells) => cells[index]) })) : [] };
  };

  const blocksOf = (lines) => {
    const blocks = [];
    for (let at = 0; at < lines.length; at++) {
      const found = boardsAt(lines, at);
      if (found.boards.length) {
        const last = blocks[blocks.length - 1];
        if (last && last.boards) last.boards.push(...found.boards);
        else blocks.push({ boards: found.boards });
        at += found.taken - 1;
        while (at + 1 < lines.length && !lines[at + 1].trim()) at++;
        continue;
      }
      if (lines[at] && isHeader(lines[at])) {
        const width = words(lines[at]).length;
        const rows = [];
        while (at + 1 < lines.length && isRow(lines[at + 1], String(rows.length + 1), width)) {
          rows.push(words(lines[++at]).slice(1));
        }
        if (rows.length) {
          blocks.push({ rows });
          continue;
        }
      }
      const last = blocks[blocks.length - 1];
      if (last && last.lines) last.lines.push(lines[at]);
      else blocks.push({ lines: [lines[at]] });
    }
    return blocks;
  };

  const SHAPES = {
    x: '<path d="M3 3 17 17M17 3 3 17"/>',
    o: '<circle cx="10" cy="10" r="7.5"/>',
    z: '<path d="M3.5 3.5H16.5L3.5 16.5H16.5"/>',
  };

  const markOf = (name) => name[0].toLowerCase();
  // Players named after a colour have this colour; each of the others has its own.
  const COLOURS = new Map([["blue", 0], ["red", 1], ["green", 2], ["purple", 3]]);
  const colourOf = (player) => `p${COLOURS.get(data.players[player]) ?? player % 4}`;
  const playerOf = (mark) => data.players.findIndex((name) => markOf(name) === mark.toLowerCase());

  const drawCell = (mark, before) => {
    const cell = make("span", "cell");
    const player = playerOf(mark);
    if (SHAPES[mark] && player >= 0) {
      const shape = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      shape.setAttribute("viewBox", "0 0 20 20");
      shape.innerHTML = SHAPES[mark];
      cell.append(shape);
    } else if (mark !== ".") cell.textContent = mark;
    if (player >= 0) cell.classList.add(colourOf(player));
    if (player >= 0 && before !== undefined && before !== mark) cell.classList.add("changed");
    return cell;
  };

  const labelOf = (rows) => rows.map((row, index) => `row ${index + 1}: ${row.join(" ")}`).join("; ");

  const drawGrid = (rows, before) => {
    const grid = make("div", "grid-board");
    grid.setAttribute("role", "img");
    grid.setAttribute("aria-label", labelOf(rows));
    grid.style.gridTemplateColumns = `1.1rem repeat(${rows[0].length}, minmax(0, 1fr))`;
    grid.append(make("span"));
    rows[0].forEach((_, column) => grid.append(make("span", "", column + 1)));
    rows.forEach((row, index) => {
      grid.append(make("span", "", index + 1));
      row.forEach((mark, column) => grid.append(drawCell(mark, before && before[index] && before[index][column])));
    });
    return grid;
  };

  const drawBoards = (boards, before) => {
    const all = make("div", "small-boards");
    boards.forEach((board, number) => {
      const last = before && before[number];
      const figure = make("figure");
      const owner = data.players.indexOf(board.title.split(" ")[1]);
      figure.append(make("figcaption", owner >= 0 ? colourOf(owner) : "", board.title));
      const grid = make("div", "grid-board small");
      grid.setAttribute("role", "img");
      grid.setAttribute("aria-label", `${board.title}: ${labelOf(board.rows)}`);
      grid.style.gridTemplateColumns = `repeat(${board.rows[0].length}, minmax(0, 1fr))`;
      board.rows.forEach((row, index) => row.forEach((mark, column) => {
        const cell = drawCell(mark, last && last.rows[index] && last.rows[index][column]);
        if (playerOf(mark) >= 0 && !SHAPES[mark]) cell.classList.add("taken");
        else if (mark === ".") cell.classList.add("closed");
        else cell.classList.add("open");
        grid.append(cell);
      }));
      figure.append(grid);
      all.append(figure);
    });
    return all;
  };

  const drawing = (game, step) => game.frames[step].map((line) => data.lines[line]);

  const drawBoard = (game, step) => {
    const board = find("board");
    const blocks = blocksOf(drawing(game, step));
    const before = step ? blocksOf(drawing(game, step - 1)).filter((block) => block.rows || block.boards) : [];
    const hasGrid = blocks.some((block) => block.rows || block.boards);
    let grids = 0;
    board.replaceChildren();
    if (!game.frames.length) return;
    blocks.forEach((block) => {
      if (block.rows) {
        const last = before[grids++];
        board.append(drawGrid(block.rows, last && last.rows));
      } else if (block.boards) {
        const last = before[grids++];
        board.append(drawBoards(block.boards, last && last.boards));
      } else if (hasGrid) board.append(make("p", "", block.lines.join("\n").trim()));
      else board.append(make("pre", "", block.lines.join("\n")));
    });
    viewer.classList.toggle("wide", !hasGrid && drawing(game, step).some((line) => line.length > 40));
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
