# SPDX-License-Identifier: MIT
"""Copies the documents into a folder for Sphinx. Links to documents stay as they are. A file or folder of the repository that is linked
becomes a page, so that the site needs nothing outside of itself."""
import os
import pathlib
import re
import shutil

HOME = 'README.md'
MAP = 'docs/README.md'   # its headings and tables are the navigation
BESIDE = ('CONTRIBUTING.md', 'CHANGELOG.md')
FENCE = re.compile(r'^\s*(```+|~~~+)')
# A code span, which may hold what looks like a link, or the target of a link.
LINK = re.compile(r'(?P<ticks>`+)(?!`)(?:(?!\n\s*\n).)*?(?<!`)(?P=ticks)(?!`)|(?P<before>\]\()(?P<target>[^)\s]+)(?P<after>\))', re.S)
LANGUAGES = {'.hpp': 'cpp', '.cpp': 'cpp', '.py': 'python', '.cmake': 'cmake', '.json': 'json', '.sh': 'bash', '.yml': 'yaml'}
IMAGES = ('.svg', '.png')


def documents(root):
    """Page of the site → file of the repository."""
    found = {'index.md': root / HOME}
    found.update({name: root / name for name in BESIDE if (root / name).exists()})
    for path in [*sorted((root / 'docs').glob('*.md')), *sorted((root / 'docs').glob('*/*.md')), *sorted((root / 'examples').rglob('*.md'))]:
        found[path.relative_to(root).as_posix()] = path
    return found


def segments(text):
    """(whether it is a fenced block, text), in order."""
    current, fence = [], None
    for line in text.splitlines(keepends=True):
        mark = FENCE.match(line)
        if fence is None and mark:
            yield False, ''.join(current)
            current, fence = [line], mark[1]
        elif fence is not None and mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            yield True, ''.join([*current, line])
            current, fence = [], None
        else:
            current.append(line)
    yield fence is not None, ''.join(current)


def language(path):
    if path.name == 'CMakeLists.txt':
        return 'cmake'
    if path.suffix in LANGUAGES:
        return LANGUAGES[path.suffix]
    first = path.read_text(encoding='utf-8').partition('\n')[0]
    return 'python' if 'python' in first else 'bash' if first.startswith('#!') else 'text'


def toctree(caption, rows, folder):
    """Sphinx's list of pages, which makes the navigation; it is not shown on the page itself."""
    head = f':caption: {caption}\n' if caption else ''
    return f'\n```{{toctree}}\n:hidden:\n{head}\n' + ''.join(f'{title} <{os.path.relpath(page.removesuffix(".md"), folder or ".")}>\n' for title, page in rows) + '```\n'


class Stage:
    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.pages = documents(root)
        self.page_of = {path.resolve(): page for page, path in self.pages.items()}
        self.wrong = []
        self.open = []   # linked files and folders that still want a page

    def write(self, page, text):
        path = self.folder / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')

    def page(self, path):
        """The page of a file or folder of the repository."""
        if path not in self.page_of:
            place = path.relative_to(self.root).as_posix()
            self.page_of[path] = f'{place}/index.md' if path.is_dir() else f'{place}.md'
            self.open.append(path)
        return self.page_of[path]

    def link(self, target, document, page):
        """What a link of a document says on its page."""
        if re.match(r'^([a-z]+:|#)', target):
            return target
        place, sign, anchor = target.partition('#')
        path = (document.parent / place).resolve()
        if not path.is_relative_to(self.root) or not path.exists():
            self.wrong.append(f'{document.relative_to(self.root)}: {target} is not there')
            return target
        if path.suffix in IMAGES:
            shown = self.folder / path.relative_to(self.root)
            shown.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, shown)
            to = path.relative_to(self.root).as_posix()
        else:
            to = self.page(path)
        return os.path.relpath(to, pathlib.PurePosixPath(page).parent) + sign + anchor

    def rewritten(self, text, document, page):
        def change(found):
            return found[0] if found['target'] is None else found['before'] + self.link(found['target'], document, page) + found['after']
        # Pygments has no lexer for CSV.
        return ''.join(part.replace('```csv', '```text') if fenced else LINK.sub(change, part) for fenced, part in segments(text))

    def source_page(self, path):
        place = path.relative_to(self.root).as_posix()
        head = f'---\norphan: true\nnosearch: true\n---\n\n# {path.name}\n\n'
        if path.is_dir():
            rows = [f'* [{below.name}{"/" * below.is_dir()}]({os.path.relpath(self.page(below), place)})\n'
                    for below in sorted(path.iterdir()) if not below.name.startswith('.') and below.suffix != '.csv' and below.name != '__pycache__']
            return head + f'`{place}/` in the repository.\n\n' + ''.join(rows)
        text = path.read_text(encoding='utf-8')
        fence = '`' * max([3, *(len(ticks) + 1 for ticks in re.findall(r'`+', text))])
        return head + f'`{place}` in the repository.\n\n{fence}{{code-block}} {language(path)}\n:linenos:\n:force:\n\n{text}\n{fence}\n'

    def rows(self, place, text):
        """(title, page) of the documents that the tables of a text link, in their order."""
        links = re.findall(r'\[([^\]]+)\]\(([\w./]+\.md)\)', '\n'.join(line for line in text.splitlines() if line.startswith('| ')))
        found = {}
        for title, target in links:
            found.setdefault(self.page_of.get((self.root / place).parent.joinpath(target).resolve()), title)
        return [(title, page) for page, title in found.items() if page]

    def chapters(self, place):
        """The pages below an index of a folder, docs/<folder>/README.md or examples/README.md: those of its folder that its tables link."""
        text = (self.root / place).read_text(encoding='utf-8')
        return [(title, page) for title, page in self.rows(place, text) if pathlib.PurePosixPath(page).is_relative_to(pathlib.PurePosixPath(place).parent) and page != place]

    def navigation(self, made):
        """The documents in the order of the map, with its headings, then the pages that are made, then all other documents."""
        text = (self.root / MAP).read_text(encoding='utf-8') if MAP in self.pages else ''
        groups = [(part.partition('\n')[0], self.rows(MAP, part)) for part in re.split(r'^## ', text, flags=re.M)[1:]]
        if not any(rows for _, rows in groups):
            self.wrong.append(f'{MAP}: no table of documents is found')
        named = {page for _, rows in groups for _, page in rows} | {'index.md'}
        named |= {page for place in self.indexes() for _, page in self.chapters(place)}
        rest = [(re.search(r'^# (.*)$', path.read_text(encoding='utf-8'), re.M)[1], page) for page, path in self.pages.items() if page not in named]
        return ''.join(toctree(caption, rows, '') for caption, rows in (*groups, ('Made from the code', made), ('More', rest)) if rows)

    def indexes(self):
        return [page for page in self.pages if re.fullmatch(r'(docs/\w+|examples)/README\.md', page)]

    def run(self, reference=(), sources=()):
        for page, path in self.pages.items():
            text = self.rewritten(path.read_text(encoding='utf-8'), path, page)
            if page == 'index.md':
                text += self.navigation(reference)
            elif page in self.indexes():
                text += toctree('', self.chapters(page), pathlib.PurePosixPath(page).parent)
            self.write(page, text)
        for path in sources:
            self.page(path)
        while self.open:
            path = self.open.pop()
            self.write(self.page_of[path], self.source_page(path))
        return self.wrong
