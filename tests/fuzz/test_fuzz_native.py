"""Coverage of compiled modules for the fuzzer: calls that the compiler adds, counted by `fuzz/native/coverage.c`."""

import shutil
import subprocess
import sysconfig

import pytest
from support import ROOT

COMPILER = (sysconfig.get_config_var("CC") or "cc").split()
WORK = "int choose(int x) { if (x > 3) return 2 * x; return x - 1; }\nint compare(double x) { return x > 0.5; }\n"
# Stands for libFuzzer: it takes the tables, and prints how many counters are not zero after each call.
LISTENER = """
#include <stdint.h>
#include <stdio.h>
int choose(int), compare(double);
static uint8_t *begin, *end;
static const uintptr_t *first_place, *last_place;
void __sanitizer_cov_8bit_counters_init(uint8_t *from, uint8_t *to) { begin = from; end = to; }
void __sanitizer_cov_pcs_init(const uintptr_t *from, const uintptr_t *to) { first_place = from; last_place = to; }
static int covered(void) {
    int count = 0;
    for (uint8_t *counter = begin; counter < end; counter++) count += *counter != 0;
    return count;
}
int main(void) {
    printf("%d %d", (int) ((last_place - first_place) / 2 == end - begin), covered());
    choose(1); printf(" %d", covered());
    choose(2); printf(" %d", covered());
    choose(5); printf(" %d", covered());
    compare(1.0); printf(" %d", covered());
    return 0;
}
"""


@pytest.mark.skipif(shutil.which(COMPILER[0]) is None, reason="no C compiler")
def test_every_new_branch_has_a_new_counter(tmp_path):
    (tmp_path / "work.c").write_text(WORK)
    (tmp_path / "listener.c").write_text(LISTENER)
    counters = ROOT / "fuzz" / "native" / "coverage.c"
    if not counters.exists():
        pytest.skip("a source distribution without C files")

    def compile_to(name, *arguments):
        subprocess.run([*COMPILER, *map(str, arguments), "-o", str(tmp_path / name)], check=True, cwd=tmp_path)

    compile_to("work.o", "-O1", "-c", "-fsanitize-coverage=trace-pc", "work.c")
    compile_to("coverage.o", "-O2", "-c", counters)
    compile_to("program", "listener.c", "work.o", "coverage.o")
    places_match, at_start, first, again, other, third = map(
        int, subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True).stdout.split()
    )
    assert places_match == 1
    assert at_start == 0
    assert 0 < first == again < other < third
