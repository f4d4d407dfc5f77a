# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: The Sluice authors
#
# What the pages of interfaces (docs/look-up/host-api.md, kernel-api.md) need beside Breathe: comments of headers name pages
# and headers by their paths, which become links here.
import logging
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.nodes import make_refnode

PAGES = ("docs/look-up/host-api", "docs/look-up/kernel-api")
PAGE = re.compile(r"docs/(?:[a-z-]+/)*[a-z-]+\.md")
# A structure or an enumeration and a function, which may have one name in C; Sphinx knows one kind of names.
TWICE = re.compile(r"Duplicate C declaration.*(\b(sl_view|sl_device_barrier|sl_tasks_count)\b|enum sl_form form)", re.S)


def join_lines(doctree):
    """Doxygen keeps the end of a line that is within quotes, and Breathe begins a paragraph there, in that around it."""
    for paragraph in list(doctree.findall(nodes.paragraph)):
        if isinstance(paragraph.parent, nodes.paragraph):
            paragraph.parent.replace(paragraph, [nodes.Text(" "), *paragraph.children])


def link_pages(app, doctree):
    """docs/know/trust.md in a comment: a link to the page."""
    if app.env.docname not in PAGES:
        return
    # Breathe forgets what a page was made of where several processes read pages.
    app.env.note_dependency(str(Path(app.config.breathe_projects["sluice"]).with_name("complete")))
    join_lines(doctree)
    for text in list(doctree.findall(nodes.Text)):
        if not PAGE.search(text) or isinstance(text.parent, (nodes.literal, nodes.reference, nodes.literal_block, nodes.raw)):
            continue
        parts, end = [], 0
        for found in PAGE.finditer(text):
            target = "/" + found[0].removesuffix(".md")
            link = addnodes.pending_xref("", refdoc=app.env.docname, refdomain="std", reftype="doc", reftarget=target,
                                         refexplicit=True, refwarn=True)
            link += nodes.inline("", found[0].split("/")[-1])
            parts += [nodes.Text(text[end:found.start()]), link]
            end = found.end()
        text.parent.replace(text, parts + [nodes.Text(text[end:])])


def link_header(app, env, node, content):
    """sluice/value.h in a comment, which Doxygen takes for a link to a file: a link to the header's section."""
    if not node.get("reftarget", "").endswith("_8h"):
        return None
    header = content.astext().removeprefix("hal/include/")
    if not header.startswith("sluice/"):
        return content
    return make_refnode(app.builder, node["refdoc"], PAGES["/wave/" in header], nodes.make_id(header), content)


def setup(app):
    logging.getLogger("sphinx.sphinx.domains.c").addFilter(lambda record: not TWICE.search(record.getMessage()))
    app.connect("doctree-read", link_pages)
    app.connect("missing-reference", link_header)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
