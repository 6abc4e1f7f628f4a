// Connect four in this program, and an opponent that a server computes: one request for each of its moves.
//
//     playout serve & mcs -r:System.Net.Http examples/MoveClient.cs && mono examples/MoveClient.exe http://localhost:8080
//
// Here the other player drops at random. A game of your own takes the moves of its person in that place.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Text.RegularExpressions;

static class MoveClient
{
    static readonly List<int>[] columns = Enumerable.Range(0, 7).Select(_ => new List<int>()).ToArray(); // bottom up: 0 red

    static int Disc(int column, int row) =>
        column >= 0 && column < 7 && row >= 0 && row < columns[column].Count ? columns[column][row] : -1;

    static int Count(int column, int row, int right, int up) =>
        Disc(column + right, row + up) == Disc(column, row) ? 1 + Count(column + right, row + up, right, up) : 0;

    static bool IsLine(int column, int row) => new[] { (1, 0), (0, 1), (1, 1), (1, -1) }.Any(step =>
        Count(column, row, step.Item1, step.Item2) + Count(column, row, -step.Item1, -step.Item2) >= 3);

    static string Answer(HttpClient http, string server, List<string> plies)
    {
        var listed = string.Join(",", plies.Select(ply => $"\"{ply}\""));
        var body = $"{{\"game\": \"connect_four\", \"plies\": [{listed}], \"bot\": \"level(5)\"}}";
        var json = new StringContent(body, Encoding.UTF8, "application/json");
        var reply = http.PostAsync(server + "/api/v1/move", json).Result;
        var text = reply.Content.ReadAsStringAsync().Result;
        if (!reply.IsSuccessStatusCode) throw new Exception(text);
        return Regex.Match(text, "\"action\": *\"([^\"]*)\"").Groups[1].Value; // such as drop(4)
    }

    static void Main(string[] arguments)
    {
        var server = arguments.Length > 0 ? arguments[0].TrimEnd('/') : "http://localhost:8080";
        var (http, random, plies, won) = (new HttpClient(), new Random(), new List<string>(), false);
        while (!won && plies.Count < 42)
        {
            var open = Enumerable.Range(0, 7).Where(column => columns[column].Count < 6).ToList();
            var player = plies.Count % 2;
            plies.Add(player == 1 ? Answer(http, server, plies) : $"drop({open[random.Next(open.Count)] + 1})");
            var chosen = plies.Last()[5] - '1';
            columns[chosen].Add(player);
            won = IsLine(chosen, columns[chosen].Count - 1);
            if (won) Console.WriteLine($"{(player == 1 ? "the bot" : "random play")} wins after {plies.Count} plies");
        }
    }
}
