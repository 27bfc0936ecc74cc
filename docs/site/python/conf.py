"""Configures Sphinx for the reference of the Python packages. docs/site/reference.py calls Sphinx with the built packages in PYTHONPATH."""

import re

project = "Popscope: Python"
extensions = ["sphinx.ext.autodoc"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px", "sidebar_width": "360px"}
html_show_sourcelink = False
html_copy_source = False
autodoc_member_order = "bysource"


def plain(app, what, name, obj, options, lines):
    """Escapes docstrings, which are plain text: an indented part is an example, and no character is markup."""
    text = []
    for line in lines:
        indented = line.startswith("  ")
        before = text[-1] if text else ""
        if indented and not before.startswith("  ") and not (before == "" and len(text) > 1 and text[-2].startswith("  ")):
            text += ["", "::", ""]
        elif not indented and line and before.startswith("  "):
            text.append("")
        text.append(line if indented else re.sub(r"([*`|_\\])", r"\\\1", line))
    lines[:] = text


def setup(app):
    app.connect("autodoc-process-docstring", plain)
