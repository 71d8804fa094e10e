# SPDX-License-Identifier: MIT
"""Tests the report of --explain: times go to the innermost informative name, kernels are recognized by their names, nothing is lost or
counted twice. The report of a real program has the kernels of its steps."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import explain  # noqa: E402

wrong = []


def same(what, found, wanted):
    if found != wanted:
        wrong.append(what)
        print(f'{what}: found {found}, wanted {wanted}')


def event(name, start, length, detail=None):
    return {'ph': 'X', 'name': name, 'ts': start, 'dur': length, 'args': {'detail': detail} if detail else {}}


KERNEL = 'xgrad::kernels::product<float, true, false, 784, 128, -1, 0, xgrad::kernels::tile_update<xgrad::adam, float, float>>'
NEST = 'xgrad::detail::nest_kernel<xgrad::detail::kernel_key<77, xgrad::op::exp, xgrad::op::mul, xgrad::op::exp>>'
PRODUCT_RUN = '_ZN5xgrad11v0_1avx2fma7kernels7productIfLb1ELb0ELx784ELx128ELxn1ELi0ENS1_11tile_updateINS0_4adamEffEEE3runERKNS0_14step_argumentsE'
TRACE = {'traceEvents': [
    event('Frontend', 0, 100_000),
    event('Source', 0, 40_000, '/usr/include/c++/12/string'),
    event('InstantiateClass', 1_000, 5_000, 'std::basic_string<char>'),                 # of its header
    event('Source', 40_000, 20_000, '/home/a/include/xgrad/plan/plan.hpp'),
    event('EvaluateAsInitializer', 41_000, 1_000, 'table'),                             # of its header too
    event('Source', 45_000, 10_000, '/usr/include/xsimd/xsimd.hpp'),
    event('EvaluateAsInitializer', 60_000, 7_000, 'plan'),
    event('InstantiateFunction', 70_000, 20_000, 'xgrad::trainer<xgrad::program<int>>::operator()'),
    event('InstantiateFunction', 71_000, 12_000, f'{KERNEL}::run'),
    event('InstantiateFunction', 72_000, 3_000, 'xgrad::kernels::matmul<float, true, 784, 128>'),
    event('InstantiateFunction', 76_000, 2_000, 'std::forward<int>'),                   # of the kernel that uses it
    event('InstantiateFunction', 84_000, 1_000, f'{NEST}::run'),
    event('Backend', 100_000, 50_000),
    event('OptModule', 100_000, 30_000, 'a.cpp'),
    event('OptFunction', 101_000, 9_000, PRODUCT_RUN),
    event('OptFunction', 112_000, 4_000, '_ZN5xgrad11v0_1avx2fma6runner9make_roomEb'),
    event('OptFunction', 120_000, 2_000, 'main'),
    event('Total Frontend', 0, 100_000),
]}
TRACE['traceEvents'].insert(0, event('InstantiateFunction', 71_100, 11_000, f'{KERNEL}::run'))
front, back, kernels = explain.account(TRACE)
same('front end', front, {'headers of the standard library': 40, 'headers of xgrad': 10, 'headers of third parties': 10, 'planning and gradients': 7,
                          explain.HOST: 7, explain.KERNELS: 13, explain.REST: 13})
same('back end', back, {explain.KERNELS: 9, explain.HOST: 4, explain.REST: 2, explain.WHOLE: 35})
same('kernels', kernels, {KERNEL: [12, 9], NEST: [1, 0]})
same('all of the time', round(sum(front.values()) + sum(back.values())), 150)
same('a product', explain.describe_kernel(KERNEL), 'product of float, [784][named] by [named][128], left transposed, with the update of adam')
same('a loop', explain.describe_kernel(NEST), 'loop over exp, mul (3 operations)')
same('a symbol that is not demangled', explain.key_of(explain.plain(explain.unmangled('_ZN5xgrad11v0_1avx2fma7kernels4nestIfLx10ELin1ELb1EEvT_'))),
     explain.key_of('xgrad::kernels::nest<float, 10, -1, true>'))
for name, group in (('xgrad::detail::trainer_host::create(xgrad::variable_store const&)', explain.HOST), ('xgrad::variable_store::at(int)', explain.HOST),
                    ('void xgrad::write_safetensors<std::map<int, int>>(int)', explain.FILES), ('xgrad::detail::summary_writer::write[abi:cxx11]() const', explain.FILES),
                    ('xgrad::planner::passes<int>', explain.PLANNING), (f'{NEST}::run(int)', explain.KERNELS), ('xgrad::node<int>', explain.EXPRESSIONS),
                    ('auto std::get<1, xgrad::node<int>>', explain.OTHERS), ('examples::model::run(int)', None)):
    same(f'the group of {name}', explain.group_of_name(name), group)
lines = explain.lines_of(front, back, kernels)
same('a line', lines[3], f'| {explain.WHOLE} | 0 | 35 | 23 % | {explain.ADVICE[explain.WHOLE]} |')
same('every line says what to do', [line for line in lines[:12] if line.rstrip(' |').endswith('%')], [])

REPORT = '''Time variable                                   usr           sys          wall           GGC
 phase parsing                      :   2.00 ( 53%)   1.00 ( 80%)   4.28 ( 64%)   341M ( 70%)
 |name lookup                       :   0.41 ( 11%)   0.34 ( 12%)   0.75 ( 11%)    10M (  2%)
 callgraph functions expansion      :   0.86 ( 23%)   0.11 (  4%)   0.97 ( 15%)    37M (  8%)
 preprocessing                      :   0.50 (  5%)   0.50 ( 19%)   0.80 ( 12%)    24M (  5%)
 parser struct body                 :   0.50 (  4%)   0.00 (  5%)   0.24 (  4%)    35M (  7%)
 template instantiation             :   0.75 ( 13%)   0.25 ( 12%)   0.89 ( 13%)    94M ( 19%)
 tree VRP                           :   0.50 (  1%)   0.00 (  0%)   0.05 (  1%)  1422k (  0%)
 TOTAL                              :   2.25          0.75          6.64          485M
'''
same('phases of g++', explain.phases(REPORT), (3.0, {'preprocessing and parsing': 1.5, 'templates': 1.0, 'optimization and code': 0.5}))

clang = shutil.which('clang++-16')
if clang and len(sys.argv) > 1 and sys.argv[1] == '--compile':
    done = subprocess.run([sys.executable, os.path.join(HERE, 'run'), '--explain', os.path.join(ROOT, 'tests', 'consume', 'main.cpp'), '--compilers', clang,
                           *sys.argv[2:], '--', '-O1', '-DXGRAD_USE_XSIMD=1', '-DXGRAD_USE_BLAS=0'], capture_output=True, text=True, check=False)
    for piece in ('| headers of xgrad |', '| kernels |', '| planning and gradients |', 'distinct kernels', '| loop over ', 'sub'):
        same(f'the report of a program has {piece}', piece in done.stdout, True)
    if done.returncode != 0 or wrong:
        wrong.append('a real program')
        print(done.stdout[-3000:], done.stderr[-1000:])
    with tempfile.TemporaryDirectory() as folder:
        refused = os.path.join(folder, 'refused.cpp')
        with open(refused, 'w', encoding='utf-8') as handle:
            handle.write('int main() { return nothing; }\n')
        done = subprocess.run([sys.executable, os.path.join(HERE, 'run'), '--explain', refused, '--compilers', clang], capture_output=True, text=True, check=False)
        same('a program that is refused', (done.returncode, 'nothing' in done.stdout), (1, True))
print(f'judged wrongly: {wrong}')
sys.exit(bool(wrong))
