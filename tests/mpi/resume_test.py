#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks that are killed at random steps, started again by tools/run_again, leave the bits of an undisturbed run.

resume_test.py <run_again> <seeds> <launcher and program...>
"""
import os
import subprocess
import sys
import tempfile


def run(command, folder, seed):
    done = subprocess.run(command + [folder, str(seed), '20'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f'{" ".join(command)}: status {done.returncode}\n{done.stdout}')
    with open(os.path.join(folder, 'end'), 'rb') as file:
        return file.read(), int(open(os.path.join(folder, 'starts')).read())


def main():
    run_again, seeds, program = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        expected, starts = run(program, folder, 0)
    if starts != 1 or not expected:
        sys.exit('the undisturbed run was started more than once, or left nothing')
    again = 0
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            got, starts = run([sys.executable, run_again, '--times', '6', '--'] + program, folder, seed)
        if got != expected:
            sys.exit(f'seed {seed}: other bits after {starts} starts')
        again += starts - 1
    if again < seeds:
        sys.exit(f'only {again} runs were killed for {seeds} seeds')
    print(f'{seeds} seeds, {again} runs killed, the same bits each time')


if __name__ == '__main__':
    main()
