# SPDX-License-Identifier: MIT
"""What one program costs the compiler, by group and by kernel, from clang's -ftime-trace and g++'s -ftime-report."""
import collections
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile

import measure

INCLUDE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), 'include', 'xgrad')
# Group: what can be done about it.
ADVICE = {
    'headers of the standard library': 'a precompiled header reads them once: link xgrad::pch in place of xgrad::xgrad',
    'headers of third parties': 'a precompiled header reads them once; include <xgrad/xtensor.hpp> only where results become containers',
    'headers of xgrad': 'a precompiled header reads them once; a file that only hands arrays to a model behind an interface of its own needs none',
    'headers of the program': 'what no other file needs belongs into a source file',
    'expressions': 'write deep nets in blocks (xg::let): the names of plain expressions carry everything below them',
    'planning and gradients': 'grows with the nodes: train, evaluate and predict in files of their own, and make each function or trainer in one file only',
    'kernels': 'one for each distinct step: layers of equal sizes and element types share theirs; sizes that vary can be dims, which share one kernel',
    'trainers, functions and host': 'a little for each function and trainer, most once for a file: put those of one net into one file',
    'files and texts of plans': 'what saves, restores or describes belongs into a file of its own, which sees the store or the plan and no model',
    'other templates': 'of the standard library and third parties, used by the program itself',
    'the program itself': 'its own functions',
    'the file as a whole': 'passes over all functions of the file; grows with the rest',
}
KERNELS, PLANNING, HOST, FILES, EXPRESSIONS = ('kernels', 'planning and gradients', 'trainers, functions and host', 'files and texts of plans', 'expressions')
OTHERS, REST, WHOLE = 'other templates', 'the program itself', 'the file as a whole'
ROOMS = {'kernels': KERNELS, 'backend': KERNELS, 'sparse': KERNELS, 'graph': PLANNING, 'grad': PLANNING, 'plan': PLANNING, 'compile': PLANNING,
         'run': HOST, 'store': HOST, 'exec': HOST, 'train': HOST, 'optim': HOST, 'io': FILES, 'inspect': FILES,
         'config': EXPRESSIONS, 'meta': HOST, 'core': EXPRESSIONS, 'ops': EXPRESSIONS, 'nn': EXPRESSIONS}
NAMESPACES = {'kernels': KERNELS, 'simd': KERNELS, 'planner': PLANNING, 'op': EXPRESSIONS, 'math': EXPRESSIONS}
# What a line defines: a class, perhaps with an attribute over several lines, or a function. Declarations of classes do not count.
DEFINED = re.compile(r'^(?:template<.*> )?(?:struct|class) (?:\[\[[^\]]*\]\] )?(\w+)\b(?!;)|'
                     r'^(?!using|static_assert|#|//|namespace)\w[^=(;"\n]*?\b(\w+)\(', re.MULTILINE)
KERNEL = re.compile(r'(xgrad::(?:detail|kernels)::\w+<.*>)::run$')   # a kernel's function


@functools.lru_cache(maxsize=None)
def rooms_of_names():
    """The folder of include/xgrad where each name of a namespace is defined: the library's own order says whose a function is."""
    found = {}
    for room in ROOMS:
        for folder, _, files in os.walk(os.path.join(INCLUDE, room)):
            for file in sorted(files):
                with open(os.path.join(folder, file), encoding='utf-8') as handle:
                    for name in DEFINED.finditer(handle.read()):
                        found.setdefault(name.group(1) or name.group(2), room)
    return found


def group_of_name(name):
    """The group of a function or class, by the name before its template arguments; the rest of its name is the user's model."""
    head = re.sub(r'[<(].*', '', re.sub(r'^(?:auto|void|bool|[\w:]+[*&]*(?: const)?[*&]*) (?=xgrad::|std::|xt::)', '', name))
    parts = head.split('::')
    if parts[0] in ('std', '__gnu_cxx', 'xt', 'xtl', 'xsimd', 'mpark'):
        return OTHERS
    if parts[0] != 'xgrad':
        return None
    for part in (re.sub(r'\W.*', '', part) for part in parts[1:] if part != 'detail'):
        group = NAMESPACES.get(part) or ROOMS.get(rooms_of_names().get(part))
        if group:
            return KERNELS if part.endswith('_kernel') else group
    return EXPRESSIONS


def group_of_header(path):
    path = path.replace('\\', '/')
    if '/xgrad/' in path and '/include/' in path:
        return 'headers of xgrad'
    if re.search(r'/(xtensor|xtl|xsimd)/', path):
        return 'headers of third parties'
    if re.search(r'/c\+\+/|/usr/include/|/lib/(gcc|clang|llvm)', path):
        return 'headers of the standard library'
    return 'headers of the program'


def plain(name):
    """A name without the inline namespace and the compilers' ways to write numbers."""
    name = re.sub(r'\bxg(?:rad)?::(?:v\d+_\w+::)?', 'xgrad::', name)
    name = re.sub(r'\([\w: ]+\)-?\d+', 'enumerator', name)   # where clang writes its name
    return re.sub(r'(?<=\d)u?l{0,2}\b', '', name).replace('> >', '>>').replace('> >', '>>')


