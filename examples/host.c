/* A match between bots of Playout, hosted by a program in C. Works for every game in which nothing is hidden.

   cc -o host examples/host.c && ./host                            tic-tac-toe
   ./host bidding_ttt "mcts(simulations=500)" greedy

Each player is a process `playout ugi GAME BOT`, to which this program talks in the lines of the Universal Game Interface
(docs/ugi.md). It needs no rules: the engines say who decides, and how the game has ended. It needs POSIX; examples/host.mjs
is the same host in JavaScript. */

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOVE_MS 200
#define MOST_PLAYERS 16
#define LONGEST_LINE 65536

typedef struct {
    pid_t process;
    FILE *in, *out; /* its input and its output */
    char answer[LONGEST_LINE];
} engine_t;

static engine_t engines[MOST_PLAYERS];

/* End with a message. The engines end too: their input is closed. */
static void fail(const char *what, const char *detail)
{
    fprintf(stderr, "host: %s%s\n", what, detail);
    exit(1);
}

/* Start an engine with pipes for its input and output, which no other engine inherits. */
static void start(engine_t *engine, const char *game, const char *bot, int number)
{
    int pipes[4];
    char seed[16];
    snprintf(seed, sizeof seed, "%d", number);
    if (pipe(pipes) || pipe(pipes + 2))
        fail("no pipe", "");
    for (int end = 0; end < 4; end++)
        fcntl(pipes[end], F_SETFD, FD_CLOEXEC);
    engine->process = fork();
    if (engine->process < 0)
        fail("cannot fork", "");
    if (engine->process == 0) {
        dup2(pipes[0], STDIN_FILENO);
        dup2(pipes[3], STDOUT_FILENO);
        execlp("playout", "playout", "ugi", game, bot, "--seed", seed, (char *) NULL);
        fprintf(stderr, "host: cannot start playout: is it on the path?\n");
        _exit(1);
    }
    close(pipes[0]), close(pipes[3]);
    engine->in = fdopen(pipes[1], "w");
    engine->out = fdopen(pipes[2], "r");
    if (!engine->in || !engine->out)
        fail("no memory", "");
}

/* Write a line, in the form of printf. */
static void send(engine_t *engine, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int written = vfprintf(engine->in, format, values);
    va_end(values);
    if (written < 0 || fputc('\n', engine->in) == EOF || fflush(engine->in))
        fail("an engine has closed its input", "");
}

/* Return the rest of the first line that begins with a word. Other lines are messages. */
static char *answer(engine_t *engine, const char *word)
{
    size_t length = strlen(word);
    while (fgets(engine->answer, sizeof engine->answer, engine->out)) {
        char *line = engine->answer;
        line[strcspn(line, "\r\n")] = 0;
        if (strncmp(line, "info string error ", 18) == 0)
            fail("an engine reports: ", line + 18);
        if (strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == 0))
            return line + length + (line[length] == ' ');
    }
    fail("an engine has ended before it answered with ", word);
    return NULL;
}

static char *ask(engine_t *engine, const char *line, const char *word)
{
    send(engine, "%s", line);
    return answer(engine, word);
}

/* Append a step to the line of the position, and print it: the action of the one who decides, or one for each player. */
static char *with_step(char *position, char *const *actions, int players, int deciding)
{
    size_t length = strlen(position), most = length + 16;
    for (int seat = 0; seat < players; seat++)
        most += (actions[seat] ? strlen(actions[seat]) : 4) + 1;
    position = realloc(position, most);
    if (!position)
        fail("no memory", "");
    char *step = position + length;
    step += sprintf(step, strstr(position, " moves ") ? " " : " moves ");
    char *end = step;
    for (int seat = 0; seat < players; seat++)
        if (actions[seat] || deciding > 1)
            end += sprintf(end, "%s%s", end > step ? "|" : "", actions[seat] ? actions[seat] : "noop");
    puts(step);
    return position;
}

int main(int argc, char **argv)
{
    const char *game = argc > 1 ? argv[1] : "mnk";
    const char *bots[2] = {"mcts(simulations=500)", "random"};
    int given = argc > 2 ? argc - 2 : 2;
    char *position = strdup("position startpos");

    signal(SIGPIPE, SIG_IGN); /* writing to an engine that has ended is an error, not the end of this program */
    int players = 1;
    for (int seat = 0; seat < players; seat++) { /* the last bot takes all other seats */
        int bot = seat < given ? seat : given - 1;
        start(&engines[seat], game, argc > 2 ? argv[2 + bot] : bots[bot], seat + 1);
        if (seat == 0)
            players = atoi(ask(&engines[0], "query players", "response"));
        if (players < 1 || players > MOST_PLAYERS)
            fail("too many players in ", game);
        send(&engines[seat], "uginewgame");
        ask(&engines[seat], "isready", "readyok");
    }
    for (;;) {
        char *actions[MOST_PLAYERS] = {NULL};
        int seats[MOST_PLAYERS], deciding = 0;
        for (int seat = 0; seat < players; seat++)
            send(&engines[seat], "%s", position);
        char *acting = ask(&engines[0], "query acting", "response");
        if (strcmp(acting, "none") == 0)
            break;
        if (strcmp(acting, "chance") == 0)
            fail("chance decides here; this host throws no dice", "");
        for (char *word = strtok(acting, " "); word && deciding < players; word = strtok(NULL, " ")) {
            seats[deciding] = atoi(word) - 1;
            if (seats[deciding] < 0 || seats[deciding] >= players)
                fail("an engine names no player: ", word);
            deciding++;
        }
        for (int next = 0; next < deciding; next++) /* all of them think at the same time, and see no other's action */
            send(&engines[seats[next]], "go movetime %d seat %d", MOVE_MS, seats[next] + 1);
        for (int next = 0; next < deciding; next++)
            actions[seats[next]] = answer(&engines[seats[next]], "bestmove");
        position = with_step(position, actions, players, deciding);
    }
    printf("returns: %s\n", ask(&engines[0], "query returns", "response"));
    for (int seat = 0; seat < players; seat++) {
        send(&engines[seat], "quit");
        waitpid(engines[seat].process, NULL, 0);
    }
    free(position);
    return 0;
}
