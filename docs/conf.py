"""Configuration of the documentation site; `make docs` builds it.

The source folder is the root of the repository, so that links to CONTRIBUTING.md, the notebooks and
the benchmark results work both on the site and in a checkout.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from prviz.site import write_site  # noqa: E402
from prviz.version import __version__  # noqa: E402
from tools.gallery import write_replays  # noqa: E402

project = "prviz"
copyright = "prviz developers"
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
    "docs.extensions.example",
    "docs.extensions.wrapping",
]
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/guide/*.md",
    "docs/api/*.md",
    "docs/explanation/*.md",
    "docs/decisions/*.md",
    "benchmarks/README.md",
    "benchmarks/results/*.md",
    "notebooks/*.ipynb",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
exclude_patterns = [".*", "build", "node_modules", "prviz", "tests", "assets"]

# The notebooks are shown without outputs: their player needs a kernel. The tests run them.
nb_execution_mode = "off"
suppress_warnings = ["mystnb.unknown_mime_type"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

default_role = "py:obj"  # `name` in a docstring

autodoc_member_order = "bysource"
autodoc_typehints = "none"
toc_object_entries_show_parents = "hide"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "prviz"
html_favicon = str(ROOT / "assets" / "icon.svg")
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_search_scorer = str(ROOT / "docs" / "_static" / "search.js")
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"docs/index": [], "docs/gallery": []}
html_theme_options = {
    "logo": {"text": "prviz"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "show_toc_level": 2,
}


def setup(app):
    """Write replays, the live course, and a page at the site's root that redirects to the index."""

    def replays(app):
        if app.builder.format == "html":
            write_replays(Path(app.outdir, "replays"))
            write_site(Path(app.outdir, "live"))

    def redirect(app, error):
        if error is None and app.builder.format == "html":
            page = '<!doctype html><meta http-equiv="refresh" content="0; url=docs/index.html">\n'
            Path(app.outdir, "index.html").write_text(page, "utf-8")

    app.connect("builder-inited", replays)
    app.connect("build-finished", redirect)
