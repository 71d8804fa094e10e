# SPDX-License-Identifier: MIT
"""All headers, the umbrella and the single header after the macros of tests/consume/common_macros.hpp: they compile and keep the macros.

    common_macros_test.py REPOSITORY COMPILER [OPTION...]

Each header follows those that it includes, so that each is once the outermost one, which hides and restores macros.
"""
import importlib.machinery
import importlib.util
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


def check(what, source, *options):
    """Compiles the source, and compares the definitions after it with those after the macros alone."""
    run = compile_(source, '-fsyntax-only', *options)
    if run.returncode:
        fail(f'{what}, after the macros of {MACROS.name}:\n' + '\n'.join(run.stderr.splitlines()[:30]))
        return
    after = dict(DEFINITION.findall(compile_(source, '-E', '-dM', *options).stdout))
    before = dict(DEFINITION.findall(compile_(MACROS, '-E', '-dM').stdout))
    for name in NAMES:
        if before[name] != after.get(name):
            fail(f'{what}: the macro {name}{before[name]} is {name}{after.get(name, " not defined")} behind it')
    for name in ('XGRAD_MACROS_HIDDEN', 'XGRAD_MACROS_TO_RESTORE'):
        if name in after:
            fail(f'{what}: {name} is still defined behind it')


def included_by(name):
    return [m.group(1) for m in map(amalgamate.INCLUDE.match, amalgamate.text_of(name).splitlines()) if m]


def add_in_order(name, placed):
    """A header after those that it includes."""
    if name not in placed:
        placed[name] = False   # not yet: headers of alternatives may name each other
        for other in included_by(name):
            add_in_order(other, placed)
        placed[name] = placed.pop(name) or True


def needed_by(name, seen):
    """A condition for the third parties that a header needs, or nothing."""
    found = set()
    if name not in seen:
        seen.add(name)
        found = {party for party in THIRD_PARTIES if re.search(f'^ *# *include +<({party})', amalgamate.text_of(name), re.MULTILINE)}
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

    def write(lines):
        source.write_text('\n'.join([f'#include "{MACROS.name}"', *lines, '']), encoding='utf-8')

    lines, placed = [], {}
    for name in chosen:
        add_in_order(name, placed)
    for name in placed:
        if name in chosen:
            conditions = [THIRD_PARTIES[party] for party in needed_by(name, set())]
            lines += [f'#if ({") && (".join(conditions)})', f'#include <{name}>', '#endif'] if conditions else [f'#include <{name}>']
    write(lines)
    check('each header', source, f'-I{root}/include')
    write(['#include <xgrad/xgrad.hpp>'])
    check('<xgrad/xgrad.hpp>', source, f'-I{root}/include')
    subprocess.run([sys.executable, str(root / 'tools/amalgamate'), '--all', f'{folder}/single.hpp'], check=True, stdout=subprocess.DEVNULL)
    write(['#include "single.hpp"'])
    check('the single header', source, f'-I{folder}')
print(f'{len(NAMES)} macros, {len(hidden)} of them hidden, {len(chosen)} headers, {failed} faults')
sys.exit(failed > 0)
