# SPDX-License-Identifier: MIT
"""Sphinx's configuration of the site; tools/docs runs it on the pages that stage.py, api.py and charts.py have made."""
import pathlib
import posixpath
import re

from docutils import nodes

project = 'xgrad'
_version = (pathlib.Path(__file__).resolve().parents[2] / 'include/xgrad/config/version.hpp').read_text(encoding='utf-8')
version = release = '.'.join(re.findall(r'#define XGRAD_VERSION_\w+ (\d+)', _version))
extensions = ['myst_parser']
myst_enable_extensions = ['colon_fence']
myst_heading_anchors = 4
highlight_language = 'text'
smartquotes = False
nitpicky = True
# Anchors in cells of tables, `<a id="name"></a>`, which MyST does not know; check_links.py checks the links to them.
suppress_warnings = ['myst.xref_missing']

html_theme = 'furo'
html_title = f'xgrad {version}'
html_static_path = ['static']
html_css_files = ['site.css']
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = 'friendly'
pygments_dark_style = 'github-dark'


def navigation_once(app, page, template, context, doctree):
    """The pages of sources are many and in no table of contents: all have one navigation, with links from their own folder."""
    if 'orphan' in (context.get('meta') or {}):
        navigation, folder = context['toctree'], '/' + posixpath.dirname(page)

        def toctree(**options):
            if not _navigation:
                _navigation.extend([folder, navigation(**options)])
            start, text = _navigation
            return re.sub(r'(?<=href=")[^"#:]+(?=["#])', lambda link: posixpath.relpath(posixpath.join(start, link[0]), folder), text)
        context['toctree'] = toctree


_navigation = []   # the folder of a page, and its navigation


def prepare_tables(app, doctree, page):
    """Prepares tables for narrow windows (site.css): words that may be wrapped, and the name of its column in each cell of a wide table."""
    for table in doctree.findall(nodes.table):
        for cell in table.findall(nodes.entry):
            if any(len(word) > 14 for word in cell.astext().split()):
                cell['classes'].append('wrapped')
        head = next(iter(table.findall(nodes.thead)), None)
        names = [cell.astext().strip() for cell in head[0]] if head else []
        if len(names) < 3:
            continue
        rows = next(iter(table.findall(nodes.tbody))).children
        table['classes'].append('stacked')
        if len(names) > 4 and max(len(row.astext()) for row in rows) > 400:
            table['classes'].append('long')   # sentences in more columns than a window has space for
        for row in rows:
            for name, cell in list(zip(names, row))[1:]:
                if name and cell.astext().strip():
                    first = cell[0] if isinstance(cell[0], nodes.paragraph) else cell
                    first.insert(0, nodes.inline(name, name + ' ', classes=['column']))


def setup(app):
    app.connect('doctree-resolved', prepare_tables)
    app.connect('html-page-context', navigation_once, priority=400)   # before the theme reads it
