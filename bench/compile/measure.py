# SPDX-License-Identifier: MIT
"""Runs a compiler once and reads off what it cost."""
import os
import re
import shutil
import statistics
import subprocess
import tempfile


def run(command, limit_s):
    """(status, user + system seconds, peak MiB of the largest process, output)"""
    with tempfile.TemporaryFile('w+') as output:
        with subprocess.Popen(['timeout', str(limit_s), *command], stdout=output, stderr=subprocess.STDOUT, env=dict(os.environ, LC_ALL='C')) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.read()


def instructions(command, limit_s):
    """Instructions that the command and its child processes take in user mode, which repeat to some thousandths. The processor's counter
    counts them, or valgrind on a machine without one, 40 times slower. None if neither is available or the command fails."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, 'report')
        if shutil.which('perf'):
            run(['perf', 'stat', '-e', 'instructions:u', '-x,', '-o', report, *command], limit_s)
            with open(report, encoding='utf-8') as handle:
                counted = re.search(r'^(\d+),[^\n]*instructions', handle.read(), re.M)
            if counted:
                return int(counted.group(1))
        if not shutil.which('valgrind'):
            return None
        status, _, _, _ = run(['valgrind', '--tool=exp-bbv', '--instr-count-only=yes', '--bb-out-file=/dev/null', '--trace-children=yes',
                               f'--log-file={report}.%p', *command], 60 * limit_s)
        if status != 0:
            return None
        total = 0
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), encoding='utf-8', errors='replace') as handle:
                total += sum(int(n) for n in re.findall(r'Total instructions: (\d+)', handle.read()))
        return total


def longest_symbol(path):
    done = subprocess.run(['nm', path], capture_output=True, text=True, check=False)
    return max((len(line.split()[-1]) for line in done.stdout.splitlines() if line.split()), default=0)


def precompile(compiler, flags, header, folder, limit_s):
    """Flags that include a precompiled header of this text, made in `folder`. A RuntimeError has the compiler's output if it fails."""
    path = os.path.join(folder, 'precompiled.hpp')
    with open(path, 'w', encoding='utf-8') as handle:
        handle.write(header)
    clang = 'clang' in os.path.basename(compiler)
    target = path + ('.pch' if clang else '.gch')
    more = ['-fpch-instantiate-templates'] if clang else []   # as CMake does
    status, _, _, output = run([compiler, *flags, *more, '-x', 'c++-header', path, '-o', target], limit_s)
    if status != 0:
        raise RuntimeError(output)
    return ['-include-pch', target] if clang else ['-Winvalid-pch', '-include', path]


def compile_in_turn(compiler, builds, repeat, limit_s, count=False):
    """Builds (flags, source) alternately: a row of figures for each, or text of the first failure. Seconds are medians. `ratio` is relative
    to the first build: the median of the ratios of neighbours, which a busy machine moves less."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [{'peak_mib': 0} for _ in builds]
        targets = [os.path.join(folder, f'{k}.o') for k in range(len(builds))]
        commands = [[compiler, *flags, source] + ([] if '-fsyntax-only' in flags else ['-c', '-o', target])
                    for (flags, source), target in zip(builds, targets)]
        seconds = [[] for _ in builds]
        for _ in range(repeat):
            for row, command, used_by in zip(rows, commands, seconds):
                status, used, mebibytes, output = run(command, limit_s)
                if status != 0:
                    return f'over {limit_s} s' if status == 124 else output
                used_by.append(used)
                row['peak_mib'] = max(row['peak_mib'], round(mebibytes))
        for row, command, target, used_by in zip(rows, commands, targets, seconds):
            row['seconds'] = round(statistics.median(used_by), 3)
            row['ratio'] = round(statistics.median(b / a for a, b in zip(seconds[0], used_by)), 3)
            if count:
                row['instructions'] = instructions(command, limit_s)
            if os.path.exists(target):
                row['object_kb'] = round(os.path.getsize(target) / 1000, 1)
                row['longest_symbol'] = longest_symbol(target)
        return rows


def count_instantiations(clang, flags, source, limit_s=600):
    """Instantiated classes and functions, and the templates with the most of them."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, 'out.o')
        status, _, _, output = run(
            [clang, *flags, '-ftime-trace', '-ftime-trace-granularity=0', '-c', '-o', target, source], limit_s)
        if status != 0:
            return {'failed': f'over {limit_s} s' if status == 124 else output}
        with open(os.path.join(folder, 'out.json'), encoding='utf-8', errors='replace') as handle:
            trace = handle.read()
    found = re.findall(r'"name":"Instantiate(Class|Function)","args":\{"detail":"((?:[^"\\<]|\\.)*)', trace)
    templates = {}
    for _, name in found:
        templates[name] = templates.get(name, 0) + 1
    return {'classes': sum(kind == 'Class' for kind, _ in found), 'functions': sum(kind == 'Function' for kind, _ in found),
            'templates': dict(sorted(templates.items(), key=lambda item: -item[1])[:40])}