def key_of(name):
    """What the front end's and the linker's spelling of a function have in common: its name and all numbers in it."""
    name = plain(name)
    return (re.sub(r'\(.*', '', name.split('<')[0]).split(' ')[-1], tuple(re.findall(r'-?\d+', re.sub(r'\(.*$', '', name))))


def describe_kernel(name):
    """A kernel's type as words: what kind of step it is, on which operations and extents. Names carry no more than that."""
    operations = [op for op in re.findall(r'\bop::(\w+)', name)]
    then = list(dict.fromkeys(operations))
    tail = f' ({len(operations)} operations)' if len(operations) > len(then) else ''
    product = re.search(r'kernels::product<(\w+), (\w+), (\w+), (-?\d+), (-?\d+), (-?\d+)', name)
    if product:
        kind, left, right, m, n, k = product.groups()
        extent = {key: ('named' if value == '-1' else 'told' if int(value) < 0 else value) for key, value in (('m', m), ('n', n), ('k', k))}
        text = f'product of {kind}, [{extent["m"]}][{extent["k"]}] by [{extent["k"]}][{extent["n"]}]'
        text += ''.join(f', {side} transposed' for side, is_so in (('left', left), ('right', right)) if is_so in ('true', '1'))
        if operations:
            text += ', then ' + ', '.join(then) + tail
    elif 'nest_kernel' in name:
        text = 'loop over ' + (', '.join(then) + tail if operations else 'a copy, a constant or a sum')
    else:
        head = re.sub(r'xgrad::(kernels::|detail::)?', '', name.split('<')[0])
        numbers = re.findall(r'(?<=[<, ])-?\d+(?=[,>])', name)
        text = head.replace('_', ' ') + (' of ' + ', '.join(then) + tail if operations else '') + (f', numbers {", ".join(numbers[:6])}' if numbers else '')
    rule = re.search(r'(?:tile_update|update\w*)<(?:xgrad::)?(\w+)', name)
    return text + (f', with the update of {rule.group(1)}' if rule else '')


def demangle(names):
    tool = shutil.which('c++filt') or shutil.which('llvm-cxxfilt-16')
    if not tool or not names:
        return {name: name for name in names}
    done = subprocess.run([tool], input='\n'.join(names) + '\n', capture_output=True, text=True, check=True)
    return {name: text if text != name else unmangled(name) for name, text in zip(names, done.stdout.splitlines())}


def unmangled(name):
    """The qualified name of a symbol that the demangler gives back as it is, with the numbers among its template arguments."""
    parts, rest = [], re.sub(r'^_ZN?K?', '', name)
    while found := re.match(r'(\d+)', rest):
        length = int(found.group(1))
        start = found.end()
        parts.append(rest[start:start + length])
        rest = rest[start + length:]
    return '::'.join(parts) + '<' + ', '.join(n.replace('n', '-') for n in re.findall(r'L[ac-z](n?\d+)E', rest)) + '>'


def nested(trace):
    """(event, ancestors, self time) of each event, in the order of time."""
    events = [event for event in trace['traceEvents'] if event.get('ph') == 'X' and not event['name'].startswith('Total ')]
    events.sort(key=lambda event: (event['ts'], -event['dur']))
    stack, out = [], []
    for event in events:
        while stack and stack[-1][0]['ts'] + stack[-1][0]['dur'] <= event['ts']:
            stack.pop()
        if stack:
            stack[-1][2] -= event['dur']
        entry = [event, [e for e, _, _ in stack], event['dur']]
        out.append(entry)
        stack.append(entry)
    return out


def account(trace):
    """(milliseconds of the front end by group, of the back end by group, {kernel: [front, back]}) of a trace."""
    entries = nested(trace)
    detail = {id(entry[0]): entry[0].get('args', {}).get('detail', '') for entry in entries}
    mangled = sorted({symbol for text in detail.values() for symbol in re.findall(r'\b_Z\w+', text)})
    written = demangle(mangled)
    front, back = collections.Counter(), collections.Counter()
    kernels, owner = {}, {}
    for event, ancestors, own in entries:   # the front end: the innermost name that says something
        line = [event, *reversed(ancestors)]
        if any(e['name'] == 'Backend' for e in line):
            continue
        kernel = next((found.group(1) for e in reversed(line) if e['name'] == 'InstantiateFunction'
                       for found in [KERNEL.match(plain(detail[id(e)]))] if found), None)   # the outermost: kernels run loops of others
        group = None
        for e in line:
            if e['name'] == 'Source':
                group = group_of_header(detail[id(e)])
            elif e['name'].startswith('Evaluate') and not any(a['name'] == 'Source' for a in ancestors):
                group = PLANNING
            elif e['name'] in ('InstantiateFunction', 'InstantiateClass', 'CodeGen Function') and not any(a['name'] == 'Source' for a in ancestors):
                found = group_of_name(plain(detail[id(e)]))
                group = found if found and (found != OTHERS or group is None) else group
                if group == OTHERS:
                    continue   # of whoever uses it
            if group:
                break
        group = group or REST
        front[group] += own
        if kernel:
            owner.setdefault(key_of(detail[id(event)]), set()).add(kernel)
            if group == KERNELS:
                kernels.setdefault(kernel, [0, 0])[0] += own
    for event, ancestors, own in entries:   # the back end: the innermost symbol
        if not any(e['name'] == 'Backend' for e in [event, *ancestors]):
            continue
        symbol = next((m.group(0) for e in [event, *reversed(ancestors)] for m in [re.search(r'\b_Z\w+', detail[id(e)])] if m), None)
        name = plain(written.get(symbol, '')) if symbol else ''
        named = symbol or any(detail[id(e)] == 'main' for e in [event, *ancestors])
        group = (group_of_name(name) or REST) if named else WHOLE
        back[group] += own
        of = owner.get(key_of(name), ()) if group == KERNELS else ()
        if len(of) == 1:
            kernels.setdefault(next(iter(of)), [0, 0])[1] += own
    return ({k: v / 1000 for k, v in front.items()}, {k: v / 1000 for k, v in back.items()},
            {k: [f / 1000, b / 1000] for k, (f, b) in kernels.items()})


