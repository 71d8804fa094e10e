# SPDX-License-Identifier: MIT
"""All headers, the umbrella and the single header after the macros of tests/consume/common_macros.hpp: they compile and keep the macros.

    common_macros_test.py REPOSITORY COMPILER [OPTION...]

Each header follows those that it includes, so that each is once the outermost one, which hides and restores macros.
The preprocessor decides: after the macros it writes the same words as without them. Other tests compile those without them.
The umbrella, which is small, is also compiled.
"""
import functools
import importlib.machinery
import importlib.util
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile

root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
loader = importlib.machinery.SourceFileLoader('amalgamate', str(root / 'tools/amalgamate'))
amalgamate = importlib.util.module_from_spec(importlib.util.spec_from_loader('amalgamate', loader))
sys.dont_write_bytecode = True
loader.exec_module(amalgamate)

MACROS = root / 'tests/consume/common_macros.hpp'
NAMES = re.findall(r'^#define (\w+)', MACROS.read_text(encoding='utf-8'), re.MULTILINE)
THIRD_PARTIES = {'xtensor': '__has_include(<xtensor/xtensor.hpp>) || __has_include(<xtensor/containers/xtensor.hpp>)',
                 'Eigen|unsupported/Eigen': '__has_include(<Eigen/Core>)', 'mdspan': '__has_include(<mdspan>) && __cplusplus > 202002L',
                 'mpi': '__has_include(<mpi.h>)'}
DEFINITION = re.compile(r'^#define (\w+)(.*)$', re.MULTILINE)
failed = 0


def fail(what):
    global failed
    failed += 1
    print(what)


def compile_(source, *options):
    return subprocess.run([*compiler, '-std=c++20', f'-I{root}/tests/consume', *options, '-x', 'c++', str(source)], capture_output=True, text=True)


def words(source, *options):
    """What the compiler gets to read, and the messages of the preprocessor if it fails."""
    run = compile_(source, '-E', '-P', *options)
    return run.stdout.split(), run.stderr if run.returncode else ''


def check(what, lines, *options):
    """Compares the words with those without the macros, and the definitions after them with those after the macros alone."""
    plain = source.with_name('plain.cpp')
    plain.write_text('\n'.join([*lines, '']), encoding='utf-8')
    source.write_text('\n'.join([f'#include "{MACROS.name}"', *lines, '']), encoding='utf-8')
    (found, wrong), (wanted, wrong_without) = words(source, *options), words(plain, *options)
    if wrong or wrong_without or not wanted:
        fail(f'{what}, after the macros of {MACROS.name}:\n' + '\n'.join((wrong or wrong_without).splitlines()[:30]))
        return
    if found != wanted:
        at = next(i for i, (a, b) in enumerate(itertools.zip_longest(found, wanted)) if a != b)
        begin = max(0, at - 12)
        fail(f'{what}, after the macros of {MACROS.name}: the compiler reads\n    {" ".join(found[begin:at + 12])}\n'
             f'and without them\n    {" ".join(wanted[begin:at + 12])}')
        print('\n'.join(compile_(source, '-fsyntax-only', *options).stderr.splitlines()[:30]))
        return
    after = dict(DEFINITION.findall(compile_(source, '-E', '-dM', *options).stdout))
    before = dict(DEFINITION.findall(compile_(MACROS, '-E', '-dM').stdout))
    for name in NAMES:
        if before[name] != after.get(name):
            fail(f'{what}: the macro {name}{before[name]} is {name}{after.get(name, " not defined")} behind it')
    for name in ('XGRAD_MACROS_HIDDEN', 'XGRAD_MACROS_TO_RESTORE'):
        if name in after:
            fail(f'{what}: {name} is still defined behind it')


@functools.cache
def included_by(name):
    return [m.group(1) for m in map(amalgamate.INCLUDE.match, amalgamate.text_of(name).splitlines()) if m]


def add_in_order(name, placed):
    """A header after those that it includes."""
    if name not in placed:
        placed[name] = False   # not yet: headers of alternatives may name each other
        for other in included_by(name):
            add_in_order(other, placed)
        placed[name] = placed.pop(name) or True


@functools.cache
def named_by(name):
    """The third parties that a header includes itself."""
    text = amalgamate.text_of(name)
    return {party for party in THIRD_PARTIES if re.search(f'^ *# *include +<({party})', text, re.MULTILINE)}


def needed_by(name, seen):
    """A condition for the third parties that a header needs, or nothing."""
    found = set()
    if name not in seen:
        seen.add(name)
        found |= named_by(name)
        for other in included_by(name):
            found |= needed_by(other, seen)
    return found


hidden, restored = (re.findall(rf'^# *pragma {how}_macro\("(\w+)"\)$', (root / f'include/xgrad/config/{name}_macros.hpp').read_text(), re.MULTILINE)
                    for how, name in (('push', 'hide'), ('pop', 'restore')))
undefined = re.findall(r'^#undef (\w+)$', (root / 'include/xgrad/config/hide_macros.hpp').read_text(), re.MULTILINE)
if not hidden == restored == undefined:
    fail('config/hide_macros.hpp and config/restore_macros.hpp have different names: ' + ' '.join(sorted(set(hidden) ^ set(restored) | set(hidden) ^ set(undefined))))
if set(hidden) - set(NAMES):
    fail(f'{MACROS.name} lacks names of config/hide_macros.hpp: ' + ' '.join(sorted(set(hidden) - set(NAMES))))

headers = sorted(p.relative_to(root / 'include').as_posix() for p in (root / 'include/xgrad').rglob('*.hpp'))
amalgam = amalgamate.Amalgam()
amalgam.add('xgrad/xgrad.hpp')
# of alternatives only the chosen one is there
chosen = [h for h in headers if not h.startswith('xgrad/config/') and h not in amalgam.sometimes]
with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder, 'source.cpp')
    lines, placed = [], {}
    for name in chosen:
        add_in_order(name, placed)
    for name in placed:
        if name in chosen:
            conditions = [THIRD_PARTIES[party] for party in needed_by(name, set())]
            lines += [f'#if ({") && (".join(conditions)})', f'#include <{name}>', '#endif'] if conditions else [f'#include <{name}>']
    check('each header', lines, f'-I{root}/include')
    check('<xgrad/xgrad.hpp>', ['#include <xgrad/xgrad.hpp>'], f'-I{root}/include')
    run = compile_(source, '-fsyntax-only', f'-I{root}/include')
    if run.returncode:
        fail(f'<xgrad/xgrad.hpp>, after the macros of {MACROS.name}:\n' + '\n'.join(run.stderr.splitlines()[:30]))
    subprocess.run([sys.executable, str(root / 'tools/amalgamate'), '--all', f'{folder}/single.hpp'], check=True, stdout=subprocess.DEVNULL)
    check('the single header', ['#include "single.hpp"'], f'-I{folder}')
print(f'{len(NAMES)} macros, {len(hidden)} of them hidden, {len(chosen)} headers, {failed} faults')
sys.exit(failed > 0)
