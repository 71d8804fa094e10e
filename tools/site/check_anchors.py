#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the links inside a built site: each leads to a file, and one with an anchor to an element of that name.

LinkChecker looks for files too, but reads a page again for each anchor into it, which takes many minutes.

usage: check_anchors.py FOLDER"""
import html.parser
import pathlib
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
            elif key in ('href', 'src') and value:
                self.links.add(value)


def check(folder):
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob('*.html'))}
    wrong, links = [], 0
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            to = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            name, anchor = path.relative_to(folder.resolve()), urllib.parse.unquote(parts.fragment)
            if not to.is_file():
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
