#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the pages of the site, which Sphinx then builds: documents, sources that they link, public names, charts. tools/docs runs it.

usage: make.py --root REPOSITORY --xml FOLDER --to FOLDER"""
import argparse
import pathlib
import shutil
import sys

import api
import charts
import stage


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--root', type=pathlib.Path, required=True)
    parser.add_argument('--xml', type=pathlib.Path, required=True)
    parser.add_argument('--to', type=pathlib.Path, required=True)
    options = parser.parse_args()
    root, folder = options.root.resolve(), options.to
    shutil.rmtree(folder, ignore_errors=True)
    made, headers, wrong = api.pages(options.xml, root)
    drawn, missing = charts.pages(root, folder)
    made.update(drawn)
    staged = stage.Stage(root, folder)
    wrong += missing + staged.run([('Charts', 'charts.md'), ('API', 'api/index.md')], headers)
    for page, text in made.items():
        staged.write(page, text)
    print('\n'.join(wrong) if wrong else f'{len(staged.page_of) + len(made)} pages')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
