# SPDX-License-Identifier: MIT
"""For run.py: the headers of cases, how deep they are included, and precompiled ones. It runs the compilers."""
import collections
import os
import re
import subprocess
import tempfile
import threading

LINES = 15   # that a person sees without scrolling
HEAP = '--param=ggc-min-heapsize=524288'   # g++ need not collect what it will not use again
HEADER = re.compile(r'^(\.+) (.+)$', re.MULTILINE)   # printed for -H


def is_clang(compiler):
    return 'clang' in os.path.basename(compiler)


def run(command):
    environment = dict(os.environ, LC_ALL='C')
    if not is_clang(command[0]):
        command = [command[0], HEAP, *command[1:]]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.returncode, done.stderr + done.stdout


def headers(path):
    """What a case includes: its lines up to the last #include, which are comments and directives, as one piece of text."""
    with open(path, encoding='utf-8') as lines:
        text = [line.strip() for line in lines]
    last = max((i for i, line in enumerate(text) if re.match(r'# *include <', line)), default=-1)
    end = last + 1
    while end < len(text) and text[end].startswith('#endif') and last >= 0:
        end += 1
    return '\n'.join(line for line in text[:end] if line.startswith('#'))


class Together:
    """A precompiled header of what all cases include, for compilations of several of them."""
    folder = None

    @classmethod
    def files(cls, compiler):
        source = os.path.join(cls.folder, os.path.basename(compiler), 'all.hpp')
        return source, source + ('.pch' if is_clang(compiler) else '.gch')

    @classmethod
    def make(cls, compiler, options, cases):
        source, file = cls.files(compiler)
        os.makedirs(os.path.dirname(source), exist_ok=True)
        with open(source, 'w', encoding='utf-8') as handle:
            handle.write('\n'.join(dict.fromkeys(headers(case) for case in cases)) + '\n')
        # So templates of the headers are not instantiated again by each compilation. g++ never does.
        once = ['-fpch-instantiate-templates'] if is_clang(compiler) else []
        status, output = run([compiler, *options, *once, '-x', 'c++-header', source, '-o', file])
        return output[:4000] if status else None

    @classmethod
    def options(cls, compiler):
        if cls.folder is None:
            return []
        source, file = cls.files(compiler)
        return ['-include-pch', file] if is_clang(compiler) else ['-include', source]


def preprocess(compiler, options, cases):
    """The headers that all cases include, as a compiler's -H prints them: pairs of the number of dots and a header."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'headers.cpp')
        with open(path, 'w', encoding='utf-8') as source:
            source.write('\n'.join(dict.fromkeys(headers(case) for case in cases)) + '\n')
        quick = ['-M'] if is_clang(compiler) else ['-E', '-fdirectives-only']
        _, output = run([compiler, *options, '-H', *quick, path, '-o', os.devnull])
    return [(len(dots), os.path.abspath(header)) for dots, header in HEADER.findall(output)]


class Depths:
    """How deep headers are included: the lines "In file included from" of an error in them.
    In a compilation a compiler omits such lines where it has printed them before.

    A depth depends on the headers that a case includes first. The preprocessor runs once for all cases and shows which headers there are
    and which #include lines under a condition count. The rest is read from the headers' texts: each is included once, by the first line
    that names it. Where that leaves a doubt, the preprocessor runs for one first header."""

    def __init__(self, compiler, options, cases):
        self.compiler, self.options, self.cases, self.depths, self.asked = compiler, options, cases, {}, {}
        self.folders = [os.path.abspath(option[2:]) for option in options if option.startswith('-I') and option != '-I']
        self.lines, self.seen, path = {}, set(), []
        for depth, header in preprocess(compiler, options, cases):
            path[depth - 1:] = [header]
            self.seen.add((path[-2] if depth > 1 else None, header))
        self.known = {header for _, header in self.seen}

    @staticmethod
    def first(case):
        return headers(case).split('\n')[0]   # the same first header: the same lines before an error in it

    def of(self, case, header):
        """The depth of a header, or None where the case does not include it."""
        first = self.first(case)
        if first not in self.depths:
            alike = [other for other in self.cases if self.first(other) == first]
            found = {}
            text = '\n'.join(dict.fromkeys(headers(other) for other in alike))
            self.depths[first] = alike, found if self.follow(None, self.includes(text), 1, found) else {}
        alike, found = self.depths[first]
        if header in found:
            return found[header]
        if first not in self.asked:
            asked = {}
            for depth, other in preprocess(self.compiler, self.options, alike):
                asked.setdefault(other, depth)
            self.asked[first] = asked
        return self.asked[first].get(header)

    def includes(self, text):
        """The known headers that a text includes, each with whether a condition decides about it."""
        result, conditions = [], 0
        for word, name in re.findall(r'^[ \t]*#[ \t]*(if|endif|include)\w*[ \t]*(?:<([^>]+)>)?', text, re.MULTILINE):
            conditions += (word == 'if') - (word == 'endif')
            path = next((path for path in (os.path.join(folder, name) for folder in self.folders) if path in self.known), None)
            if word == 'include' and path:
                result.append((path, conditions > 0))
        return result

    def follow(self, parent, lines, depth, found):
        """Notes the depths of what these lines include. False where it is in doubt."""
        for header, conditional in lines:
            if header in found:
                continue
            if header not in self.lines:
                with open(header, encoding='utf-8') as file:
                    text = file.read()
                self.lines[header] = self.includes(text) if '#pragma once' in text else None
            if self.lines[header] is None:   # included more than once: headers that define macros, without errors
                continue
            if conditional and (parent, header) not in self.seen:
                if any(other not in found and self.lines.get(other, ()) is not None for other, _ in self.lines[header]):
                    return False
                continue   # the doubt is about this header alone: what it includes has been included before
            found[header] = depth
            if not self.follow(header, self.lines[header], depth + 1, found):
                return False
        return True


class Precompiled:
    """Precompiled first headers of the cases that are compiled alone: parsing headers is most of their time.

    `alone` has pairs of such a case and its compiler. A case that fails with the header is judged again without it."""
    WORTH_IT = 4   # the least number of cases with one first header

    def __init__(self, folder, alone):
        self.folder, self.made, self.lock = folder, {}, threading.Lock()
        self.wanted = collections.Counter((compiler, self.header(case)) for case, compiler in alone)

    @staticmethod
    def header(case):
        match = re.match(r'# *include <(xgrad/[^>]+)>', headers(case))
        return match.group(1) if match else None

    def options(self, compiler, options, case):
        """What makes a compiler read the precompiled header; nothing where it is not worth it or cannot be made."""
        header = self.header(case)
        key = compiler, header
        if header is None or self.wanted[key] < self.WORTH_IT:
            return []
        with self.lock:
            if key not in self.made:
                self.made[key] = self.make(compiler, options, header)
            return self.made[key]

    def make(self, compiler, options, header):
        folder = os.path.join(self.folder, str(len(self.made)))
        file = os.path.join(folder, header + ('.pch' if is_clang(compiler) else '.gch'))
        os.makedirs(os.path.dirname(file))
        source = os.path.join(folder, 'header.hpp')
        with open(source, 'w', encoding='utf-8') as handle:
            handle.write(f'#include <{header}>\n')
        status, _ = run([compiler, *options, '-x', 'c++-header', source, '-o', file])
        if status != 0:
            return []
        return ['-include-pch', file] if is_clang(compiler) else ['-I', folder]
