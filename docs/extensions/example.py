"""The directive ``example``: Python that runs when the site is built, with its output.

All examples of a page share their variables, like the cells of a notebook. They run in Sphinx's
process, so that kernels are loaded once and not for every page.
"""

import ast
import contextlib
import io
import re
import warnings
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Example(SphinxDirective):
    """Show Python code and what it prints and returns."""

    has_content = True
    option_spec: ClassVar = {
        "hide-code": directives.flag,
        "hide-output": directives.flag,
        "markdown": directives.flag,  # the result is Markdown
    }

    def run(self) -> list[nodes.Node]:
        """Run the code, and return the nodes of code and output."""
        code = "\n".join(self.content)
        names = self.env.temp_data.setdefault("names of examples", {"__name__": "example"})
        try:
            printed, result = run_code(code, names, f"{self.env.docname}:{self.lineno}")
        except Exception as error:
            raise self.error(f"The example raised {type(error).__name__}: {error}") from error
        shown: list[nodes.Node] = []
        if "hide-code" not in self.options:
            shown.append(nodes.literal_block(code, code, language="python"))
        if "hide-output" in self.options:
            return shown
        if "markdown" in self.options:
            return [*shown, *self.parse_text_to_nodes(result, allow_section_headings=True)]
        if printed:
            shown.append(_output(printed))
        if hasattr(result, "to_html"):
            html = result.to_html(border=0, max_rows=8)
            shown.append(nodes.raw("", html, format="html"))
        elif result is not None:
            shown.append(_output(repr(result)))
        return shown


def _output(text: str) -> nodes.Node:
    columns = re.search(r"\S {2,}\S", text)  # lines of a table must not wrap
    classes = ["output"] if columns else ["output", "wrapped"]
    text = text.rstrip()  # a source that differs from the text would not be highlighted
    return nodes.literal_block(text, text, language="text", classes=classes)


def run_code(code: str, names: dict[str, Any], where: str) -> tuple[str, Any]:
    """Return what code prints, and the value of its last line if that is an expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(tree, where, "exec"), names)
        result = eval(compile(ast.Expression(last.value), where, "eval"), names) if last else None
    return out.getvalue(), result


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("example", Example)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
