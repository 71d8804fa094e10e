# SPDX-License-Identifier: MIT
"""Sphinx's configuration of the site; tools/docs runs it on the pages that stage.py, api.py and charts.py have made."""
import pathlib
import re

project = 'xgrad'
_version = (pathlib.Path(__file__).resolve().parents[2] / 'include/xgrad/config/version.hpp').read_text(encoding='utf-8')
version = release = '.'.join(re.findall(r'#define XGRAD_VERSION_\w+ (\d+)', _version))
extensions = ['myst_parser']
myst_enable_extensions = ['colon_fence']
myst_heading_anchors = 4
highlight_language = 'text'
smartquotes = False
nitpicky = True

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
    """The pages of sources are many and in no table of contents: those of a folder share one navigation."""
    if 'orphan' in (context.get('meta') or {}):
        navigation, folder = context['toctree'], page.rpartition('/')[0]

        def toctree(**options):
            if folder not in _navigations:
                _navigations[folder] = navigation(**options)
            return _navigations[folder]
        context['toctree'] = toctree


_navigations = {}


def setup(app):
    app.connect('html-page-context', navigation_once, priority=400)   # before the theme reads it
