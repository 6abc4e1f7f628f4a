"""Engines from two revisions of a repository: what is built, what is kept, and the tournament between them."""

import json
import os
import subprocess
import sys
import threading

import pytest
from engine_games import nothing_is_left
from support import HELPERS
from waiting import wait_until

from bots import errors
from bots.engines import revisions
from bots.engines.program import Program

__all__ = ["nothing_is_left"]  # a fixture
MOVES = {"legal": "e2e4", "illegal": "e2e5"}
ENGINE = f"""#!/bin/sh
exec {sys.executable} -I -S '{HELPERS / "line_engine.py"}' "$(cat built.json)"
"""
ARENA = ("arena", "chess", "--games", "2", "--max-plies", "1", "--executor", "threads")


class Repository:
    """A repository whose engine makes a legal first move since the last commit, and made an illegal one before."""

    def __init__(self, folder):
        self.folder, self.builds = folder / "repository", folder / "builds"
        self.folder.mkdir()
        self.build = f"echo x >> '{self.builds}' && cp answers.json built.json"
        self.git("init", "--quiet", "--initial-branch=main")
        self.folder.joinpath("engine").write_text(ENGINE)
        self.folder.joinpath("engine").chmod(0o755)
        for name in ("illegal", "legal"):
            self.folder.joinpath("answers.json").write_text(json.dumps({"go": [[f"bestmove {MOVES[name]}"]]}))
            self.git("add", "--all")
            self.git("commit", "--quiet", "--message", name)
        self.folder.joinpath("answers.json").write_text("a change that is not committed")

    def git(self, *words):
        who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", "-C", self.folder, *who, *words], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    @property
    def num_builds(self):
        return self.builds.read_text().count("x") if self.builds.exists() else 0

    def options(self, new="HEAD", old="HEAD~1", build=None, engine="./engine"):
        """The options of a comparison."""
        build = self.build if build is None else build
        return ("--compare-git", str(self.folder), new, old, "--build", build, "--engine", engine)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return revisions.cache_folder(revisions.FOLDER)


@pytest.fixture
def repository(tmp_path, cache):
    return Repository(tmp_path)


def test_the_better_revision_wins_and_nothing_is_built_again(playout, repository):
    hashes = [repository.git("rev-parse", name)[:10] for name in ("HEAD", "HEAD~1")]
    done = playout(*ARENA, *repository.options(), "-o", "out.json")
    assert done.status == 0, done.err
    assert repository.num_builds == 2
    found = json.loads(repository.folder.parent.joinpath("out.json").read_text())
    assert [bot["bot"] for bot in found["bots"]] == [f"{hashes[0]} HEAD", f"{hashes[1]} HEAD~1"]  # best first
    assert {(failure["bot"], failure["kind"]) for failure in found["failures"]} == {
        (f"{hashes[1]} HEAD~1", errors.ILLEGAL)
    }
    again = playout(*ARENA, *repository.options(), "--name", "2=old", "-o", "out.json")
    assert again.err.count("built before") == 2
    assert "all 2 games were already stored" in again.err
    found = json.loads(repository.folder.parent.joinpath("out.json").read_text())
    assert [bot["bot"] for bot in found["bots"]] == [f"{hashes[0]} HEAD", "old"]
    assert repository.num_builds == 2


def test_the_engine_may_be_a_bot_beside_others(playout, repository):
    engine = "uci(command=./engine,folder=.,depth=3)"
    short = repository.git("rev-parse", "HEAD")[:12]
    done = playout(*ARENA, "random", *repository.options(short, "main~1", engine=engine), "--no-db", "--json")
    names = {bot["bot"] for bot in json.loads(done.out)["bots"]}
    assert names == {short[:10], f"{repository.git('rev-parse', 'main~1')[:10]} main~1", "random"}


def test_another_command_is_another_build(repository):
    revision = revisions.find_revision(str(repository.folder), "main")
    told = []
    folders = [revision.built(command, told.append) for command in ("touch one", "touch two", "")]
    assert len(set(folders)) == 3
    assert [(folder / "one").exists() for folder in folders] == [True, False, False]
    assert len(told) == 3
    assert told[2].startswith(f"{revision.label}: no build, in ")


