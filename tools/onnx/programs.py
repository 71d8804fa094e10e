# SPDX-License-Identifier: MIT
"""Test cases of ONNX as C++ programs: one function for each case, which computes its outputs with xgrad and compares them."""
import math
import re

import operators
from values import ONNX_TYPES, TYPES, Inexpressible, Value, call

HEADER = '''#include <xgrad/all.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

namespace conformance {
inline std::vector<std::uint64_t> memory;
inline double rtol, atol;
inline std::string fault;

template<class T>
T const* at(std::size_t offset) {
    return reinterpret_cast<T const*>(reinterpret_cast<char const*>(memory.data()) + offset);
}
inline bool close(double a, double e) { return (std::isnan(a) && std::isnan(e)) || a == e || std::abs(a - e) <= atol + rtol * std::abs(e); }

/// Compares one output with what is expected.
template<class T, class R>
void compare(int output, R const& result, T const* expected, std::vector<std::int64_t> const& shape) {
    std::string const where = "output " + std::to_string(output);
    if constexpr (requires { result.shape(); }) {
        using element = std::remove_cvref_t<decltype(*result.begin())>;
        if (!std::is_same_v<element, T>) fault = where + " has another element type";
        std::vector<std::int64_t> const found(result.shape().begin(), result.shape().end());
        if (found != shape) {
            fault = where + " has the shape [";
            for (auto const n : found) fault += std::to_string(n) + " ";
            fault += "]";
            return;
        }
        std::int64_t i = 0;
        for (element const e : result) {
            bool const same = std::is_floating_point_v<T> ? close(static_cast<double>(e), static_cast<double>(expected[i]))
                                                          : e == static_cast<element>(expected[i]);
            if (!same && fault.empty())
                fault = where + ", element " + std::to_string(i) + ": " + std::to_string(e) + " instead of " + std::to_string(expected[i]);
            ++i;
        }
    } else {
        if (!std::is_same_v<R, T>) fault = where + " has another element type";
        if (!shape.empty()) fault = where + " has no axis";
        bool const same = std::is_floating_point_v<T> ? close(static_cast<double>(result), static_cast<double>(*expected)) : result == static_cast<R>(*expected);
        if (!same) fault = where + ": " + std::to_string(result) + " instead of " + std::to_string(*expected);
    }
}
struct test {
    char const* name;
    void (*run)();
    double rtol, atol;
};
/// Runs the cases from a number on. A line for each: what it is, and its fault.
inline int run(std::vector<test> const& tests, int count, char** arguments) {
    if (std::FILE* const file = count > 1 ? std::fopen(arguments[1], "rb") : nullptr) {
        std::fseek(file, 0, SEEK_END);
        auto const size = static_cast<std::size_t>(std::ftell(file));
        std::rewind(file);
        memory.resize(size / 8 + 1);
        if (std::fread(memory.data(), 1, size, file) != size) return 1;
        std::fclose(file);
    } else return 1;
    for (std::size_t k = count > 2 ? static_cast<std::size_t>(std::atoi(arguments[2])) : 0; k < tests.size(); ++k) {
        rtol = tests[k].rtol, atol = tests[k].atol;
        fault.clear();
        std::printf("begin %s\\n", tests[k].name);
        std::fflush(stdout);
        try {
            tests[k].run();
        } catch (std::exception const& e) {
            fault = std::string("exception: ") + e.what();
        }
        std::printf("end %s %s\\n", tests[k].name, fault.c_str());
        std::fflush(stdout);
    }
    return 0;
}
}
'''


def attribute_value(attribute):
    """The value of an attribute: text, numbers, lists of these, NumPy arrays for tensors."""
    from onnx import helper, numpy_helper
    value = helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode()
    if attribute.type == attribute.TENSOR:
        return numpy_helper.to_array(value)
    if attribute.type in (attribute.INTS, attribute.FLOATS):
        return list(value)
    return value


class Node:
    """What a translation sees of a node."""

    def __init__(self, program, inputs, attributes, output_count=1, shapes=(), version=0):
        self.program, self.inputs, self.attributes = program, list(inputs), attributes
        self.output_count, self.shapes, self.version = output_count, list(shapes), version

    def get(self, name, otherwise=None):
        return self.attributes.get(name, otherwise)

    def name(self, value):
        return self.program.name(value)

    def table(self, numbers, type_):
        return self.program.table(numbers, type_)

    def infinity(self, type_, negative=False):
        limits = f'std::numeric_limits<{TYPES[type_]}>::infinity()'
        return self.program.scalar_table(('-' if negative else '') + limits, type_)


