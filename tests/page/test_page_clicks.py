"""Clicks on cells that choose an action."""

import pytest

CLICKS = {
    "mark(a)": [["a"]],
    "drop(1)": [["k1", "k2"]],
    "move(b,c)": [["b"], ["c"]],
    "move(b,d,queen)": [["b"], ["d"]],
    "move(b,d,rook)": [["b"], ["d"]],
    "move(d,b)": [["d"], ["b"]],
    "jump(e,f)": [["e"], ["f"]],
    "jump(e,f,g)": [["e"], ["f"], ["g"]],
}
WALK = """async ([clicks, cells]) => {
    const {ClickPath} = await import("/static/js/controls/clicks.js");
    const path = new ClickPath(clicks);
    return cells.map((cell) => [path.pick(cell), path.picked, path.next.flat().sort()]);
}"""
STARTS = ["a", "b", "d", "e", "k1", "k2"]


LAST_CLICKS = [
    ("a", [["mark(a)"], ["a"], []]),
    ("k2", [["drop(1)"], ["k2"], []]),
    ("b", [[], ["b"], ["c", "d"]]),
    ("b c", [["move(b,c)"], ["b", "c"], []]),
    ("b d", [["move(b,d,queen)", "move(b,d,rook)"], ["b", "d"], []]),
    ("b b", [[], [], STARTS]),
    ("b e", [[], ["e"], ["f"]]),
    ("b nowhere", [[], [], STARTS]),
    ("d b", [["move(d,b)"], ["d", "b"], []]),
    ("e f", [["jump(e,f)"], ["e", "f"], ["g"]]),
    ("e f g", [["jump(e,f,g)"], ["e", "f", "g"], []]),
    ("e f f", [[], ["e"], ["f"]]),
]
"""Cells that are clicked -> the actions they mean, the cells that are marked, and those that may follow."""


def test_clicks_lead_to_actions(visit):
    visitor = visit()
    visitor.open()
    for cells, last in LAST_CLICKS:
        assert visitor.page.evaluate(WALK, [CLICKS, cells.split()])[-1] == last, cells


@pytest.mark.long
def test_heat_is_on_the_next_click_and_before_the_first_on_the_last(visit):
    visitor = visit()
    visitor.open()
    heats = """async (clicks) => {
        const {ClickPath} = await import("/static/js/controls/clicks.js");
        const path = new ClickPath(clicks);
        const shares = {"move(b,c)": 0.5, "move(b,d,queen)": 0.25, "drop(1)": 0.25};
        const first = path.heat(shares);
        path.pick("b");
        return [first, path.heat(shares)];
    }"""
    first, second = visitor.page.evaluate(heats, CLICKS)
    assert first == {"c": 0.5, "d": 0.25, "k1": 0.25, "k2": 0.25}
    assert second == {"c": 0.5, "d": 0.25}
