# SPDX-License-Identifier: MIT
"""Reads the text of StableHLO modules: functions, operations, regions and constants, in the forms that its printer writes."""
import re
import struct

import numpy

ELEMENTS = {'f32': 'float32', 'f64': 'float64', 'i1': 'bool', 'i8': 'int8', 'i16': 'int16', 'i32': 'int32', 'i64': 'int64', 'ui8': 'uint8',
            'ui16': 'uint16', 'ui32': 'uint32', 'ui64': 'uint64'}


class Type:
    """A tensor type. `dtype` is None for element types that xgrad does not compute in."""

    def __init__(self, text):
        *extents, element = re.fullmatch(r'tensor<(.*)>', text).group(1).split('x') if 'complex' not in text else (text,)
        self.element, self.dtype = element, ELEMENTS.get(element)
        self.shape = tuple(int(n) for n in extents) if self.dtype else ()


class Op:
    """An operation. `text` is what stands between its name and its types, without regions."""

    def __init__(self, results, name, text, operands, regions, types):
        self.results, self.name, self.text, self.operands, self.regions, self.types = results, name, text, operands, regions, types

    def numbers(self, key, otherwise=None):
        """The integers of an attribute such as `dims = [0, 1]` or `window_dimensions = array<i64: 2, 2>`."""
        found = re.search(rf'\b{key} = (?:\[([-\d, ]*)\]|array<i64(?::([-\d, ]*))?>|dense<(.*?)>|(-?\d+))', self.text)
        if not found:
            return otherwise
        return [int(n) for n in re.findall(r'-?\d+', next((g for g in found.groups() if g is not None), ''))]


class Region:
    def __init__(self, parameters, ops):
        self.parameters, self.ops = parameters, ops   # the last of ops is the return


def types_of(text):
    return [Type(t) for t in re.findall(r'tensor<[^<>]*(?:<[^<>]*>[^<>]*)?>', text)]


def constant(text, type_):
    """The array of `dense<...>`."""
    inner = re.match(r'dense<(.*)>$', text.strip(), re.S).group(1).strip()
    dtype = numpy.dtype(type_.dtype)
    hexed = re.fullmatch(r'"0x([0-9A-Fa-f]*)"', inner)
    if hexed:
        data = bytes.fromhex(hexed.group(1))
        return numpy.frombuffer(data, numpy.uint8 if type_.dtype == 'bool' else dtype).astype(dtype).reshape(type_.shape)
    numbers = []
    for word in re.findall(r'true|false|0x[0-9A-Fa-f]+|[-+]?[\d.]+(?:[eE][-+]?\d+)?', inner):
        if word in ('true', 'false'):
            numbers.append(word == 'true')
        elif word.startswith('0x'):
            bits = int(word, 16)
            numbers.append(struct.unpack('<f', struct.pack('<I', bits))[0] if type_.dtype == 'float32' else
                           struct.unpack('<d', struct.pack('<Q', bits))[0] if type_.dtype == 'float64' else bits)
        else:
            numbers.append(float(word) if dtype.kind == 'f' else int(word))
    if not inner.startswith('['):
        return numpy.full(type_.shape, numbers[0] if numbers else 0, dtype)
    return numpy.array(numbers, dtype).reshape(type_.shape)


class Reader:
    def __init__(self, text):
        self.lines = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith('//')]
        self.at = 0

    def functions(self):
        found = {}
        while self.at < len(self.lines):
            head = re.match(r'func\.func (?:public |private )?@"?([\w.<>]+)"?\((.*?)\)(?: -> .*)? \{$', self.lines[self.at])
            self.at += 1
            if head:
                found[head.group(1)] = self.region(re.findall(r'(%\w+): ', head.group(2)))
        return found

    def region(self, parameters=()):
        """Up to the line that begins with a brace, which stays."""
        ops, parameters = [], list(parameters)
        while not self.lines[self.at].startswith('}'):
            line = self.lines[self.at]
            self.at += 1
            if line.startswith('^bb'):
                parameters = re.findall(r'(%\w+): ', line)
            else:
                ops.append(self.op(line))
        return Region(parameters, ops)

    def op(self, line):
        regions = []
        while line.endswith('({') or line.endswith(', {'):   # regions of the general form
            regions.append(self.region())
            line = re.sub(r'\(\{$|, \{$', '', line) + re.sub(r'^\}', '', self.lines[self.at])
            self.at += 1
        following = self.lines[self.at] if self.at < len(self.lines) else ''
        if following.startswith('reducer('):
            self.at += 1
            pairs = re.findall(r'(%\w+): ', following)
            regions.append(self.region(pairs[0::2] + pairs[1::2]))   # first all results so far, then all elements
            self.at += 1
        elif following == 'cond {':
            names = re.findall(r'(%\w+) = ', line.split('while(', 1)[1])
            self.at += 1
            regions.append(self.region(names))
            self.at += 1
            regions.append(self.region(names))
            self.at += 1
        return self.parts(line, regions)

    def parts(self, line, regions):
        results = []
        found = re.match(r'((?:%\w+(?::\d+)?(?:, )?)+) = (.*)$', line)
        if found:
            line = found.group(2)
            for name, count in re.findall(r'(%\w+)(?::(\d+))?', found.group(1)):
                results += [f'{name}#{k}' for k in range(int(count))] if count else [name]
        name, rest = re.match(r'"?([\w.]+)"?(.*)$', line).groups()
        if name.endswith('constant'):
            text, type_ = re.match(r' (dense<.*>) : (tensor<.*>)$', rest).groups()
            return Op(results, 'constant', text, [], [], [Type(type_)])
        text, types = rest, ''
        found = re.match(r'(.*?) : ((?:\(|tensor).*)$', re.sub(r' : i(?:32|64|1)\b', '', re.sub(r'dense<(.*?)> : tensor<[\dxi]+>', r'dense<\1> ', rest)))
        if found:
            text, types = found.groups()
        if '->' in types:
            types = types.rsplit('->', 1)[1]
        elif not name.endswith(('while', 'return', 'reduce')):
            types = types.split(', ')[-1] if name.endswith(('select', 'clamp')) else types
        operands = re.findall(r'%\w+(?:#\d+)?', re.sub(r'%\w+ = ', '', text))
        return Op(results, name.split('.')[-1], text, operands, regions, types_of(types))


def read(text):
    """The functions of a module, by name."""
    return Reader(text).functions()
