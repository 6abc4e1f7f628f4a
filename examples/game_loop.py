"""The loop of a game with graphics, 60 frames a second, without the graphics: the bot thinks in the background.

A frame reads the input, changes the game and draws. It must not wait for a search, so the answer comes from a thread,
and `thinking.done()` asks in each frame whether it is there. `draw` stands for what pygame or another library would do;
the SVG of the position may be its picture.
"""

import time
from concurrent.futures import Future, ThreadPoolExecutor

import playout

FRAME_SECONDS = 1 / 60
THINKING_SECONDS = 0.15


def click(frame: int, legal: list[str]) -> str | None:
    """Return the action of a click in this frame. This player clicks on the middle free cell, every 15 frames."""
    return legal[len(legal) // 2] if frame % 15 == 0 else None


def draw(match: playout.Match, is_thinking: bool) -> int:
    """Draw a frame. Return the number of characters of the picture."""
    return 0 if is_thinking else len(match.state.to_svg(size=200))


def main() -> None:
    limit = playout.Limit(seconds=THINKING_SECONDS)
    with playout.Match("mnk(m=4,n=4,k=4)", {"o": "mcts"}, seed=1, limit=limit) as match:
        with ThreadPoolExecutor(1) as pool:
            thinking: Future[object] | None = None
            frame = slow_frames = frames_of_thinking = 0
            while thinking is not None or not match.is_over:
                begin = time.perf_counter()
                if thinking is not None and thinking.done():
                    thinking.result()  # raises what went wrong in the bot
                    thinking = None
                if thinking is None and not match.is_over:
                    action = click(frame, match.legal_actions())
                    if action is not None:
                        thinking = pool.submit(match.play, action)
                else:
                    frames_of_thinking += 1
                draw(match, thinking is not None)
                spent = time.perf_counter() - begin
                slow_frames += spent > FRAME_SECONDS
                time.sleep(max(0.0, FRAME_SECONDS - spent))
                frame += 1
        print(f"{match}\nreturns: {match.returns}")
        print(f"{frame} frames, {frames_of_thinking} of them while the bot was thinking, {slow_frames} late")


if __name__ == "__main__":
    main()
