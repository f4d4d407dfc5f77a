# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# Settings of the site (scripts/site.sh, `make site`). Sphinx reads the tree from its root, so that links lead from page to page
# as they do on GitHub. Pages are Markdown, read by MyST.
import os
import re
import sys
from importlib import resources
from pathlib import Path

from docutils import nodes
from pygments.lexer import RegexLexer, bygroups
from pygments.token import Generic, Text
from sphinx.util.docutils import SphinxDirective

root = Path(__file__).resolve().parents[1]
site = Path(os.environ.get("SLUICE_SITE", root / "build/site"))  # where scripts/site.sh makes it
version_header = (root / "hal/include/sluice/version.h").read_text(encoding="utf-8")

project = "Sluice"
author = "The Sluice authors"
copyright = author
version = release = re.search(r'^#define SL_VERSION "(.*)"$', version_header, re.M)[1]

extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "docs/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**.md", "tests/model/README.md", "tests/workloads/**.md"]
# Sphinx looks into no other folder.
exclude_patterns = sorted(path.name for path in root.iterdir() if path.is_dir() and path.name not in ("docs", "tests"))
nitpicky = True

myst_heading_anchors = 4  # named as GitHub names them
highlight_language = "none"

html_theme = "furo"
# Debian's furo has dark colours only for those who ask the page for them, not for those whose browser is dark.
furo_style = (resources.files("furo") / "theme/furo/static/styles/furo.css").read_text(encoding="utf-8")
dark_rules = re.search(r'body\[data-theme="dark"\] \{(.*?)\}', furo_style, re.S)[1]
html_theme_options = {"dark_css_variables": dict(re.findall(r"--([\w-]+): (.*?);", dark_rules))}
html_title = f"Sluice {version}"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_use_index = False
html_show_search_summary = False  # a page from file:// cannot fetch others

copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"
copybutton_prompt_text = "$ "


class Console(RegexLexer):
    """What one types, after `$ `, and what is printed. Pygments' own takes no command for good that bash could not read."""

    tokens = {"root": [(r"^(\$ )(.*\n)", bygroups(Generic.Prompt, Generic.Strong)), (r".*\n", Text)]}


class Manual(SphinxDirective):
    """`{manual} NAME.SECTION`: the manual page as `man` shows it, written by scripts/site.sh."""

    required_arguments = 1

    def run(self):
        path = site / "manuals" / self.arguments[0]
        self.env.note_dependency(str(path))
        text = path.read_text(encoding="utf-8")
        block = nodes.literal_block(text, text, language="text")
        return [block]


def setup(app):
    app.add_lexer("console", Console)
    app.add_directive("manual", Manual)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# Pages of interfaces, from what scripts/api-xml.sh has read in the headers.
sys.path.insert(0, str(root / "docs"))
extensions += ["breathe", "api_pages"]
breathe_projects = {"sluice": str(site / "api/xml")}
breathe_default_project = "sluice"
breathe_default_members = ("members", "undoc-members")
breathe_domain_by_extension = {"h": "c"}
breathe_show_define_initializer = True
breathe_show_include = False
nitpick_ignore_regex = [  # types of C, and those of sluice/layouts.h and codes.h, which docs/look-up/registers.md describes
    ("c:identifier", r"u?int(32|64)_t|size_t|error_t|FILE|argp|argp_state|TYPE|SL_[A-Z_]+"),
    ("c:identifier", r"sl_(channel|channel_role|graph|guard_kind|launch|predicate|scheduler|sequence|trees|when_full)"),
]
