/* Coverage of one compiled module for libFuzzer, from the calls that -fsanitize-coverage=trace-pc adds.

   GCC and Clang both make these calls; the tables that libFuzzer usually reads are made by Clang alone. This file is linked into
   every compiled module. It counts each place in the code in a table of its own, and registers the table with the libFuzzer that
   atheris has loaded. Two places may share a counter, since the table is indexed by a hash. */
#include <stddef.h>
#include <stdint.h>

#define COUNTERS (1u << 14)

typedef struct {
    uintptr_t place, flags;
} place_t;

static uint8_t counters[COUNTERS];
static place_t places[COUNTERS]; /* libFuzzer wants an address for every counter */

/* Weak: without libFuzzer the module works, and counts for nobody. */
extern void __sanitizer_cov_8bit_counters_init(uint8_t *begin, uint8_t *end) __attribute__((weak));
extern void __sanitizer_cov_pcs_init(const uintptr_t *begin, const uintptr_t *end) __attribute__((weak));

__attribute__((visibility("hidden"), no_sanitize("address", "undefined")))
void __sanitizer_cov_trace_pc(void) {
    uintptr_t offset = (uintptr_t) __builtin_return_address(0) - (uintptr_t) counters;
    counters[(uint32_t) (offset * 0x9E3779B97F4A7C15u >> 50)]++;
}

__attribute__((constructor)) static void register_counters(void) {
    if (!__sanitizer_cov_8bit_counters_init || !__sanitizer_cov_pcs_init) return;
    for (uint32_t i = 0; i < COUNTERS; i++) places[i].place = (uintptr_t) &counters[i];
    __sanitizer_cov_8bit_counters_init(counters, counters + COUNTERS);
    __sanitizer_cov_pcs_init((const uintptr_t *) places, (const uintptr_t *) (places + COUNTERS));
}

/* GCC reports comparisons of floats as well, for which libFuzzer has no function. */
__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_cmpf(float one, float two) {
    (void) one, (void) two;
}

__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_cmpd(double one, double two) {
    (void) one, (void) two;
}
