"""Draw a frame of a scene without a run."""

import prviz
from prviz.player.pictures.frames import empty_frames, layout_json

PARTS = ("title", "noun", "cost", "optimiser", "world", "layers", "channels", "best_known")


def layout_of(scene, n):
    """Return the layout of a search of n variables with full restarts only."""
    parts = {name: getattr(scene, name) for name in PARTS}
    return layout_json(**parts, n_variables=n, levels=[prviz.Level(n)])


def frame_of(scene, state, n):
    frame = empty_frames(layout_of(scene, n), 1)[0]
    scene.draw(frame, state)
    return frame
