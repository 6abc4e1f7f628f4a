"""`ValueNet` and its files: what is written is read back; what is damaged or of another game is refused."""

import hashlib
import struct

import numpy as np
import pytest
from nets import random_layers, random_net
from python_games import TicTacToe

import mcts
from mcts.nets.net_file import FORMAT_VERSION, MAGIC, from_bytes
from mcts.nets.value_net import with_digest, without_digest

MNK = mcts.load_game("mnk")
THREE = mcts.load_game("three_player_ttt")


def sealed(content):
    """A content with its checksum."""
    return content + hashlib.sha256(content).digest()


@pytest.fixture(scope="module")
def net():
    return random_net(MNK)


@pytest.fixture(scope="module")
def content(net):
    return net.to_bytes()


@pytest.mark.parametrize(
    ("game", "policies"), [(MNK, 0), (MNK, 1), (MNK, 2), (THREE, 1), (mcts.load_game("bidding_3d_ttt"), 0)], ids=str
)
def test_a_file_holds_the_net(game, policies, tmp_path):
    net = random_net(game, (7, 16), policies=policies)
    net.save(tmp_path / "x.net")
    found = mcts.ValueNet.load(game, tmp_path / "x.net")
    states = [game.new_initial_state().encode()]
    for mine, theirs in zip(found.evaluate(states), net.evaluate(states), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert found.digest == net.digest
    assert found.to_bytes() == (tmp_path / "x.net").read_bytes() == net.to_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["x.net"]


def test_values_are_on_the_scale_of_the_game():
    net = random_net(THREE)
    states = [THREE.new_initial_state().encode()]
    low, high = THREE.min_utility, THREE.max_utility
    np.testing.assert_allclose(net.values(states), low + (high - low) * net.outputs(states).astype(float))
    net = random_net(MNK)
    values = net.values([MNK.new_initial_state().encode()])
    assert values.shape == (1, 2)
    assert values.sum() == pytest.approx(100)
    assert values[0, 0] == pytest.approx(100 * net.outputs([MNK.new_initial_state().encode()])[0, 0])


def test_a_path_with_a_digest_stands_for_one_net(tmp_path):
    path = tmp_path / "x.net"
    with pytest.raises(mcts.errors.NetFileError, match="cannot be read"):
        with_digest(str(path))
    net = random_net(MNK, policies=1)
    net.save(path)
    pinned = with_digest(str(path))
    assert pinned == f"{path}#{net.digest}" == with_digest(pinned)
    assert without_digest(pinned) == str(path) == without_digest(str(path))
    assert mcts.ValueNet.load(MNK, pinned).digest == net.digest
    other = random_net(MNK, seed=5)
    other.save(path)
    with pytest.raises(mcts.errors.NetFileError, match=f"has the digest {other.digest}; valid: {net.digest}"):
        mcts.ValueNet.load(MNK, pinned)


def test_a_net_is_for_one_game(tmp_path):
    """Another game with the same encoding is refused."""
    game, other = mcts.load_game("bidding_ttt(coins=30)"), mcts.load_game("bidding_ttt(coins=40)")
    net = random_net(game)
    net.save(tmp_path / "x.net")
    with pytest.raises(mcts.errors.NetFileError, match=r"not a net for bidding_ttt\(coins=40.*valid: .*coins=30"):
        mcts.ValueNet.load(other, tmp_path / "x.net")
    with pytest.raises(mcts.UnsupportedGameError, match=r"is for bidding_ttt\(coins=30.*not for .*coins=40"):
        mcts.MCTS(other, net=net)


def test_every_changed_byte_and_every_length_is_refused(content):
    for at in range(0, len(content), 7):
        changed = bytearray(content)
        changed[at] ^= 1 << at % 8
        with pytest.raises(mcts.errors.NetFileError):
            from_bytes(bytes(changed))
    for length in [*range(0, 100), len(content) - 1]:
        with pytest.raises(mcts.errors.NetFileError):
            from_bytes(content[:length])
    with pytest.raises(mcts.errors.NetFileError):
        from_bytes(content + b"\0")


HEAD = struct.Struct("<8sIIIII")


def with_head(content, **changes):
    fields = dict(
        zip(("magic", "version", "spec", "inputs", "layers", "actions"), HEAD.unpack_from(content), strict=True)
    )
    return sealed(HEAD.pack(*{**fields, **changes}.values()) + content[HEAD.size : -32])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"magic": b"PLAYSOLN"}, "is not a net"),
        ({"version": 2}, f"format version 2; valid: {FORMAT_VERSION}"),
        ({"spec": 2**32 - 1}, "a spec of 4294967295 bytes"),
        ({"inputs": 0}, "inputs.*from 1 to 65536"),
        ({"inputs": 2**32 - 1}, "inputs.*from 1 to 65536"),
        ({"layers": 1}, "valid"),
        ({"layers": 6}, "valid"),
        ({"inputs": 19}, "bytes; valid"),
        ({"layers": 5}, "valid|short"),
        ({"actions": 9}, "bytes; valid"),
        ({"actions": 2**32 - 1}, "actions of a policy.*from 0 to 65536"),
    ],
)
def test_sizes_are_checked_after_the_checksum(content, changes, message):
    assert content.startswith(MAGIC)
    with pytest.raises(mcts.errors.NetFileError, match=message):
        from_bytes(with_head(content, **changes))


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_weights_must_be_finite(content, number):
    with pytest.raises(mcts.errors.NetFileError, match="finite"):
        from_bytes(sealed(content[:-36] + struct.pack("<f", number)))