def lines_of(front, back, kernels, most=12):
    """The report of an account as lines of Markdown."""
    total = sum(front.values()) + sum(back.values())
    lines = ['| what | front end ms | back end ms | share | what to do |', '|---|---|---|---|---|']
    for group in sorted(ADVICE, key=lambda g: -(front.get(g, 0) + back.get(g, 0))):
        ms = front.get(group, 0) + back.get(group, 0)
        if ms > 0:
            lines.append(f'| {group} | {front.get(group, 0):.0f} | {back.get(group, 0):.0f} | {100 * ms / total:.0f} % | {ADVICE[group]} |')
    dearest = sorted(kernels, key=lambda k: -sum(kernels[k]))
    if dearest:
        lines += ['', f'{len(dearest)} distinct kernels; the dearest:', '', '| kernel | front end ms | back end ms |', '|---|---|---|']
        lines += [f'| {describe_kernel(k)} | {kernels[k][0]:.0f} | {kernels[k][1]:.0f} |' for k in dearest[:most]]
        known = sum(sum(v) for v in kernels.values())
        shared = front.get(KERNELS, 0) + back.get(KERNELS, 0) - known
        lines.append(f'| functions that several of them share | {shared:.0f} | |')
    return lines


PHASES = [('preprocessing and parsing', ('preprocessing', 'parser ', 'lexical')), ('templates', ('template instantiation',)),
          ('names and overloads', ('name lookup', 'overload')), ('constant evaluation (planning)', ('constant expression evaluation',)),
          ('functions and symbols (callgraph)', ('callgraph', 'ipa ', 'symout'))]


def phases(report):
    """Seconds (user and system) of g++ -ftime-report by phase."""
    seconds, total = collections.Counter(), 0.0
    for line in report.splitlines():
        found = re.match(r'\s*([^:]+?)\s*:\s*([\d.]+)\s*(?:\(\s*\d+%\))?\s*([\d.]+)', line)
        if not found:
            continue
        name, used = found.group(1), float(found.group(2)) + float(found.group(3))
        if name == 'TOTAL':
            total = used
        elif not name.startswith(('|', 'phase ', 'callgraph ipa passes', 'callgraph functions expansion')):   # the sums of others
            seconds[next((text for text, starts in PHASES if name.startswith(starts)), 'optimization and code')] += used
    return total, dict(seconds)


def explain(path, flags, compilers):
    """Prints the report; 1 where no compiler is there or one refuses the program."""
    if not any(flag.startswith('-std') for flag in flags):
        flags = ['-std=c++20', *flags]
    status = 1
    for compiler in compilers:
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, 'out.o')
            clang = 'clang' in os.path.basename(compiler)
            more = ['-ftime-trace', '-ftime-trace-granularity=100'] if clang else ['-ftime-report']
            done, _, _, output = measure.run([compiler, *flags, *more, '-c', path, '-o', target], 600)
            if done != 0:
                print(f'{compiler} refuses {path}:\n{output[-2000:]}')
                return 1
            again, used, mebibytes, _ = measure.run([compiler, *flags, '-c', path, '-o', target], 600)   # without looking
            print(f'\n### {os.path.basename(path)} with {compiler}: {used:.2f} s, {mebibytes:.0f} MiB, object {os.path.getsize(target) / 1000:.0f} kB\n')
            status = again
            if clang:
                with open(os.path.join(folder, 'out.json'), encoding='utf-8', errors='replace') as handle:
                    print('\n'.join(lines_of(*account(json.load(handle)))))
            else:
                total, by_phase = phases(output)
                print('| phase | share |\n|---|---|')
                for name in sorted(by_phase, key=lambda n: -by_phase[n]):
                    print(f'| {name} | {100 * by_phase[name] / max(total, 0.01):.0f} % |')
    return status
