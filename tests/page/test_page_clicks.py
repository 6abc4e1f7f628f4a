"""Clicks on cells that choose an action."""

import pytest
from browser import DESK, PHONE

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


def drag(visitor, start, end, *, touch=False):
    """Drag from a cell to a place beside its middle in another one, by a mouse or a finger."""
    boxes = [visitor.page.locator(f"po-board [data-cell='{cell}'] .ground").bounding_box() for cell in (start, end)]
    (x, y), (to_x, to_y) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3) for box in boxes]
    steps = [(x, y), (x + (to_x - x) / 2, y + (to_y - y) / 2), (to_x, to_y)]
    if touch:
        session = visitor.context.new_cdp_session(visitor.page)
        for kind, at in zip(("touchStart", "touchMove", "touchMove", "touchEnd"), (*steps, None), strict=True):
            points = [{"x": at[0], "y": at[1]}] if at else []
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return
    mouse = visitor.page.mouse
    mouse.move(*steps[0])
    mouse.down()
    for at in steps[1:]:
        mouse.move(*at)
    mouse.up()


@pytest.mark.parametrize("touch", [False, pytest.param(True, marks=pytest.mark.long)], ids=["mouse", "finger"])
def test_pieces_are_dragged(visit, touch):
    visitor = visit(PHONE if touch else DESK)
    made = visitor.begin("chess", {}, start="4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1")
    page = visitor.page
    drag(visitor, "a7", "a5", touch=touch)  # no move
    assert page.locator("po-board .picked, po-board .held, po-ask button").count() == 0
    drag(visitor, "a7", "a7", touch=touch)  # picked, and left where it is
    assert page.get_attribute("po-board .picked", "data-cell") == "a7"
    drag(visitor, "a7", "a8", touch=touch)
    names = [button.get_attribute("aria-label") for button in page.locator("po-ask .piece").all()]
    assert names == [f"white {piece}" for piece in ("queen", "rook", "bishop", "knight")]
    around, cell = page.locator("po-ask").bounding_box(), page.locator("[data-cell=a8]").bounding_box()
    assert 0 <= around["y"] - cell["y"] - cell["height"] < 20  # beside the cell
    assert around["x"] >= 0
    page.click("po-ask .piece >> nth=1")
    visitor.wait_for_change(0)
    assert visitor.match(made)["history"] == [{"white": "a7a8r"}]
    assert page.locator("po-board [data-cell]:has(> rect.po-t-red)").get_attribute("data-cell") == "e8"  # in check
