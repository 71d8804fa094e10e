# SPDX-License-Identifier: MIT
"""The gate on instantiation counts lets small growth pass and finds each kind of fault; goals are judged by ratios."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader('compile_bench', os.path.join(HERE, 'run'))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader('compile_bench', loader))
loader.exec_module(bench)


def row(classes, functions):
    return {'classes': classes, 'functions': functions}


BASELINE = {'a': row(600, 400), 'b': row(1000, 1000), 'c': row(100, 0)}
CASES = [
    ('unchanged', BASELINE, 0),
    ('fewer', {name: row(10, 10) for name in BASELINE}, 0),
    ('one row by 2.9 %', {**BASELINE, 'a': row(629, 400)}, 0),
    ('one row by 3.1 %', {**BASELINE, 'a': row(600, 431)}, 1),
    ('all by 2.5 %, which the median shows', {'a': row(615, 410), 'b': row(1025, 1025), 'c': row(102, 0)}, 1),
    ('a row is gone', {'a': row(600, 400), 'b': row(1000, 1000)}, 1),
    ('a row does not compile', {**BASELINE, 'c': {'failed': 'x.cpp:1: error: no'}}, 1),
]
wrong = [name for name, counted, faults in CASES if bench.compare(BASELINE, counted) != faults]
print(f'{len(CASES)} cases, judged wrongly: {wrong}')

# The table of goals: each kind of goal inside and outside its limit, and rows that were not measured leave no line.
MEASURED = {'mlp': {'ratio': 2.4, 'peak_mib': 401, 'object_kb': 100}, 'mlp -g': {'ratio': 4.9, 'object_kb': 700},
            'functions of one net, 1': {'ratio': 3}, 'functions of one net, 5': {'ratio': 3.5},
            'trainers of one shape, 1': {'ratio': 3}, 'trainers of one shape, 5': {'ratio': 4.3}, 'dense 40': {'failed': 'x.cpp:1: error: no'}}
WANTED = ['| mlp / include third party with xtensor | 2.40 | 3.7 | yes |', '| mlp: peak_mib | 401.00 | 400 | **no** |',
          '| mlp -g / mlp | 2.04 | 2 | **no** |', '| mlp -g / mlp: object_kb | 7.00 | 8 | yes |',
          '| each further one, functions of one net, 1 to 5 / include third party with xtensor | 0.12 | 0.15 | yes |',
          '| each further one, trainers of one shape, 1 to 5 / include third party with xtensor | 0.32 | 0.3 | **no** |']
found = bench.goals(MEASURED)[2:]
if found != WANTED:
    wrong.append('the goals')
    print('\n'.join(['goals found:', *found, 'wanted:', *WANTED]))
if bench.goals({}):
    wrong.append('goals of nothing')

# The exit status of a run: 0 where all goals are met, else not, whichever compiler misses one.
MET, MISSED, BROKEN = {'ratio': 2.4, 'seconds': 1, 'peak_mib': 100}, {'ratio': 3.8, 'seconds': 1, 'peak_mib': 100}, {'failed': 'x.cpp:1: error: no'}
RUNS = [('met', lambda compiler: MET, 0), ('missed', lambda compiler: MISSED, 1), ('does not compile', lambda compiler: BROKEN, 1),
        ('no such row', lambda compiler: None, 1), ('one compiler misses', lambda compiler: MISSED if 'clang' in compiler else MET, 1)]
bench.shutil.which = lambda name: name
with tempfile.TemporaryDirectory() as folder:
    sys.argv = ['run', '--rows', '^mlp$', '--out', folder]
    for name, result, status in RUNS:
        bench.measured = lambda row, compiler, arguments, result=result: None if result(compiler) is None else dict(result(compiler))
        with contextlib.redirect_stdout(io.StringIO()):
            if bench.main() != status:
                wrong.append(f'the status of a run: {name}')
print(f'{len(RUNS)} runs, all judged wrongly: {wrong}')
sys.exit(bool(wrong))
