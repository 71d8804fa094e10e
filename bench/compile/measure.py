# SPDX-License-Identifier: MIT
"""Runs a compiler once and reads off what it cost."""
import os
import re
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


def longest_symbol(path):
    done = subprocess.run(['nm', path], capture_output=True, text=True, check=False)
    return max((len(line.split()[-1]) for line in done.stdout.splitlines() if line.split()), default=0)


def compile_once(compiler, flags, source, repeat=1, limit_s=600):
    """A row of figures, or {'failed': text}. Seconds are the median of `repeat` runs."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, 'out.o')
        only_syntax = '-fsyntax-only' in flags
        command = [compiler, *flags, source] + ([] if only_syntax else ['-c', '-o', target])
        seconds, peak = [], 0.0
        for _ in range(repeat):
            status, used, mebibytes, output = run(command, limit_s)
            if status != 0:
                return {'failed': f'over {limit_s} s' if status == 124 else output}
            seconds.append(used)
            peak = max(peak, mebibytes)
        row = {'seconds': round(statistics.median(seconds), 3), 'peak_mib': round(peak)}
        if not only_syntax:
            row['object_kb'] = round(os.path.getsize(target) / 1000)
            row['longest_symbol'] = longest_symbol(target)
        return row


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
