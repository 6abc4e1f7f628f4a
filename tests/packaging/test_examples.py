"""The examples: every one runs as a script and writes nothing to standard error."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from documents import EXAMPLE_NEEDS
from nets import random_net
from support import ROOT
from waiting import HANG_SECONDS
from web_client import Process

import mcts

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PLAIN = [path for path in EXAMPLES if path.name in ("cluster.py", "evaluator.py", "onnx_net.py", "tournament.py")]
"""Examples without a test of their own below."""


def run_example(path, *words, typed=""):
    """Run a script as a user would, with this interpreter's modules; its standard output."""
    if path.name in EXAMPLE_NEEDS:
        pytest.importorskip(EXAMPLE_NEEDS[path.name])
    program = [sys.executable, "-P", str(path), *words]
    commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        program, env={**os.environ, "PATH": commands}, input=typed, capture_output=True, text=True, timeout=HANG_SECONDS
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name)
def test_every_example_runs(path):
    assert run_example(path).strip()


@pytest.mark.parametrize(
    ("name", "package"),
    [("cluster.py", "distributed"), ("onnx_net.py", "onnx"), ("openspiel_both_ways.py", "open_spiel")],
)
def test_an_example_says_what_to_install(monkeypatch, name, package):
    monkeypatch.setitem(sys.modules, EXAMPLE_NEEDS[name], None)
    with pytest.raises(SystemExit, match=f"pip install {package}"):
        runpy.run_path(str(ROOT / "examples" / name))


def move_client(language, folder):
    """The words that start the example in a language that asks a server for moves; skip the test without its tools."""
    tools = {"javascript": ("node",), "csharp": ("mcs", "mono")}[language]
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is missing" + (": apt install mono-mcs mono-runtime" if language == "csharp" else ""))
    if language == "javascript":
        return ["node", str(ROOT / "examples" / "move_client.mjs")]
    program = str(folder / "client.exe")
    source = str(ROOT / "examples" / "MoveClient.cs")
    done = subprocess.run(["mcs", "-r:System.Net.Http", f"-out:{program}", source], capture_output=True, text=True)
    if "System.Net.Http" in done.stderr:
        pytest.skip("System.Net.Http is missing: apt install libmono-system-net-http4.0-cil")
    assert done.returncode == 0, done.stderr
    return ["mono", program]


@pytest.mark.parametrize("language", ["javascript", pytest.param("csharp", marks=pytest.mark.long)])
def test_a_program_in_another_language_is_answered(language, tmp_path):
    program = move_client(language, tmp_path)
    with Process(tmp_path / "matches.db") as server:
        words = [*program, server.address]
        played = [subprocess.run(words, capture_output=True, text=True, timeout=HANG_SECONDS) for _ in range(3)]
    assert [one.stderr for one in played] == ["", "", ""]
    assert any(re.fullmatch(r"the bot wins after \d+ plies\n", one.stdout) for one in played)


def test_every_example_is_run():
    text = Path(__file__).read_text()
    assert {path.name for path in EXAMPLES if f'"{path.name}"' not in text} == set()


def test_the_search_beats_random_play_in_the_game_written_in_python():
    (path,) = (path for path in EXAMPLES if path.name == "python_game.py")
    told = run_example(path)
    assert "returns: {'upright': 1.0, 'flat': 0.0}" in told
    assert "the game failed: four cells are covered" in told


def test_ultimate_tic_tac_toe_is_drawn(tmp_path):
    (path,) = (path for path in EXAMPLES if path.name == "ultimate_tic_tac_toe.py")
    picture = tmp_path / "board.svg"
    assert run_example(path, str(picture)) == f"wrote {picture}\n"
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count("data-cell=") == 81
    assert drawn.count("data-action=") == 7
    assert "Last move: b2." in drawn


def test_the_client_of_ugi_plays_a_game():
    *moves, result = run_example(ROOT / "examples" / "ugi_client.py").split()
    state = mcts.load_game("mnk").new_initial_state()
    for move in moves:
        state.apply_action(state.string_to_action(state.current_player(), move))
    assert state.is_terminal()
    assert result == "draw"


def onnx_example():
    pytest.importorskip("onnx")
    return SimpleNamespace(**runpy.run_path(str(ROOT / "examples" / "onnx_net.py")))


def test_a_dense_layer_of_onnx_may_be_written_in_several_ways():
    example, game = onnx_example(), mcts.load_game("mnk")
    net = random_net(game, (8, 6), policies=1)
    model = example.to_onnx(net)
    node = model.graph.node[0]
    biases = node.input.pop()
    weights = next(one for one in model.graph.initializer if one.name == node.input[1])
    weights.CopyFrom(example.numpy_helper.from_array(net.layers[0][1] / 2, weights.name))
    del node.attribute[:]
    node.attribute.append(example.helper.make_attribute("alpha", 2.0))
    node.output[0] = "products"
    model.graph.node.insert(1, example.helper.make_node("Add", [biases, "products"], ["layer0"]))
    assert example.from_onnx(game, model).digest == net.digest


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda node: node.input.__setitem__(0, "relu1"), "not valid"),  # a cycle
        (lambda node: node.attribute[0].__setattr__("name", "transA"), "transA"),
        (lambda node: node.input.__setitem__(1, "states"), "computes 'states'"),
        (lambda node: node.__setattr__("op_type", "MatMul"), "not valid"),  # it has no biases
        (
            lambda node: (node.__setattr__("op_type", "Mul"), node.input.pop(), node.attribute.pop()),
            "has Mul where it needs one of: Gemm",
        ),
        (lambda node: node.output.__setitem__(0, "other"), "not valid"),
    ],
)
def test_models_that_are_no_nets_are_refused(change, message):
    example, game = onnx_example(), mcts.load_game("mnk")
    model = example.to_onnx(random_net(game, (8, 6), policies=1))
    change(model.graph.node[0])
    with pytest.raises(ValueError, match=message):
        example.from_onnx(game, model)


