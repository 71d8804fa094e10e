#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/run_again: how often it runs a command, what it says, and with which status it ends. run_again_test.py <repository>"""
import os
import subprocess
import sys
import tempfile

TOOL = os.path.join(sys.argv[1], 'tools', 'run_again')
FAILURES = []


def check(name, arguments, status, runs, said=''):
    with tempfile.TemporaryDirectory() as folder:
        # Appends a byte for each run, which then knows which one it is.
        count = os.path.join(folder, 'runs')
        arguments = [a.replace('RUNS', count) for a in arguments]
        done = subprocess.run([sys.executable, TOOL] + arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        found = os.path.getsize(count) if os.path.exists(count) else 0
    if done.returncode != status or found != runs or said not in done.stderr or (not said and done.stderr):
        FAILURES.append(f'{name}: status {done.returncode}, {found} runs, said:\n{done.stderr}')


def main():
    each = 'printf x >>RUNS; '
    check('success', ['--', 'sh', '-c', each + 'exit 0'], 0, 1)
    check('options of the command', ['sh', '-c', each + 'exit 0'], 0, 1)
    check('once more', ['--', 'sh', '-c', each + 'test $(wc -c <RUNS) = 2'], 0, 2, 'sh ended with status 1; starting it again, 3 times are left')
    check('never', ['--times', '2', '--', 'sh', '-c', each + 'exit 7'], 7, 3, 'sh ended with status 7; no further run is left')
    check('not again', ['--times', '0', '--', 'sh', '-c', each + 'exit 7'], 7, 1, 'no further run is left')
    check('killed', ['--times', '1', '--', 'sh', '-c', each + 'kill -KILL $$'], 137, 2, 'sh ended by signal 9')
    check('no such command', ['--', '/no/such/program'], 1, 0, '/no/such/program cannot be started: No such file')
    check('no command', ['--times', '2'], 2, 0, 'there is no command')
    for failure in FAILURES:
        print(failure)
    print(f'8 checks, {len(FAILURES)} wrong')
    return 1 if FAILURES else 0


if __name__ == '__main__':
    sys.exit(main())