@pytest.mark.usefixtures("nothing_is_left")
def test_a_failing_build_shows_the_end_of_its_output(playout, repository, cache):
    build = "seq 100; printf 'no rule\\033[31m\\n' >&2; cat; exit 3"
    done = playout(*ARENA, *repository.options(build=build))
    assert done.status == 2
    lines = done.err.splitlines()
    assert lines[-3:-1] == ["  100", "  no rule\\x1b[31m"]
    assert "  82" in lines
    assert "  81" not in lines
    assert "the build of" in lines[-1]
    assert "status 3" in lines[-1]
    assert list(cache.glob("*.built")) == []


@pytest.mark.usefixtures("nothing_is_left")
def test_what_an_interrupted_build_leaves_is_not_taken(playout, repository, cache, monkeypatch):
    take, ready = Program.take, repository.folder.parent / "ready"
    build = f"test -e '{ready}' || {{ cp answers.json half; exec sleep 1000; }}; {repository.build}"

    def interrupted(self, *arguments):
        if not ready.exists() and list(cache.glob("*/half")):
            raise KeyboardInterrupt
        return take(self, *arguments)

    monkeypatch.setattr(Program, "take", interrupted)
    assert playout(*ARENA, *repository.options(build=build)).status == 130
    assert list(cache.glob("*.built")) == []
    ready.touch()
    folder = revisions.find_revision(str(repository.folder), "HEAD").built(build, print)
    assert folder.joinpath("built.json").exists()
    assert not folder.joinpath("half").exists()


def test_one_process_builds_and_others_wait(repository, tmp_path):
    ready, told, folders = tmp_path / "ready", [], []
    build = f"{repository.build}; until test -e '{ready}'; do sleep 0.01; done"
    revision = revisions.find_revision(str(repository.folder), "HEAD")
    threads = [threading.Thread(target=lambda: folders.append(revision.built(build, told.append))) for _ in range(2)]
    for thread in threads:
        thread.start()
    wait_until(lambda: any("another process builds it" in line for line in list(told)) and repository.num_builds)
    ready.touch()
    for thread in threads:
        thread.join()
    assert len(folders) == 2
    assert len(set(folders)) == 1
    assert repository.num_builds == 1


def test_a_deleted_build_is_made_again(repository, cache):
    revision = revisions.find_revision(str(repository.folder), "HEAD")
    folder = revision.built("true", print)
    subprocess.run(["rm", "-r", folder], check=True)
    assert revision.built("true", print) == folder
    assert folder.joinpath("engine").exists()


def test_a_repository_of_the_environment_is_ignored(repository, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    revision = revisions.find_revision(str(repository.folder), "HEAD~1")
    folder = revision.built("git rev-parse HEAD > found", print)
    assert folder.joinpath("found").read_text().strip() == revision.commit


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"new": "nothing"}, ["revision 'nothing' of", "valid: a git repository and a revision of it"]),
        ({"new": "--since=1"}, ["revision '--since=1' of"]),
        ({"old": "main"}, ["HEAD and main are the same commit", "valid: two commits"]),
        ({"engine": "./none"}, ["program './none' does not exist"]),
        ({"engine": "uci(command=./engine,dept=3)"}, ["'dept'", "depth"]),
    ],
)
def test_errors_name_the_value(playout, repository, changes, words):
    done = playout(*ARENA, *repository.options(**changes))
    assert done.status == 2
    assert all(word in done.err.splitlines()[-1] for word in words), done.err


def test_a_folder_that_is_no_repository(playout, cache, tmp_path):
    done = playout(*ARENA, "--compare-git", str(tmp_path / "none"), "HEAD", "HEAD~1", "--engine", "./engine")
    assert done.status == 2
    assert "No such file or directory" in done.err
    assert not os.path.exists(cache)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--compare-git", ".", "HEAD", "HEAD~1"], "--compare-git without --engine"),
        (["--build", "make"], "--build or --engine without --compare-git"),
        (["--engine", "./engine"], "--build or --engine without --compare-git"),
    ],
)
def test_options_that_go_together(playout, options, words):
    done = playout(*ARENA, *options)
    assert done.status == 2
    assert words in done.err
