/* An opponent for a program in C: tic-tac-toe against a bot of Playout, which runs as an engine beside this program.

   cc -o embed examples/embed.c && ./embed             the bot plays o
   ./embed "mcts(simulations=100)" 7                   another bot, another seed

This program talks to `playout ugi` over two pipes, in the lines of the Universal Game Interface (docs/ugi.md). It marks the
first blank cell; a program of yours would ask its user. It needs POSIX; other languages start the same command. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *to_engine, *from_engine;

/* End with a message. */
static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "embed: %s%s\n", what, detail);
    exit(1);
}

/* Start the engine with pipes for its input and output; return its process. */
static pid_t start(const char *bot, const char *seed)
{
    int down[2], up[2];
    if (pipe(down) || pipe(up))
        fail("no pipe", "");
    pid_t child = fork();
    if (child < 0)
        fail("cannot fork", "");
    if (child == 0) {
        dup2(down[0], STDIN_FILENO);
        dup2(up[1], STDOUT_FILENO);
        close(down[0]), close(down[1]), close(up[0]), close(up[1]);
        execlp("playout", "playout", "ugi", "mnk", bot, "--seed", seed, (char *) NULL);
        fail("cannot start playout: is it on the path?", "");
    }
    close(down[0]), close(up[1]);
    to_engine = fdopen(down[1], "w");
    from_engine = fdopen(up[0], "r");
    return child;
}

static void send(const char *line)
{
    if (fprintf(to_engine, "%s\n", line) < 0 || fflush(to_engine))
        fail("the engine has closed its input", "");
}

/* Send a line; return the rest of the first answer that begins with a word. Other lines are messages. */
static const char *ask(const char *line, const char *word)
{
    static char answer[4096];
    size_t length = strlen(word);
    send(line);
    while (fgets(answer, sizeof answer, from_engine)) {
        answer[strcspn(answer, "\r\n")] = 0;
        if (strncmp(answer, "info string error", 17) == 0)
            fail("the engine reports: ", answer + 18);
        if (strncmp(answer, word, length) == 0 && (answer[length] == ' ' || answer[length] == 0))
            return answer[length] ? answer + length + 1 : "";
    }
    fail("the engine has ended before it answered ", line);
    return "";
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* writing to an engine that has ended is an error, not the end of this program */
    pid_t engine = start(argc > 1 ? argv[1] : "mcts(simulations=2000)", argc > 2 ? argv[2] : "1");
    char position[512] = "position startpos moves";
    char board[10] = ".........";
    char result[32];
    int ply = 0;

    send("uginewgame");
    ask("isready", "readyok");
    send("position startpos");
    while (strcmp(ask("query gameover", "response"), "false") == 0) {
        char move[32];
        int cell, row, column;
        if (ply % 2 == 0) { /* your program chooses here */
            cell = (int) (strchr(board, '.') - board);
            snprintf(move, sizeof move, "mark(%d,%d)", cell / 3 + 1, cell % 3 + 1);
        } else { /* at most 200 ms; the bot answers earlier if its simulations are done */
            snprintf(move, sizeof move, "%s", ask("go movetime 200", "bestmove"));
        }
        if (sscanf(move, "mark(%d,%d)", &row, &column) != 2)
            fail("cannot read the move ", move);
        cell = (row - 1) * 3 + column - 1;
        if (cell < 0 || cell > 8 || board[cell] != '.')
            fail("an illegal move: ", move);
        board[cell] = "xo"[ply++ % 2];
        strcat(strcat(position, " "), move);
        send(position);
        printf("%s\n%.3s\n%.3s\n%.3s\n\n", move, board, board + 3, board + 6);
    }
    snprintf(result, sizeof result, "%s", ask("query result", "response"));
    printf("result: %s\n", result);
    send("quit");
    waitpid(engine, NULL, 0);
    return 0;
}
