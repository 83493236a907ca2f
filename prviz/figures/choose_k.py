"""Four criteria for the number of clusters, each in its own panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .style import CHOSEN, NEUTRAL, Figure, base_layout, graph_objects

#: Criterion → its column and the title of its panel.
PANELS = {
    "elbow": ("inertia", "inertia"),
    "silhouette": ("silhouette", "mean silhouette"),
    "gap": ("gap", "gap statistic"),
    "stability": ("stability", "stability"),
}
LEFT, RIGHT = [0.0, 0.44], [0.56, 1.0]
LOWER, UPPER = [0.0, 0.4], [0.6, 1.0]
PLACES = [(LEFT, UPPER), (RIGHT, UPPER), (LEFT, LOWER), (RIGHT, LOWER)]


def plot_choice(rows: Sequence[Any], suggestions: Mapping[str, int | None]) -> Figure:
    """Draw each criterion over k, with the k that it suggests marked.

    Parameters
    ----------
    rows : sequence of prviz.choose_k.Row
    suggestions : mapping of str to int or None
        The suggestion of each criterion.

    Returns
    -------
    plotly.graph_objects.Figure
    """
    layout = base_layout("k, clusters", "")
    axes = layout.pop("xaxis"), layout.pop("yaxis")
    figure = graph_objects().Figure(layout={**layout, "showlegend": False, "height": 480})
    ks = [row.k for row in rows]
    for number, (criterion, (column, title)) in enumerate(PANELS.items(), 1):
        x, y = PLACES[number - 1]
        figure.update_layout(
            {
                f"xaxis{number}": {**axes[0], "domain": x, "anchor": f"y{number}"},
                f"yaxis{number}": {
                    **{**axes[1], "domain": y, "anchor": f"x{number}"},
                    "title": {"text": title},
                },
            }
        )
        values = [getattr(row, column) for row in rows]
        errors = [row.gap_error for row in rows]
        chosen = [k == suggestions[criterion] for k in ks]
        figure.add_scatter(
            x=ks,
            y=values,
            xaxis=f"x{number}",
            yaxis=f"y{number}",
            mode="lines+markers",
            line={"color": NEUTRAL, "width": 2},
            marker={
                "color": [CHOSEN if each else NEUTRAL for each in chosen],
                "opacity": 1,
                "size": [12 if each else 7 for each in chosen],
            },
            error_y={"type": "data", "array": errors, "visible": criterion == "gap"},
            hovertemplate=f"k = %{{x}}: {title} %{{y:.4g}}<extra></extra>",
        )
    return figure
