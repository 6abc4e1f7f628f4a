"""The header with what compilers name differently: its branches agree with each other and with Python."""

import os
import random
import shutil
import subprocess

import pytest
from compilers import COMPILERS, FLAGS, STRICT, can_run, compile_strictly, skip_unless_usable
from support import ROOT
from waiting import BUILD_SECONDS, HANG_SECONDS

import cext

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include "primitives/bits.h"
#include "primitives/clock.h"
#include "primitives/spin_lock.h"
#include "search/ucb1.h"
#ifdef _WIN32
typedef HANDLE thread_t;
#define RESULT DWORD WINAPI
static void start(thread_t *to, LPTHREAD_START_ROUTINE run, void *of) { *to = CreateThread(0, 0, run, of, 0, 0); }
static void join(thread_t thread) { WaitForSingleObject(thread, INFINITE); }
#else
#include <pthread.h>
typedef pthread_t thread_t;
#define RESULT void *
static void start(thread_t *thread, RESULT (*run)(void *), void *of) { pthread_create(thread, 0, run, of); }
static void join(thread_t thread) { pthread_join(thread, 0); }
#endif

#define TIMES 20000
static int lock, users, flag, count, changes, together, wrong;
static PLAYOUT_THREAD_LOCAL int own;
static PLAYOUT_ALIGNED(64) const uint64_t table[8] = {1};

static RESULT work(void *unused)
{
    (void)unused;
    for (int i = 0; i < TIMES; i++) {
        own++;
        playout_lock(&lock);
        count++;
        playout_unlock(&lock);
        if (playout_begin_reading(&users)) {
            if (together)
                playout_write_flag(&wrong, 1);
            playout_end_reading(&users);
        }
        playout_begin_change_late(&users);
        together++;
        if (together != 1 || playout_begin_reading(&users) || playout_begin_change(&users))
            playout_write_flag(&wrong, 1);
        changes++;
        together--;
        playout_end_change(&users);
    }
    if (own != TIMES)
        playout_write_flag(&wrong, 1);
    return 0;
}

