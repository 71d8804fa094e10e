#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the wide & deep program shows on a terminal: terminal_test.py PROGRAM

The program runs on a pseudo-terminal. Its output goes to a simulated screen that knows a line's width, \\r and "erase to the end of
the line". So the test sees what a person would see: a line that is too long, or a part of the progress bar that is not erased."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

failures = 0


def check(name, good, shown=''):
    global failures
    failures += not good
    print(('ok: ' if good else 'FAILED: ') + name + ('' if good else f'\n{shown}'))


class Screen:
    """Lines of any length, and the furthest column that bars and other text have reached."""

    def __init__(self):
        self.lines, self.column, self.widest, self.unknown = [''], 0, {}, set()

    def write(self, text):
        for part in re.findall(r'\x1b\[[\d;]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+|\x1b', text):
            line = self.lines[-1]
            if part == '\r':
                self.column = 0
            elif part == '\n':   # the terminal driver has put \r before it
                self.lines.append('')
            elif part == '\x1b[K':
                self.lines[-1] = line[:self.column]
            elif part[0] == '\x1b':
                self.unknown.add(part)
            else:
                self.lines[-1] = line[:self.column].ljust(self.column) + part + line[self.column + len(part):]
                self.column += len(part)
                kind = 'bar' if ' %  epoch' in part else 'text'
                self.widest[kind] = max(self.widest.get(kind, 0), self.column)


def run(columns, *command, interrupt=None):
    """The screen at the end, everything that was written, and the exit status. After `interrupt` has been seen Ctrl-C is typed."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    take = lambda: (os.setsid(), fcntl.ioctl(0, termios.TIOCSCTTY, 0))   # so that Ctrl-C reaches it
    program = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, preexec_fn=take)
    os.close(follower)
    data = b''
    while True:
        try:
            more = os.read(leader, 65536)
        except OSError:   # Linux: the other side is closed
            break
        if not more:
            break
        data += more
        if interrupt and interrupt in data:
            os.write(leader, b'\x03')
            interrupt = None
    os.close(leader)
    text = data.decode()
    screen = Screen()
    screen.write(text)
    return screen, text, program.wait()


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for columns, epochs in ((80, 20), (120, 2), (40, 2)):   # the first has the table that compares with TensorFlow
            name = f'{columns} columns'
            screen, text, status = run(columns, program, '--epochs', str(epochs), '--output', 'out')
            shown = '\n'.join(screen.lines)
            check(f'{name}: exit status {status}', status == 0, shown)
            check(f'{name}: the bar is drawn', screen.widest.get('bar', 0) > 20, repr(text[:2000]))
            check(f'{name}: the bar ends in front of the last column', screen.widest.get('bar', 0) < columns, repr(text[:2000]))
            check(f'{name}: no control sequence but one', not screen.unknown, screen.unknown)
            check(f'{name}: nothing is left of the bar', not re.search(r'rows/s|s left|#', shown), shown)
            check(f'{name}: each epoch has a line', len(re.findall(rf'^ +\d+/{epochs} +0\.\d+ .*\d$', shown, re.M)) == epochs, shown)
            check(f'{name}: the table is there', ('difference' in shown) == (epochs == 20) and 'seconds of training' in shown, shown)
            if columns >= 80:
                check(f'{name}: lines are at most 79 wide', screen.widest['text'] <= 79, shown)
        screen, text, status = run(80, program, '--epochs', '1000', '--output', 'out', interrupt=b' 1/1000 ')
        shown = '\n'.join(screen.lines)
        check(f'Ctrl-C: exit status {status}', status == 130, shown)
        check('Ctrl-C: it says how to continue', 'To continue' in shown and '--resume out/checkpoint.safetensors' in shown, shown)
        check('Ctrl-C: nothing is left of the bar', not re.search(r'rows/s|s left|#', shown), shown)
    print(f'{failures} failures')
    return failures != 0


if __name__ == '__main__':
    sys.exit(main())
