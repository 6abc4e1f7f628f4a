"""The files around the sources: workflows, issue forms, the citation, the metadata of the package. They agree."""

import os
import re
import shlex
import tomllib

import pytest
import yaml
from ci_programs import ci_program
from documents import all_pages
from support import ROOT

GITHUB = ROOT / ".github"
PAGES = ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAKEFILE = (ROOT / "Makefile").read_text()
MORE_RIGHTS = {"publish": {"id-token": "write"}, "deploy": {"id-token": "write", "pages": "write"}}
"""Rights of a job beyond reading the repository."""
ELEMENTS = {"markdown", "textarea", "input", "dropdown", "checkboxes"}

pytestmark = pytest.mark.skipif(not GITHUB.exists(), reason="a source distribution without these files")


def load(path):
    """Return the content of a YAML file."""
    return yaml.safe_load(path.read_text())


def triggers(workflow):
    """Return what starts a workflow. YAML 1.1 reads the key `on` as True."""
    return workflow[True]


def steps(workflow):
    """Return all steps of all jobs of a workflow."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def minor(version):
    """Return a version such as "3.11" as (3, 11)."""
    return tuple(map(int, version.split(".")))


def missing_commands(text):
    """Return the targets of make and the scripts of .ci that a text names and that do not exist."""
    (targets,) = re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    commands = re.findall(r"(?:^|[`\s])(?:run: )?make ([a-z]\w*)(?=$|`|\s+#)", text, re.MULTILINE)
    scripts = re.findall(r"(?<![\w/.])\.ci/\w+", text)
    return [name for name in commands if name not in targets.split()] + [
        name for name in scripts if not os.access(ROOT / name, os.X_OK)
    ]


checks = ci_program("checks")
WORKFLOWS = {path.stem: load(path) for path in sorted(GITHUB.glob("workflows/*.yml"))}
FORMS = sorted(GITHUB.glob("ISSUE_TEMPLATE/*.yml"))
workflows = pytest.mark.parametrize("workflow", WORKFLOWS.values(), ids=WORKFLOWS)


def test_workflows_run_the_parts_of_the_check_of_everything():
    assert set(WORKFLOWS) == {"benchmarks", "docs", "sanitizers", "tests", "wheels"}
    made = {" ".join(words) for words in checks.RELEASE_CHECK if words[0] == "make"}
    run = {step.get("run") for workflow in WORKFLOWS.values() for step in steps(workflow)}
    assert made - {"make sanitize"} <= run
    jobs = WORKFLOWS["sanitizers"]["jobs"]["sanitize"]["strategy"]["matrix"]["kinds"]
    assert jobs == ["address,undefined", "thread"]
    assert "kinds=${1:-address,undefined}" in (ROOT / ".ci" / "sanitize").read_text()


@workflows
def test_a_workflow_has_a_name_triggers_and_the_least_rights(workflow):
    assert workflow["name"]
    assert {"pull_request", "workflow_dispatch"} <= set(triggers(workflow))
    assert "pull_request_target" not in triggers(workflow)
    assert workflow["permissions"] == {"contents": "read"}
    assert {"group", "cancel-in-progress"} == set(workflow["concurrency"])
    for name, job in workflow["jobs"].items():
        assert 0 < job["timeout-minutes"] <= 120
        assert job["runs-on"]
        assert job.get("permissions", {}) == MORE_RIGHTS.get(name, {})


@workflows
def test_steps_run_commands_or_versions_of_actions(workflow):
    for step in steps(workflow):
        assert ("run" in step) != ("uses" in step)
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+(\.\d+)*|release/v\d+)", step["uses"])
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
        # An expression in a command would be text of a stranger in a shell; it goes through an environment variable.
        assert "${{" not in step.get("run", "")


def test_an_action_has_one_version_which_dependabot_renews():
    used = {step["uses"] for other in WORKFLOWS.values() for step in steps(other) if "uses" in step}
    assert len(used) == len({name.partition("@")[0] for name in used})
    (update,) = load(GITHUB / "dependabot.yml")["updates"]
    assert (update["package-ecosystem"], update["directory"]) == ("github-actions", "/")


def test_only_a_tag_is_published():
    jobs = WORKFLOWS["wheels"]["jobs"]
    assert triggers(WORKFLOWS["wheels"])["push"] == {"tags": ["v*"]}
    assert "startsWith(github.ref, 'refs/tags/v')" in jobs["publish"]["if"]
    assert set(jobs["publish"]["needs"]) == set(jobs) - {"publish"}
    assert jobs["publish"]["environment"] == "pypi"
    rows = jobs["wheels"]["strategy"]["matrix"]["include"]
    systems = {"linux-x86-64", "linux-aarch64", "macos-x86-64", "macos-arm64", "windows-x86-64"}
    assert sorted(row["wheels"] for row in rows) == sorted(systems)
    assert all(row["runner"].startswith(row["wheels"].partition("-")[0].replace("linux", "ubuntu")) for row in rows)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_issue_forms_are_complete(path):
    form = load(path)
    assert set(form) == {"name", "description", "labels", "body"}
    assert {element["type"] for element in form["body"]} <= ELEMENTS
    asked = [element for element in form["body"] if element["type"] != "markdown"]
    ids = [element["id"] for element in asked]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[\w-]+", name) for name in ids)
    labels = [element["attributes"]["label"] for element in asked]
    assert len(labels) == len(set(labels))
    assert any(element.get("validations", {}).get("required") for element in asked)
    for element in form["body"]:
        attributes = element["attributes"]
        if element["type"] == "markdown":
            assert attributes["value"]
        if element["type"] in ("dropdown", "checkboxes"):
            assert attributes["options"]


def test_there_is_a_form_for_errors_and_one_for_wishes():
    assert [path.stem for path in FORMS] == ["bug_report", "feature_request"]


def test_versions_of_python_agree():
    classifiers = PROJECT["project"]["classifiers"]
    found = (re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", text) for text in classifiers)
    supported = {minor(match[1]) for match in found if match}
    assert PROJECT["project"]["requires-python"] == f">=3.{min(supported)[1]}"
    builds = [re.fullmatch(r"cp3(\d+)(t?)-\*", text) for text in PROJECT["tool"]["cibuildwheel"]["build"]]
    assert {(3, int(build[1])) for build in builds if not build[2]} == supported
    assert {(3, int(build[1])) for build in builds if build[2]} == {max(supported)}  # without a GIL
    jobs = WORKFLOWS["tests"]["jobs"]
    assert set(map(minor, jobs["test"]["strategy"]["matrix"]["python"])) == supported
    assert set(map(minor, jobs["long"]["strategy"]["matrix"]["python"])) == {min(supported), max(supported)}
    named = [step["with"]["python-version"] for workflow in WORKFLOWS.values() for step in steps(workflow)
             if step.get("uses", "").startswith("actions/setup-python@")]  # fmt: skip
    assert {minor(text) for text in named if "matrix" not in text} <= supported
    assert PROJECT["tool"]["ruff"]["target-version"] == f"py3{min(supported)[1]}"
    first, last = (f"3.{choose(supported)[1]}" for choose in (min, max))
    assert f"CPython {first} to {last}" in (ROOT / "RELEASING.md").read_text()


def test_other_systems_run_tests_that_exist_and_have_a_classifier():
    job = WORKFLOWS["tests"]["jobs"]["systems"]
    assert {name.partition("-")[0] for name in job["strategy"]["matrix"]["system"]} == {"macos", "windows"}
    commands = [step["run"] for step in job["steps"] if "run" in step]
    paths = [word for command in commands for word in shlex.split(command) if word.startswith("tests/")]
    assert {"tests/core", "tests/search", "tests/arena/test_spawn.py"} <= set(paths)
    assert all((ROOT / path).exists() for path in paths)
    assert not [command for command in commands if "make" in command]  # Windows has no make
    systems = {text.partition(" :: ")[2] for text in PROJECT["project"]["classifiers"] if text.startswith("Operating")}
    assert systems == {"MacOS", "Microsoft :: Windows", "POSIX :: Linux"}
    page = (ROOT / "docs" / "platforms.md").read_text()
    assert all(system in page for system in ("Linux", "macOS", "Windows"))


def test_the_makefile_needs_no_tools_of_gnu_but_make_3_81():
    """macOS has make 3.81 and the tools of BSD."""
    newer = ("$(file ", "!=", "::=", "$(guile", "$(intcmp", "$(let ", ".ONESHELL", "&:", "undefine ")
    assert [word for word in newer if word in MAKEFILE] == []
    for tool in ("nproc", "sed -i", "readlink -f", "cp --", "xargs -d", "stat -c", "date -d", "find -", "grep -P"):
        assert tool not in MAKEFILE, tool


def test_the_wheel_is_tested_with_files_that_exist():
    settings = PROJECT["tool"]["cibuildwheel"]
    words = shlex.split(settings["test-command"])
    tests = [word for word in words if "/" in word]
    assert {"tests/core", "tests/games"} <= set(tests)
    assert all((ROOT / name).exists() for name in [*settings["test-sources"], *tests])
    assert "pyproject.toml" in settings["test-sources"]  # the settings of pytest
    assert not {"cext", "mcts", "bots", "playout", "."} & set(settings["test-sources"])
    assert set(settings["test-requires"]) <= set(PROJECT["project"]["optional-dependencies"]["test"])


def test_the_citation_is_complete_and_of_this_version():
    citation = load(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert citation["version"] == PROJECT["project"]["version"]
    assert citation["license"] == PROJECT["project"]["license"] == "MIT"
    assert citation["authors"] == PROJECT["project"]["authors"] == [{"name": "Playout contributors"}]


def test_classifiers_are_sorted_and_none_is_about_the_licence():
    classifiers = PROJECT["project"]["classifiers"]
    assert classifiers == sorted(set(classifiers))
    assert not [text for text in classifiers if text.startswith("License ::")]  # the SPDX expression replaces them


@pytest.mark.parametrize("path", [*sorted(GITHUB.rglob("*.*")), *(ROOT / name for name in PAGES)], ids=lambda p: p.name)
def test_commands_exist(path):
    assert missing_commands(path.read_text()) == []


def test_contributing_names_its_two_commands():
    assert re.findall(r"^make (\w+)", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE) == ["test", "lint"]


def test_links_and_names_of_these_pages_are_checked():
    pages = set(all_pages())
    assert {ROOT / name for name in PAGES} <= pages
    assert GITHUB / "pull_request_template.md" in pages


def test_the_source_distribution_has_these_files():
    lines = (ROOT / "MANIFEST.in").read_text().splitlines()
    assert {"graft .ci", "graft .github"} <= set(lines)
    assert {"Makefile", "CITATION.cff", "*.md"} <= {word for line in lines for word in line.split()[1:]}


def test_the_checks_find_what_is_missing():
    assert missing_commands("- run: make test\n") == []
    assert missing_commands("- run: make nothing\n") == ["nothing"]
    assert missing_commands("`make lint` and `make nothing` pass") == ["nothing"]
    assert missing_commands("- run: .ci/nothing thread") == [".ci/nothing"]


def test_pages_and_sources_have_no_marks_of_a_merge():
    files = [
        path
        for part in ("bench", "bots", "cext", "fuzz", "mcts", "playout", "tests")
        for path in (ROOT / part).rglob("*.p*")
    ]
    texts = [*all_pages(), *(path for path in files if path.suffix in (".py", ".pyi", ".pyx", ".pxd"))]
    marks = re.compile(r"^(<{7} |>{7} |={7}$)", re.MULTILINE)
    assert [str(path) for path in texts if marks.search(path.read_text())] == []