int main(void)
{
    unsigned long long word;
    unsigned j;
    float mean[24], width[24];
    thread_t threads[3];
    double begin = playout_seconds();
    while (scanf("%llx %u", &word, &j) == 2)
        printf("%d %d %d %llx\n", playout_popcount64(word), playout_lowest64(word),
               playout_lowest32((uint32_t)word | 256), (unsigned long long)playout_select64(word, j));
    srand(1);
    for (int i = 0; i < 24; i++) {
        mean[i] = (float)((i * 37 + 11) % 24) / 24;
        width[i] = 1 / (1.0f + (float)((i * 29 + 5) % 24));
    }
    for (int n = 1; n <= 16; n++)
        for (int weight = 0; weight < 4; weight++)
            printf("%d\n", (int)playout_ucb1(mean, width, n, (float)weight));
    for (int i = 0; i < 3; i++)
        start(&threads[i], work, 0);
    for (int i = 0; i < 3; i++)
        join(threads[i]);
    playout_write_flag(&flag, 7);
    PLAYOUT_PREFETCH(table);
    printf("%d %d %d %d %d\n", count, changes, wrong, users, (int)PLAYOUT_LIKELY(playout_read_flag(&flag) == 7));
    printf("%d %d\n", (int)((uintptr_t)table % 64), playout_seconds() >= begin && playout_seconds() < begin + 600);
    return 0;
}
"""


def words():
    """Return words with the number of one of their set bits."""
    rng = random.Random(4)
    found = [(1, 0), (2**63, 0), (2**64 - 1, 0), (2**64 - 1, 63), (2**32, 0), (2**32 - 1, 31)]
    while len(found) < 500:
        word = rng.getrandbits(64) & (rng.getrandbits(64) | -(found[-1][1] & 1)) & (2**64 - 1)
        if word:
            found.append((word, rng.randrange(word.bit_count())))
    return found


def lowest(word):
    return (word & -word).bit_length() - 1


def expected_bits():
    """Return the lines about bits, by Python."""
    lines = []
    for word, j in words():
        bits = [bit for bit in range(64) if word >> bit & 1]
        lines.append(f"{len(bits)} {bits[0]} {lowest(word & 0xFFFFFFFF | 256)} {1 << bits[j]:x}")
    return lines


def expected_arms():
    """Return the arms of the highest bound, by Python in float32."""
    from numpy import argmax, float32

    mean = [float32((i * 37 + 11) % 24) / float32(24) for i in range(24)]
    width = [float32(1) / (float32(1) + float32((i * 29 + 5) % 24)) for i in range(24)]
    scores = [[m + float32(weight) * w for m, w in zip(mean, width, strict=True)] for weight in range(4)]
    return [str(int(argmax(scores[weight][:n]))) for n in range(1, 17) for weight in range(4)]


def build_and_run(folder, compiler, flags):
    """Compile the program and return what it prints."""
    program = compile_strictly(PROGRAM, folder, compiler, flags)
    text = "".join(f"{word:x} {j}\n" for word, j in words())
    return subprocess.run(
        [str(program)], input=text, capture_output=True, text=True, timeout=HANG_SECONDS, check=True
    ).stdout


@pytest.mark.sample(4)
@pytest.mark.parametrize("branch", FLAGS)
@pytest.mark.parametrize("compiler", COMPILERS)
def test_all_branches_of_the_header_do_the_same(compiler, branch, tmp_path):
    skip_unless_usable(COMPILERS[compiler], FLAGS[branch])
    lines = build_and_run(tmp_path, COMPILERS[compiler], FLAGS[branch]).splitlines()
    assert lines == [*expected_bits(), *expected_arms(), "60000 60000 0 0 1", "0 1"]


@pytest.fixture(scope="module")
def wine(tmp_path_factory):
    """Return the command that runs programs for Windows, with an environment of its own."""
    found = shutil.which("wine64", path=f"{os.environ['PATH']}:/usr/lib/wine") or shutil.which("wine")
    for program in ("clang", "x86_64-w64-mingw32-gcc", found or "wine64"):
        if shutil.which(program) is None:
            pytest.skip(f"no {program!r}; on Debian: apt install clang gcc-mingw-w64-x86-64 wine64")
    settings = {**os.environ, "WINEPREFIX": str(tmp_path_factory.mktemp("wine")), "WINEDEBUG": "-all"}
    return lambda program, text: (
        subprocess.run(
            [found, program],
            input=text,
            env=settings,
            capture_output=True,
            text=True,
            timeout=BUILD_SECONDS,
            check=True,
        ).stdout
    )


@pytest.mark.long
@pytest.mark.parametrize("branch", [*FLAGS, "msvc", "msvc_v3"])
def test_the_branches_for_windows_do_the_same(branch, wine, tmp_path):
    """Microsoft's branch is compiled by Clang, which has the intrinsic functions of Microsoft's compiler."""
    flags = FLAGS.get(branch, ["-DPLAYOUT_MSVC", *(FLAGS["v3"] if branch == "msvc_v3" else [])])
    if not can_run(flags):
        pytest.skip("this processor does not have AVX2 and BMI2")
    (tmp_path / "check.c").write_text(PROGRAM)
    target = ["--target=x86_64-w64-mingw32", "-fms-extensions", "-fdeclspec"]
    compiler = ["clang", *target, *STRICT, f"-I{cext.get_include()}", *flags, "-c", "check.c", "-o", "check.o"]
    for command in (compiler, ["x86_64-w64-mingw32-gcc", "check.o", "-o", "check.exe", "-static"]):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    text = "".join(f"{word:x} {j}\n" for word, j in words())
    lines = wine(str(tmp_path / "check.exe"), text).splitlines()
    assert lines == [*expected_bits(), *expected_arms(), "60000 60000 0 0 1", "0 1"]


def test_names_of_compilers_are_in_one_header():
    names = ("__builtin", "__atomic", "__attribute__", "__GNUC__", "_MSC_VER")
    paths = [path for path in (ROOT / "cext").rglob("*") if path.suffix in (".h", ".pyx", ".pxd")]
    found = {path.name for path in paths if any(name in path.read_text() for name in names)}
    assert found == {"compiler.h", "vectors.h", "build_info.pyx"}
