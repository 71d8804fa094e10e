# SPDX-License-Identifier: MIT
"""The gate on instantiation counts lets small growth pass and finds each kind of fault."""
import importlib.machinery
import importlib.util
import os
import sys

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
sys.exit(bool(wrong))