def number_text(number, type_):
    if type_ == 'bool':
        return 'true' if number else 'false'
    if type_.startswith('float'):
        number = float(number)
        if math.isnan(number):
            return f'std::numeric_limits<{TYPES[type_]}>::quiet_NaN()'
        if math.isinf(number):
            return ('-' if number < 0 else '') + f'std::numeric_limits<{TYPES[type_]}>::infinity()'
        return repr(number) + ('f' if type_ == 'float32' else '')
    number = int(number)
    return f'{number}U' + ('LL' if type_ == 'uint64' else '') if type_.startswith('uint') else \
        '(-9223372036854775807 - 1)' if number == -2 ** 63 else str(number)


class Program:
    """The C++ function of one case."""

    def __init__(self, case):
        self.case = case
        self.inputs = {}    # name: (C++ type, array)
        self.lines = []     # (name, text)
        self.tables = []    # declarations
        self.outputs = []   # (value, expected array)

    def name(self, value):
        if re.fullmatch(r'\w+', value.text):
            return value
        name = f't{len(self.lines)}'
        self.lines.append((name, value.text))
        return Value(name, value.type, value.shape, value.data, value.static)

    def scalar_table(self, text, type_):
        name = f'{self.case}_k{len(self.tables)}'
        self.tables.append(f'inline constexpr {TYPES[type_]} {name}[] = {{{text}}};')
        return Value(f'xg::reshape<>(xg::constant_array<{name}>)', type_, ())

    def table(self, numbers, type_):
        """An array of constants."""
        import numpy
        array = numpy.asarray(numbers, type_)
        if array.size == 0:
            return operators.broadcast_to(operators.number_of(type_, 0), array.shape)
        if array.ndim == 0:
            return self.scalar_table(number_text(array.item(), type_), type_)
        name = f'{self.case}_k{len(self.tables)}'
        text = ', '.join(number_text(n, type_) for n in array.reshape(-1).tolist())
        self.tables.append(f'inline constexpr {TYPES[type_]} {name}[] = {{{text}}};')
        flat = Value(f'xg::constant_array<{name}>', type_, (array.size,), array, True)
        return operators.reshape(flat, array.shape)

    def input(self, array):
        """An input of the case, declared when an expression uses it."""
        name = f'x{len(self.inputs)}'
        type_ = str(array.dtype)
        self.inputs[name] = (type_, array)
        return Value(name, type_, array.shape, array)

    def needed(self):
        """The names that the outputs use."""
        used, waiting = set(), [v.text for v, _ in self.outputs]
        lines = dict(self.lines)
        while waiting:
            for name in re.findall(r'\b[xt]\d+\b', waiting.pop()):
                if name not in used:
                    used.add(name)
                    if name in lines:
                        waiting.append(lines[name])
        return used

    def text(self, memory):
        """The C++ text; arrays are appended to the bytes of the memory."""
        def keep(array):
            memory.extend(b'\0' * (-len(memory) % 64))
            offset = len(memory)
            memory.extend(array.tobytes())
            return offset
        used = self.needed()
        bodies = [*self.tables, f'void {self.case}() {{']
        arguments = []
        for name, (type_, array) in self.inputs.items():
            if name not in used:
                continue
            cpp = TYPES[type_]
            extents = ''.join(f', {n}' for n in array.shape)
            bodies.append(f'    constexpr auto {name} = xg::input<"{name}", {cpp}{extents}>;')
            pointer = f'conformance::at<{cpp}>({keep(array)})'
            arguments.append(f'{name} = xg::array({pointer}{extents})' if array.ndim else f'{name} = *{pointer}')
        for name, text in self.lines:
            if name in used:
                bodies.append(f'    constexpr auto {name} = {text};')
        results = ', '.join(v.text for v, _ in self.outputs)
        bodies.append(f'    xg::function f{{{results if len(self.outputs) == 1 else f"xg::outputs({results})"}}};')
        bodies.append(f'    auto const r = f({", ".join(arguments)});')
        for k, (_, array) in enumerate(self.outputs):
            extents = ', '.join(map(str, array.shape))
            part = 'r' if len(self.outputs) == 1 else f'std::get<{k}>(r)'
            bodies.append(f'    conformance::compare({k}, {part}, conformance::at<{TYPES[str(array.dtype)]}>({keep(array)}), {{{extents}}});')
        return '\n'.join([*bodies, '}', ''])


