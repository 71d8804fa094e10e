#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the links inside a built site: each leads to a file, and one with an anchor to an element of that name.

usage: check_links.py FOLDER"""
import html.parser
import pathlib
import posixpath
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.names, self.links = set(), set()
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == 'id' or (key == 'name' and tag == 'a'):
                self.names.add(value)
            elif key in ('href', 'src', 'action') and value:
                self.links.add(value)


def check(folder):
    files = {path.relative_to(folder).as_posix() for path in folder.rglob('*') if path.is_file()}
    pages = {name: Page(folder / name) for name in sorted(files) if name.endswith('.html')}
    wrong, links = [], 0
    for name, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            path, anchor = urllib.parse.unquote(parts.path), urllib.parse.unquote(parts.fragment)
            to = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if to not in files:
                wrong.append(f'{name}: {link} leads to no file')
            elif anchor and to in pages and anchor not in pages[to].names:
                wrong.append(f'{name}: {link} leads to no element')
    return wrong, len(pages), links


def main():
    wrong, pages, links = check(pathlib.Path(sys.argv[1]))
    print('\n'.join(wrong) if wrong else f'{pages} pages, {links} links')
    return 1 if wrong or not pages else 0


if __name__ == '__main__':
    sys.exit(main())
