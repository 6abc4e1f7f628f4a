"""The commands `report` and `ratings` over stored games."""

from page_reader import Page


def test_the_commands_show_what_is_stored(tmp_path, playout):
    page = tmp_path / "a.html"
    bots = ("random", "greedy", "mcts:simulations=20")
    options = ("--games", "6", "--opening-plies", "2", "--executor", "threads", "--db", "a.db")
    assert playout("arena", "points_ttt", *bots, *options).status == 0
    report = ("report", "a.db", "-o", "a.html")
    done = playout(*report)
    assert done.status == 0
    assert "18 games" in done.out
    shown = Page(page.read_text(encoding="utf-8"))
    assert "2 random steps" in shown.text
    assert len(shown.data["games"]) == 18
    assert playout(*report, "--anchor", "random=1000").status == 0
    assert Page(page.read_text(encoding="utf-8")).data["results"]["ratings"]["anchors"] == {"random": 1000}
    assert playout(*report, "--anchor", "nobody=1000").status == 2
    done = playout("ratings", "a.db")
    assert done.status == 0
    assert "Won/drawn/lost in whole blocks" in done.out
    assert "Likelihood that the row is better" in done.out
    for command, words in (
        (("report", "a.db", "-o", "no/a.html"), "cannot write"),
        (("report", "no.db"), "no file 'no.db'"),
    ):
        done = playout(*command)
        assert done.status == 2
        assert words in done.err