def test_a_policy_with_hidden_layers_of_its_own_is_refused():
    example, game = onnx_example(), mcts.load_game("mnk")
    model = example.to_onnx(random_net(game, (8, 6), policies=1))
    model.graph.node[-1].input[0] = "relu0"
    with pytest.raises(ValueError, match="hidden layers of its own"):
        example.from_onnx(game, model)


def test_the_console_takes_actions_hints_and_mistakes():
    console = ROOT / "examples" / "console.py"
    told = run_example(console, "mnk", "1", typed="mark(2,2)\nmark(9,9)\n\n\n\n\n")
    assert "sorry: " in told
    assert "returns: (" in told
    assert "returns: (0.0, 100.0)" in run_example(console, typed="mark(2,2)\n")  # the end of the input resigns


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["bidding_ttt", "three_player_ttt", "bidding_3d_ttt"])
def test_the_console_plays_every_kind_of_game(spec):
    assert "returns: (" in run_example(ROOT / "examples" / "console.py", spec, "2", typed="\n" * 4)


@pytest.mark.long
def test_the_server_answers_while_it_searches():
    told = run_example(ROOT / "examples" / "asyncio_server.py")
    assert told.count(" plies, returns [") == 3
    assert "1 refused actions" in told
    wake_ups = int(told.splitlines()[-1].split()[0])
    assert wake_ups >= 10  # a loop that waits for the searches wakes up once for each


@pytest.mark.long
def test_the_frames_go_on_while_the_bot_thinks():
    told = run_example(ROOT / "examples" / "game_loop.py")
    assert int(told.split(" of them while")[0].split()[-1]) >= 10


@pytest.mark.long
def test_training_in_an_environment_improves_the_agent():
    told = run_example(ROOT / "examples" / "pettingzoo_training.py")
    before, after = (float(line.split("mean reward ")[1].split()[0].rstrip(",")) for line in told.splitlines())
    assert after > before + 0.2


@pytest.mark.long
def test_openspiel_and_this_package_agree():
    told = run_example(ROOT / "examples" / "openspiel_both_ways.py")
    assert "is proven to win: True" in told
    found, distance = re.search(r"CFR\+: values \[(.*)\], exploitability (.*)", told).groups()
    assert [float(value) for value in found.split()] == pytest.approx([50, 50], abs=1)
    assert float(distance) < 1
    assert "exact: values [50.0, 50.0]" in told


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")
def test_the_opponent_in_c_plays_a_game_and_reports_errors(tmp_path):
    program = tmp_path / "embed"
    source = ROOT / "examples" / "embed.c"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(source)], check=True)
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    settings = {**os.environ, "PATH": os.pathsep.join(folders)}

    def play(bot, environment=settings):
        return subprocess.run(
            [program, bot, "7"], env=environment, capture_output=True, text=True, timeout=HANG_SECONDS
        )

    played = play("mcts(simulations=500)")
    assert played.returncode == 0, played.stderr
    assert played.stdout.splitlines()[-1] == "result: p2win"  # the first blank cell is no match for a search
    assert played.stderr == ""
    unknown = play("no_such_bot")
    assert unknown.returncode == 1
    assert "unknown bot 'no_such_bot'" in unknown.stderr
    absent = play("mcts", {**settings, "PATH": str(tmp_path)})
    assert absent.returncode == 1
    assert "is it on the path?" in absent.stderr


def host_in(language, tmp_path):
    """Return the words that start the host in a language; skip the test without its compiler or interpreter."""
    tool = shutil.which({"c": "cc", "mjs": "node"}[language])
    if tool is None:
        pytest.skip(f"needs {'a C compiler called cc' if language == 'c' else 'Node.js'}")
    source = str(ROOT / "examples" / f"host.{language}")
    if language == "mjs":
        return [tool, source]
    program = str(tmp_path / "host")
    subprocess.run([tool, "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return [program]


@pytest.mark.long
@pytest.mark.parametrize("language", ["c", "mjs"])
def test_the_hosts_play_every_kind_of_game_and_report_errors(language, tmp_path):
    host = host_in(language, tmp_path)
    settings = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}

    def play(*words, environment=settings):
        return subprocess.run([*host, *words], env=environment, capture_output=True, text=True, timeout=HANG_SECONDS)

    for words, last in (
        (["mnk", "greedy", "random"], "returns: "),
        (["three_player_ttt", "random"], "returns: "),
        (["bidding_ttt", "greedy"], "returns: "),
        (["tic_block", "random", "greedy"], "returns: "),
    ):
        played = play(*words)
        assert played.returncode == 0, played.stderr
        assert played.stderr == ""
        assert played.stdout.splitlines()[-1].startswith(last)
    assert "|" in play("bidding_ttt", "random").stdout  # bids of both players
    unknown = play("mnk", "no_such_bot")
    assert unknown.returncode == 1
    assert "unknown bot 'no_such_bot'" in unknown.stderr
    dice = play("dice_ttt", "random")
    assert dice.returncode == 1
    assert "this host throws no dice" in dice.stderr
    absent = play("mnk", environment={**settings, "PATH": str(tmp_path)})
    assert absent.returncode == 1
    assert "cannot start playout" in absent.stderr
