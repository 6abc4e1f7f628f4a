// Connect four in this program, and an opponent that a server computes: one request for each of its moves.
//
//     playout serve & node examples/move_client.mjs http://localhost:8080
//
// Here the other player drops at random. A game of your own takes the moves of its person in that place.

const server = process.argv[2] ?? "http://localhost:8080";
const columns = Array.from({ length: 7 }, () => []); // discs from the bottom up: 0 red, 1 yellow

const disc = (column, row) => columns[column]?.[row];

const isLine = (column, row, player) =>
  [[1, 0], [0, 1], [1, 1], [1, -1]].some(([right, up]) => {
    const count = (sign) => {
      let length = 0;
      while (disc(column + sign * right * (length + 1), row + sign * up * (length + 1)) === player) length += 1;
      return length;
    };
    return count(1) + count(-1) >= 3;
  });

async function answer(plies) {
  const body = JSON.stringify({ game: "connect_four", plies, bot: "level(5)" });
  const headers = { "Content-Type": "application/json" };
  const reply = await fetch(new URL("/api/v1/move", server), { method: "POST", headers, body });
  const found = await reply.json();
  if (!reply.ok) throw new Error(found.error.message);
  return found.action; // such as drop(4)
}

const plies = [];
for (let won = false; !won && plies.length < 42; ) {
  const player = plies.length % 2;
  const open = columns.flatMap((column, number) => (column.length < 6 ? [`drop(${number + 1})`] : []));
  const action = player ? await answer(plies) : open[Math.floor(Math.random() * open.length)];
  const column = Number(action.match(/\d/)[0]) - 1;
  won = isLine(column, columns[column].push(player) - 1, player);
  plies.push(action);
  if (won) console.log(`${player ? "the bot" : "random play"} wins after ${plies.length} plies`);
}
