# SPDX-License-Identifier: MIT
"""Test cases of ONNX as C++ programs: one function for each case, which computes its outputs with xgrad and compares them."""
import math
import re

import networks  # noqa: F401  (adds operators to the table)
import operators
from values import ONNX_TYPES, TYPES, Inexpressible, Value

NUMBERS = {name: number for number, name in ONNX_TYPES.items()}

HEADER = '''#include <xgrad/all.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <numeric>
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

inline std::string shown(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", x);
    return text;
}

/// Compares one output with what is expected, or its first rows.
template<class T, class R>
void compare(int output, R const& result, T const* expected, std::vector<std::int64_t> const& shape, std::int64_t rows = -1) {
    std::string const where = "output " + std::to_string(output);
    if constexpr (requires { result.shape(); }) {
        using element = std::remove_cvref_t<decltype(*result.begin())>;
        if (!std::is_same_v<element, T>) fault = where + " has another element type";
        std::vector<std::int64_t> found(result.shape().begin(), result.shape().end());
        if (rows >= 0) found[0] = std::min(found[0], rows);   // of a result with room for more
        if (found != shape) {
            fault = where + " has the shape [";
            for (auto const n : found) fault += std::to_string(n) + " ";
            fault += "]";
            return;
        }
        std::int64_t i = 0;
        std::int64_t const size = std::accumulate(found.begin(), found.end(), std::int64_t{1}, std::multiplies<>{});
        for (element const e : result) {
            if (i == size) break;
            bool const same = std::is_floating_point_v<T> ? close(static_cast<double>(e), static_cast<double>(expected[i]))
                                                          : e == static_cast<element>(expected[i]);
            if (!same && fault.empty())
                fault = where + ", element " + std::to_string(i) + ": " + shown(static_cast<double>(e)) + " instead of " +
                        shown(static_cast<double>(expected[i]));
            ++i;
        }
    } else {
        if (!std::is_same_v<R, T>) fault = where + " has another element type";
        if (!shape.empty()) fault = where + " has no axis";
        bool const same = std::is_floating_point_v<T> ? close(static_cast<double>(result), static_cast<double>(*expected))
                                                      : result == static_cast<R>(*expected);
        if (!same) fault = where + ": " + shown(static_cast<double>(result)) + " instead of " + shown(static_cast<double>(*expected));
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

    def __init__(self, program, inputs, attributes, output_count=1, shapes=(), version=0, proto=None):
        self.proto = proto
        self.program, self.inputs, self.attributes = program, list(inputs), attributes
        self.output_count, self.shapes, self.version = output_count, list(shapes), version

    def get(self, name, otherwise=None):
        return self.attributes.get(name, otherwise)

    def name(self, value):
        return self.program.name(value)

    def table(self, numbers, type_):
        return self.program.table(numbers, type_)

    def cut(self, value, count, order):
        """A result of which the first `count` rows are the expected ones, with its axes in another order."""
        value.cut = (self.name(count), order)
        return value

    def body(self, graph, operands, give, parameters):
        return self.program.body(graph, operands, give, parameters, self.version)

    def region(self, parameters, make):
        return self.program.region(parameters, make)

    def inline(self, graph):
        return self.program.inline(graph, self.version)

    def extents(self, x, text, rank, count):
        """Numbers that the compiler takes from the type of an expression."""
        program, k = self.program, f'k{len(self.program.tables)}'
        program.tables.append(f'using like{k} = std::remove_cvref_t<decltype(xg::input<"like", {x.cpp}{"".join(f", {n}" for n in x.shape)}>)>;')
        program.tables.append(f'inline constexpr std::int64_t {k}[] = {{{text.format(like=f"xg::value_of<like{k}>.dims")}}};')
        value = Value(f'xg::constant_array<{k}>', 'int64', (count,))
        return value if rank else operators.reshape(value, ())

    def definition(self):
        """The results by ONNX's own definition of the operator, node by node."""
        return self.program.definition(self)

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
        self.lines = []     # (name, declaration) of expressions and of the bodies of loops
        self.nested = []    # the lines of the bodies that are being made
        self.count = 0
        self.values = {}
        self.tables = []    # declarations
        self.outputs = []   # (value, expected array)

    def name(self, value):
        if re.fullmatch(r'\w+', value.text):
            return value
        name = f't{self.count}'
        self.count += 1
        if self.nested:
            self.nested[-1].append(f'        auto const {name} = {value.text};')
        else:
            self.lines.append((name, f'constexpr auto {name} = {value.text};'))
        return Value(name, value.type, value.shape, value.data, value.static)

    def region(self, parameters, make):
        """A body of a loop: `make` gives the text that it returns, for values of its parameters."""
        number = self.count
        self.count += 1
        names = [f'p{number}_{k}' for k in range(len(parameters))]
        self.nested.append([])
        text = make(*(Value(name, v.type, v.shape) for name, v in zip(names, parameters)))
        lines = self.nested.pop()
        self.lines.append((f'body{number}', '\n'.join([
            f'struct body{number} : xg::region {{', f'    static constexpr auto value({", ".join("auto " + name for name in names)}) {{', *lines,
            f'        return {text};', '    }', '};'])))
        return f'body{number}'

    def body(self, graph, operands, give, parameters, version):
        """The region of a graph. Its operands are `operands` in ONNX's order; as parameters they have the order of `parameters`."""
        def make(*inner):
            of = {id(v): new for v, new in zip(parameters, inner)}
            values = dict(self.values)
            for info, v in zip(graph.input, operands):
                values[info.name] = of.get(id(v)) or fold(self, v)
            self.nodes(graph, values, {}, version)
            return give([values[o.name] for o in graph.output])
        return self.region(parameters, make)

    def inline(self, graph, version):
        """The results of a graph that uses the values around it."""
        values = dict(self.values)
        self.nodes(graph, values, {}, version)
        return [values[o.name] for o in graph.output]

    def definition(self, node):
        import onnx
        schema = onnx.defs.get_schema(node.proto.op_type, domain=node.proto.domain)
        types = [onnx.helper.make_tensor_type_proto(NUMBERS[v.type], v.shape).SerializeToString() if v is not None else b'' for v in node.inputs]
        function = onnx.FunctionProto()
        if schema.has_function:
            function = schema.function_body
        else:
            function.ParseFromString(schema.get_context_dependent_function(node.proto.SerializeToString(), types))
        values = {'': None, **dict(zip(function.input, node.inputs))}
        for name in function.input[len(node.inputs):]:
            values[name] = None
        self.nodes(function, values, {}, node.version)
        return [values.get(name) for name in function.output]

    def nodes(self, graph, values, known, version, finals=()):
        """Translates the nodes of a graph; `values` gets their results."""
        import numpy
        outside, self.values = self.values, values
        for node in graph.node:
            operands = [values[name] for name in node.input]
            attributes = {a.name: attribute_value(a) for a in node.attribute}
            constants = fold_node(node, operands, known, version) if len(graph.node) > 1 or self.nested else None
            if constants is not None:
                for name, array in constants.items():
                    values[name] = fold(self, Value('', str(array.dtype), array.shape, array, True))
                continue
            if node.op_type not in operators.TABLE:
                raise Inexpressible(f'{node.op_type}: ' + operators.REASONS.get(node.op_type, 'no translation'))
            shapes = [numpy.shape(known[o] if o in known else finals[o]) if o in known or o in finals else None for o in node.output]
            reach = Node(self, operands, attributes, len(node.output), shapes, version, node)
            for name, result in zip(node.output, operators.TABLE[node.op_type][1](reach)):
                if not name:
                    continue
                if len(graph.node) > 1 and not hasattr(result, 'cut') and not result.static:
                    result = self.name(result)
                if result.data is None and isinstance(known.get(name), numpy.ndarray):
                    result.data = known[name]
                values[name] = result
        self.values = outside

    def scalar_table(self, text, type_):
        name = f'k{len(self.tables)}'
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
        first = array.reshape(-1)[0]
        if array.size > 1 and numpy.isfinite(first) and (array == first).all():
            value = operators.broadcast_to(operators.number_of(type_, first.item()), array.shape)
            return Value(value.text, type_, array.shape, array, True)
        name = f'k{len(self.tables)}'
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

    def plain(self):
        """Whether no output is computed from an input: all follow from shapes and constants, or are inputs themselves."""
        return not any(name[0] == 'x' for name in self.needed()) or all(re.fullmatch(r'x\d+', v.text) for v, _ in self.outputs)

    def needed(self):
        """The names that the outputs use."""
        used, waiting = set(), [v.text for v, _ in self.outputs] + [v.cut[0].text for v, _ in self.outputs if hasattr(v, 'cut')]
        lines = dict(self.lines)
        while waiting:
            for name in re.findall(r'\b(?:[xt]|body)\d+\b', waiting.pop()):
                if name not in used:
                    used.add(name)
                    if name in lines:
                        waiting.append(lines[name])
        return used

    def text(self, memory):
        """The C++ text; arrays are appended to the bytes of the memory."""
        import numpy

        def keep(array):
            memory.extend(b'\0' * (-len(memory) % 64))
            offset = len(memory)
            memory.extend(numpy.ascontiguousarray(array).tobytes())
            return offset
        used = self.needed()
        text = [f'namespace {self.case} {{', *self.tables]
        arguments = []
        for name, (type_, array) in self.inputs.items():
            if name not in used:
                continue
            cpp = TYPES[type_]
            extents = ''.join(f', {n}' for n in array.shape)
            text.append(f'constexpr auto {name} = xg::input<"{name}", {cpp}{extents}>;')
            pointer = f'conformance::at<{cpp}>({keep(array)})'
            arguments.append(f'{name} = xg::array({pointer}{extents})' if array.ndim else f'{name} = *{pointer}')
        text += [declaration for name, declaration in self.lines if name in used]
        results = []   # with the place of the number of rows that count
        for v, _ in self.outputs:
            results.append(v.text)
        counts = [v.cut[0].text for v, _ in self.outputs if hasattr(v, 'cut')]
        whole = results + counts
        target = whole[0] if len(whole) == 1 else f'xg::outputs({", ".join(whole)})'
        text += ['void run() {', f'    xg::function f{{{target}}};',
                 f'    auto const r = f({", ".join(arguments)});']
        for k, (v, array) in enumerate(self.outputs):
            part = 'r' if len(whole) == 1 else f'std::get<{k}>(r)'
            rows = ''
            if hasattr(v, 'cut'):
                array = array.transpose(v.cut[1])
                rows = f', std::get<{len(results) + counts.index(v.cut[0].text)}>(r)'
            extents = ', '.join(map(str, array.shape))
            text.append(f'    conformance::compare({k}, {part}, conformance::at<{TYPES[str(array.dtype)]}>({keep(array)}), {{{extents}}}{rows});')
        return '\n'.join([*text, '}', '}', ''])


def fold_node(node, operands, known, version):
    """The results of a node that follow from shapes and constants alone, by name; else None."""
    import numpy
    if node.op_type in ('Shape', 'Size') and operands[0] is not None:
        attributes = {a.name: a.i for a in node.attribute}
        shape = numpy.asarray(operands[0].shape, 'int64')
        return {node.output[0]: shape[attributes.get('start', 0):attributes.get('end', None)] if node.op_type == 'Shape' else
                numpy.asarray(operands[0].size, 'int64')}
    if any(a.type == a.GRAPH for a in node.attribute):   # it may use other values too
        return None
    if node.op_type != 'Constant' and not (operands and all(v is None or (v.static and v.data is not None) for v in operands)):
        return None
    if all(isinstance(known.get(o), (numpy.ndarray, numpy.generic)) for o in node.output if o):
        return {o: numpy.asarray(known[o]) for o in node.output if o}
    import onnx
    from onnx.reference import ReferenceEvaluator
    graph = onnx.helper.make_graph([node], 'one', [onnx.helper.make_tensor_value_info(n, NUMBERS[v.type], v.shape)
                                                   for n, v in dict(zip(node.input, operands)).items() if v is not None],
                                   [onnx.helper.make_empty_tensor_value_info(o) for o in node.output if o])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid(node.domain, version or onnx.defs.onnx_opset_version())])
    results = ReferenceEvaluator(model).run(None, {n: v.data for n, v in zip(node.input, operands) if v is not None})
    return {o: numpy.asarray(r) for o, r in zip([o for o in node.output if o], results)}


def fold(program, value):
    """A static value as constants, made when it is used."""
    value._text = lambda: program.table(value.data, value.type).text
    return value


def translate(case):
    """The program of a test case of ONNX. Raises Inexpressible."""
    import numpy
    from onnx import numpy_helper
    if case.name in operators.CASES:
        raise Inexpressible(operators.CASES[case.name])
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
    program.nodes(graph, values, known, version, finals)
    for o in graph.output:
        value, array = values[o.name], finals[o.name]
        if value.type != str(array.dtype) or (value.shape != array.shape and not hasattr(value, 'cut')):
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
    tests = [f'        {{"{p.case}", {p.case}::run, {p.rtol!r}, {p.atol!r}}},' for p in programs]
    return '\n'.join(['#include "conformance.hpp"', '', 'namespace {', *(p.text(memory) for p in programs), '}', '',
                      'int main(int count, char** arguments) {', '    return conformance::run(', '        {', *tests, '        },',
                      '        count, arguments);', '}', ''])