def fold(program, value):
    """A static value as constants, made when it is used."""
    value._text = lambda: program.table(value.data, value.type).text
    return value


def translate(case):
    """The program of a test case of ONNX. Raises Inexpressible."""
    import numpy
    from onnx import numpy_helper
    graph = case.model.graph
    program = Program(case.name)
    inputs, expected = ([numpy.asarray(a if isinstance(a, (numpy.ndarray, numpy.generic)) else numpy_helper.to_array(a)) for a in part]
                        for part in case.data_sets[0])
    values = {'': None}
    for info, array in zip(graph.input, inputs):
        values[info.name] = program.input(array)
    for tensor in graph.initializer:
        array = numpy_helper.to_array(tensor)
        values[tensor.name] = fold(program, Value('', str(array.dtype), array.shape, array, True))
    version = max((o.version for o in case.model.opset_import if o.domain == ''), default=0)
    known = {}
    if len(graph.node) > 1:
        try:
            from onnx.reference import ReferenceEvaluator
            known = ReferenceEvaluator(case.model).run(None, {i.name: a for i, a in zip(graph.input, inputs)}, intermediate=True)
        except Exception:   # without these numbers only shapes that follow from sizes are known
            known = {}
    finals = {o.name: a for o, a in zip(graph.output, expected)}
    for node in graph.node:
        operands = [values[name] for name in node.input]
        attributes = {a.name: attribute_value(a) for a in node.attribute}
        whole = len(graph.node) > 1 and (node.op_type in ('Constant', 'Shape', 'Size') or (operands and all(v is None or v.static for v in operands)))
        if whole and all(isinstance(known.get(o), (numpy.ndarray, numpy.generic)) for o in node.output if o):
            for o in node.output:
                if o:
                    array = numpy.asarray(known[o])
                    values[o] = fold(program, Value('', str(array.dtype), array.shape, array, True))
            continue
        if node.op_type not in operators.TABLE:
            raise Inexpressible(f'{node.op_type}: ' + operators.REASONS.get(node.op_type, 'no translation'))
        shapes = [numpy.shape(known.get(o, finals.get(o))) for o in node.output]
        reach = Node(program, operands, attributes, len(node.output), shapes, version)
        results = operators.TABLE[node.op_type][1](reach)
        for name, result in zip(node.output, results):
            if not name:
                continue
            result = program.name(result) if len(graph.node) > 1 or name not in finals else result
            if result.data is None and isinstance(known.get(name), numpy.ndarray):
                result = Value(result.text, result.type, result.shape, known[name], result.static)
            values[name] = result
    for o in graph.output:
        value, array = values[o.name], finals[o.name]
        if value.type != str(array.dtype) or value.shape != array.shape:
            raise AssertionError(f'{case.name}: {value.type}{value.shape} instead of {array.dtype}{array.shape}')
        program.outputs.append((value, array))
    for value, _ in program.outputs:
        value.text
    return program


def element_types(case):
    """The element types of inputs and outputs, or what else they are."""
    found = set()
    for info in [*case.model.graph.input, *case.model.graph.output]:
        kind = info.type.WhichOneof('value')
        if kind != 'tensor_type':
            found.add(kind)
        else:
            number = info.type.tensor_type.elem_type
            found.add(ONNX_TYPES.get(number, number))
    return found


def operator_of(case, by_name):
    """The operator that a case is about: that of its only node; of an expanded case, that of the case it was made from."""
    if len(case.model.graph.node) == 1:
        return case.model.graph.node[0].op_type
    plain = re.sub(r'_expanded(_ver\d+)?$', '', case.name)
    return by_name.get(plain, '') or case.model.graph.node[0].op_type


def source(programs, memory):
    tests = [f'        {{"{p.case}", {p.case}, {p.rtol!r}, {p.atol!r}}},' for p in programs]
    return '\n'.join(['#include "conformance.hpp"', '', 'namespace {', *(p.text(memory) for p in programs), '}', '',
                      'int main(int count, char** arguments) {', '    return conformance::run(', '        {', *tests, '        },',
                      '        count, arguments);', '}', ''])
