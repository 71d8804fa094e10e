# SPDX-License-Identifier: MIT
"""tools/timed and tools/check_seconds: the compiler's status comes through, a slow source is found, a log that says nothing is refused."""
import os
import subprocess
import sys
import tempfile

TOOLS = os.path.join(sys.argv[1], 'tools')


def check(text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'seconds')
        text = text.replace('/r/', folder + '/')
        for source in (line.split(' ', 1)[1] for line in text.splitlines()):
            if 'gone' not in source:
                os.makedirs(os.path.dirname(source), exist_ok=True)
                with open(source, 'w', encoding='utf-8') as file:
                    if 'group' in source:
                        file.write('#include <x.hpp>\n#include "a_test.cpp"\n#include "b_test.cpp"\n')
        with open(path, 'w', encoding='utf-8') as log:
            log.write(text)
        run = subprocess.run([sys.executable, os.path.join(TOOLS, 'check_seconds'), path, '--limit', '7'],
                             capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr


def timed(command):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'seconds')
        run = subprocess.run([sys.executable, os.path.join(TOOLS, 'timed'), *command], check=False, env=dict(os.environ, XGRAD_SECONDS=path))
        text = ''
        if os.path.exists(path):
            with open(path, encoding='utf-8') as log:
                text = log.read()
        return run.returncode, text


def expect(condition, what):
    if not condition:
        sys.exit(f'failed: {what}')


status, out = check('2.00 /r/tests/yardstick.cpp\n13.90 /r/tests/ops/a_test.cpp\n')
expect(status == 0 and '0 sources more' in out, 'just below the limit:\n' + out)
status, out = check('2.00 /r/tests/yardstick.cpp\n14.10 /r/tests/ops/a_test.cpp\n1.00 /r/tests/ops/b_test.cpp\n')
expect(status == 1 and 'SLOW    14.1 s' in out and '1 sources more' in out, 'just above the limit:\n' + out)
status, out = check('2.00 /r/tests/yardstick.cpp\n99.00 /r/tests/ops/a_test.cpp\n3.00 /r/tests/ops/a_test.cpp\n')
expect(status == 0, 'only the last compilation of a source counts:\n' + out)
status, out = check('2.00 /r/tests/yardstick.cpp\n1.00 /r/tests/ops/a_test.cpp\n99.00 /r/tests/ops/gone_test.cpp\n')
expect(status == 0, 'a source that is no longer there does not count:\n' + out)
status, out = check('1.00 /r/tests/yardstick.cpp\n13.00 /r/tests/ops/a_test.cpp\n2.00 /r/tests/yardstick.cpp\n2.10 /r/tests/yardstick.cpp\n')
expect(status == 0 and 'the yardstick takes 2.00 s' in out, 'the median of the yardsticks counts:\n' + out)
status, out = check('2.00 /r/tests/yardstick.cpp\n27.90 /r/tests/group_test.cpp\n')
expect(status == 0 and '(2 sources)' in out and 'for 2 sources' in out, 'a group may take the seconds of its sources:\n' + out)
status, out = check('2.00 /r/tests/yardstick.cpp\n28.10 /r/tests/group_test.cpp\n')
expect(status == 1, 'a group above the seconds of its sources:\n' + out)
status, out = check('2.00 /r/tests/yardstick.cpp\n')
expect(status != 0, 'no test in the log')
status, out = check('2.00 /r/tests/ops/a_test.cpp\n')
expect(status != 0, 'no yardstick in the log')

work = 'import sys, time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nsys.exit({})'
status, out = timed([sys.executable, '-c', work.format(0)])
expect(status == 0 and 0.3 <= float(out.split()[0]) < 30, 'the seconds of a command:\n' + out)
status, out = timed([sys.executable, '-c', work.format(3)])
expect(status == 3 and out == '', 'a command that fails keeps its status and leaves no seconds')
print('tools/timed and tools/check_seconds do what they say')
