"""A frame of a scene, drawn without a run."""

import prviz
from prviz.player.pictures.frames import empty_frames, layout_json

PARTS = ("title", "noun", "cost", "optimiser", "world", "layers", "channels", "best_known")


def layout_of(scene, n):
    """The layout of a search of n variables, without a level below the restarts."""
    parts = {name: getattr(scene, name) for name in PARTS}
    return layout_json(**parts, n_variables=n, levels=[prviz.Level(n)])


def frame_of(scene, state, n):
    frame = empty_frames(layout_of(scene, n), 1)[0]
    scene.draw(frame, state)
    return frame
