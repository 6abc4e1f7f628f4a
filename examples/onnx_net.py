"""Nets from and to ONNX, the format that PyTorch and other libraries export.

`from_onnx` takes a model of dense layers: Gemm, as `torch.onnx.export` writes a Linear, or MatMul and Add. Between the
layers is ReLU, after the value a Sigmoid; another output may have the logits of a policy or their softmax. The input is
a batch of encoded states.

usage: python examples/onnx_net.py                        # trains a small net, and takes it there and back
       python examples/onnx_net.py MODEL.onnx GAME OUT.net
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import playout

try:
    import onnx
    from onnx import helper, numpy_helper
except ImportError:
    raise SystemExit("this example needs ONNX: pip install onnx") from None

Numbers = NDArray[np.float32]
Layer = tuple[Numbers, Numbers]
"""Biases [units] and weights [inputs, units]."""
DENSE = ("Gemm", "MatMul", "Add")
"""Operators of a dense layer."""


def from_onnx(game: playout.Game, model: onnx.ModelProto) -> playout.ValueNet:
    """Return the net of a model for a game.

    Raises:
        ValueError: the model is not valid, has other operators, or does not fit the game.
    """
    try:
        onnx.checker.check_model(model)  # also refuses a cycle
    except onnx.checker.ValidationError as error:
        raise ValueError(f"the model is not valid: {error}") from None
    graph = model.graph
    numbers = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}
    value: list[Layer] = []
    policy: list[Layer] = []
    for output in graph.output:
        maker = node_of(output.name, makers, "Sigmoid", "Softmax", "LogSoftmax", *DENSE)
        if maker.op_type == "Sigmoid":
            value = layers_below(maker.input[0], makers, numbers)
        else:
            policy = layers_below(output.name if maker.op_type in DENSE else maker.input[0], makers, numbers)
    if not value:
        raise ValueError("the model has no value; valid: an output of Sigmoid")
    hidden, of_policy = ([part for layer in layers[:-1] for part in layer] for layers in (value, policy))
    if policy and not (len(hidden) == len(of_policy) and all(map(np.array_equal, hidden, of_policy))):
        raise ValueError("the policy has hidden layers of its own; valid: those of the value")
    return playout.ValueNet(game, value, policy=policy[-1] if policy else None)


def layers_below(name: str, makers: dict[str, onnx.NodeProto], numbers: dict[str, Numbers]) -> list[Layer]:
    """Return the layers from the input of a model to one of its tensors, which is the sum of the last of them."""
    layers: list[Layer] = []
    while not layers or name in makers:
        if layers:
            name = node_of(name, makers, "Relu").input[0]
        node, added = node_of(name, makers, *DENSE), np.zeros(1, np.float32)
        if node.op_type == "Add":
            first, second = node.input
            below, own = (second, first) if first in numbers else (first, second)
            node, added = node_of(below, makers, "Gemm", "MatMul"), constant(own, numbers)
        options = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        if options.get("transA"):
            raise ValueError("the model has a Gemm with transA; valid: states in the rows")
        name, *stored = node.input
        weights, *biases = (constant(one, numbers) for one in stored)
        weights = (weights.T if options.get("transB") else weights) * options.get("alpha", 1.0)
        total = sum((one * options.get("beta", 1.0) for one in biases), added)
        layers.insert(0, (np.broadcast_to(total, (1, weights.shape[1]))[0], weights))
    return layers


def node_of(name: str, makers: dict[str, onnx.NodeProto], *valid: str) -> onnx.NodeProto:
    """Return the node that computes a tensor. Raises ValueError for other operators than the valid ones."""
    node = makers.get(name)
    if node is None or node.domain or node.op_type not in valid:
        found = f"{name!r}, which nothing computes," if node is None else " ".join([node.domain, node.op_type]).strip()
        raise ValueError(f"the model has {found} where it needs one of: {', '.join(valid)}")
    return node


def constant(name: str, numbers: dict[str, Numbers]) -> Numbers:
    """Return the numbers of a tensor that the model stores. Raises ValueError for one that it computes."""
    if name not in numbers:
        raise ValueError(f"the model computes {name!r}; valid: weights and biases that it stores")
    return numbers[name]


def to_onnx(net: playout.ValueNet) -> onnx.ModelProto:
    """Return a model of a net: input `states` [states, encoding_size], outputs `value` and, with a policy, `logits`."""
    nodes, stored, below = [], [], "states"

    def dense(name: str, layer: Layer, source: str) -> None:
        for part, array in zip(("bias", "weight"), (layer[0], layer[1].T), strict=True):
            stored.append(numpy_helper.from_array(np.ascontiguousarray(array), f"{name}.{part}"))
        nodes.append(helper.make_node("Gemm", [source, f"{name}.weight", f"{name}.bias"], [name], transB=1))

    *hidden, last = net.layers
    for number, layer in enumerate(hidden):
        dense(f"layer{number}", layer, below)
        below = f"relu{number}"
        nodes.append(helper.make_node("Relu", [f"layer{number}"], [below]))
    dense("sums", last, below)
    nodes.append(helper.make_node("Sigmoid", ["sums"], ["value"]))
    widths = {"value": len(last[0])}
    if net.policy is not None:
        dense("logits", net.policy, below)
        widths["logits"] = len(net.policy[0])

    def tensor(name: str, width: int) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["states", width])

    outputs = [tensor(name, width) for name, width in widths.items()]
    graph = helper.make_graph(nodes, "net", [tensor("states", len(net.layers[0][1]))], outputs, stored)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    onnx.checker.check_model(model)
    return model


def main() -> None:
    """Import a model, or try it with a net of a small training."""
    if len(sys.argv) == 4:
        source, spec, out = sys.argv[1:]
        net = from_onnx(playout.load_game(spec), onnx.load(source))
        net.save(out)
        print(f"{out}: {net}")
        return
    game = playout.load_game("mnk(m=4,n=4,k=4)")
    examples = playout.self_play.self_play(game, games=30, simulations=50, seed=1)
    net = playout.self_play.learn(game, examples, hidden=(32, 16), epochs=4, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        onnx.save(to_onnx(net), path)
        print(f"{net}: {path.stat().st_size} bytes of ONNX")
        read = from_onnx(game, onnx.load(path))
    assert read.digest == net.digest
    state = game.new_initial_state()
    found = playout.MCTS(game, net=read, seed=1).run(state, simulations=500)
    print(f"500 simulations with the net that was read: {state.action_to_string(0, found.action)}")


if __name__ == "__main__":
    main()