def test_a_spec_is_utf_8(content):
    at = content.index(b"mnk")
    with pytest.raises(mcts.errors.NetFileError, match="can't decode byte 0xff"):
        from_bytes(sealed(content[:at] + b"\xff" + content[at + 1 : -32]))


def test_sizes_of_gigabytes_allocate_nothing(content):
    head = HEAD.pack(MAGIC, FORMAT_VERSION, 3, 65536, 2, 65536) + struct.pack("<II", 1024, 8) + b"mnk"
    with pytest.raises(mcts.errors.NetFileError, match="valid"):
        from_bytes(sealed(head))


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "text.net").write_text("no net")
    for path in (tmp_path, tmp_path / "missing.net", tmp_path / "text.net", "a\0b"):
        with pytest.raises(mcts.errors.NetFileError):
            mcts.ValueNet.load(MNK, path)


def test_a_failed_write_leaves_the_old_file(tmp_path, net, monkeypatch):
    path = tmp_path / "x.net"
    path.write_bytes(b"old")
    monkeypatch.setattr(mcts.ValueNet, "to_bytes", lambda self: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        net.save(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_nets_that_do_not_fit_are_refused(net):
    with pytest.raises(ValueError, match=r"does not fit mnk.*valid: 20 inputs, 1 outputs"):
        mcts.ValueNet(MNK, random_layers((20, 8, 2)))
    with pytest.raises(mcts.UnsupportedGameError, match="no encoding"):
        mcts.ValueNet(TicTacToe(), net.layers)
    with pytest.raises(ValueError, match="a net with 21 inputs and 1 outputs does not fit"):
        mcts.ValueNet(MNK, random_layers((21, 8, 1)))
    with pytest.raises(ValueError, match=r"a policy of 8 actions does not fit mnk.*valid: 9"):
        mcts.ValueNet(MNK, net.layers, policy=random_layers((8, 8))[0])
    with pytest.raises(ValueError, match="weights of the policy have the shape 7, 9; valid: 8, 9"):
        mcts.ValueNet(MNK, net.layers, policy=random_layers((7, 9))[0])
    with pytest.raises(ValueError, match="finite"):
        mcts.ValueNet(MNK, net.layers, policy=(np.zeros(9), np.full((8, 9), np.nan)))
    with pytest.raises(ValueError, match="valid: 1 and 2"):
        mcts.ValueNet(MNK, [([[1.0]], [[1.0]])] * 2)
    with pytest.raises(ValueError, match=r"valid: \(states, 20\)"):
        net.values(np.zeros((2, 19)))
    with pytest.raises(ValueError, match="read-only"):
        net.layers[0][0][0] = 1
