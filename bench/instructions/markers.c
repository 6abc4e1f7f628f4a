/* Marks the measured region of a workload for callgrind. Outside valgrind these functions do nothing.
 *
 * callgrind counts nothing before the first `begin`, so the start of the interpreter and the imports do not appear in
 * any figure. Each region is written to a file of its own, which contains the name of the workload.
 */
#include <valgrind/callgrind.h>

/* Return 1 if the process runs under valgrind. */
int is_counted(void) { return RUNNING_ON_VALGRIND != 0; }

/* Begin to count, from zero. */
void begin(void)
{
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

/* Stop counting and write the counts since `begin` under a name. */
void end(const char *name)
{
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
}
