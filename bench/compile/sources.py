# SPDX-License-Identifier: MIT
"""Generated programs whose compilation is measured. Each function returns the text of one translation unit."""
import os

CORE_ROOMS = ('config', 'meta', 'core', 'ops', 'graph', 'grad', 'plan')

PROLOGUE = '''#include <xgrad/xgrad.hpp>

#if __has_include(<xtensor/xtensor.hpp>)
#    include <xtensor/xtensor.hpp>
#else
#    include <xtensor/containers/xtensor.hpp>
#endif

#include <cstdio>

namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim batch{"batch"};
'''


def headers(root, rooms=None):
    """Public headers as they are included, in a fixed order."""
    base = os.path.join(root, 'include')
    found = []
    for folder, _, files in os.walk(os.path.join(base, 'xgrad')):
        for file in files:
            name = os.path.relpath(os.path.join(folder, file), base)
            if file.endswith('.hpp') and (rooms is None or name.split('/')[1] in rooms):
                found.append(name)
    return sorted(found)


def include_core(root):
    return include(headers(root, CORE_ROOMS))


UMBRELLA = ('xgrad/xgrad.hpp',)
WITH_DOOR = ('xgrad/xgrad.hpp', 'xgrad/xtensor.hpp')


def include(names):
    return ''.join(f'#include <{name}>\n' for name in names)


def third_party(with_xtensor):
    """The yardstick of the umbrella: xsimd, and xtensor where results are taken as its arrays, whatever xgrad itself includes of them."""
    text = include(('xsimd/xsimd.hpp',))
    if with_xtensor:
        text += '#if __has_include(<xtensor/xtensor.hpp>)\n#    include <xtensor/xtensor.hpp>\n'
        text += '#else\n#    include <xtensor/containers/xtensor.hpp>\n#endif\n'
    return text


def train_program(loss, width, outputs):
    return f'''
int main() {{
    auto train = xg::minimize({loss}, xg::gradient_descent{{.learning_rate = 0.01f}});
    train.initialize(xg::glorot_uniform{{.seed = 1}});
    xt::xtensor<float, 2> inputs({{std::size_t(32), std::size_t({width})}}, 0.5f);
    xt::xtensor<float, 2> targets({{std::size_t(32), std::size_t({outputs})}}, 0.25f);
    float value = 0;
    for (int step = 0; step < 10; ++step) value = train(x = inputs, y = targets);
    std::printf("%g\\n", static_cast<double>(value));
}}
'''


def dense(layers, width=64):
    """A chain of tanh(h W + b); all gradients and gradient descent. Five nodes of the forward graph a layer."""
    text = [PROLOGUE, f'constexpr auto x = xg::input<"x", float, batch, {width}>;', f'constexpr auto y = xg::input<"y", float, batch, {width}>;']
    previous = 'x'
    for i in range(layers):
        text.append(f'constexpr auto w{i} = xg::variable<"w{i}", float, {width}, {width}>;')
        text.append(f'constexpr auto b{i} = xg::variable<"b{i}", float, {width}>;')
        text.append(f'constexpr auto h{i} = xg::tanh(xg::matmul({previous}, w{i}) + b{i});')
        previous = f'h{i}'
    text.append(f'constexpr auto loss = xg::mean(xg::square({previous} - y));')
    return '\n'.join(text) + train_program('loss', width, width)


def let_net(layers, width):
    """The same net, every layer a named block, as deep nets are written."""
    text = [PROLOGUE, f'constexpr auto x = xg::input<"x", float, batch, {width}>;', f'constexpr auto y = xg::input<"y", float, batch, {width}>;']
    previous = 'x'
    for i in range(layers):
        text.append(f'constexpr auto w{i} = xg::variable<"w{i}", float, {width}, {width}>;')
        text.append(f'constexpr auto b{i} = xg::variable<"b{i}", float, {width}>;')
        text.append(f'struct layer{i} : xg::let<layer{i}> {{')
        text.append(f'    static constexpr auto value() {{ return xg::tanh(xg::matmul({previous}, w{i}) + b{i}); }}')
        text.append('};')
        previous = f'layer{i}{{}}'
    text.append(f'constexpr auto loss = xg::mean(xg::square({previous} - y));')
    return '\n'.join(text)


def dense_let(layers, width=64):
    return let_net(layers, width) + train_program('loss', width, width)


def language_let(layers, width=64):
    """The net alone: the compiler parses it before it computes anything."""
    return let_net(layers, width) + '\nstatic_assert(decltype(loss)::info.value.wrong == xg::fault::none);\n'


def plan_let(layers, width=64):
    """The net, its gradients and the plan of a training step; no kernel."""
    return language_let(layers, width) + '''using loss_list = xg::expression_list<std::remove_const_t<decltype(loss)>>;
using all_of_it = xg::minimize_updates<std::remove_const_t<decltype(loss)>, xg::param_group_type<xg::gradient_descent>>;
static_assert(xg::program<loss_list, all_of_it>::plan.step_count > 0);
'''


def residual(blocks, width=64):
    """h + tanh(h W + b), written plainly: the printed type of the forward graph doubles with every block."""
    text = [PROLOGUE, f'constexpr auto x = xg::input<"x", float, batch, {width}>;', f'constexpr auto y = xg::input<"y", float, batch, {width}>;']
    previous = 'x'
    for i in range(blocks):
        text.append(f'constexpr auto w{i} = xg::variable<"w{i}", float, {width}, {width}>;')
        text.append(f'constexpr auto b{i} = xg::variable<"b{i}", float, {width}>;')
        text.append(f'constexpr auto h{i} = {previous} + xg::tanh(xg::matmul({previous}, w{i}) + b{i});')
        previous = f'h{i}'
    text.append(f'constexpr auto loss = xg::mean(xg::square({previous} - y));')
    return '\n'.join(text) + train_program('loss', width, width)


def residual_nn(blocks, width=64):
    """The residual net of plain nn layers: each carries the type of its input once."""
    text = [PROLOGUE, '#include <xgrad/nn/residual.hpp>', f'constexpr auto x = xg::input<"x", float, batch, {width}>;',
            f'constexpr auto y = xg::input<"y", float, batch, {width}>;']
    previous = 'x'
    for i in range(blocks):
        text.append(f'constexpr auto h{i} = xg::nn::residual_dense<"d{i}", xg::op::tanh>({previous});')
        previous = f'h{i}'
    text.append(f'constexpr auto loss = xg::mean(xg::square({previous} - y));')
    return '\n'.join(text) + train_program('loss', width, width)


def residual_let(blocks, width=64):
    """The residual net, every block a named block."""
    text = [PROLOGUE, f'constexpr auto x = xg::input<"x", float, batch, {width}>;', f'constexpr auto y = xg::input<"y", float, batch, {width}>;']
    previous = 'x'
    for i in range(blocks):
        text.append(f'constexpr auto w{i} = xg::variable<"w{i}", float, {width}, {width}>;')
        text.append(f'constexpr auto b{i} = xg::variable<"b{i}", float, {width}>;')
        text.append(f'struct block{i} : xg::let<block{i}> {{')
        text.append(f'    static constexpr auto value() {{ return {previous} + xg::tanh(xg::matmul({previous}, w{i}) + b{i}); }}')
        text.append('};')
        previous = f'block{i}{{}}'
    text.append('struct loss : xg::let<loss> {')
    text.append(f'    static constexpr auto value() {{ return xg::mean(xg::square({previous} - y)); }}')
    text.append('};')
    return '\n'.join(text) + train_program('loss{}', width, width)


BLOCK = '''struct block : xg::region {
    static constexpr auto value(auto h, auto m, auto c) { return h + xg::tanh(xg::matmul(h, m) + c); }
};
'''


def layers(count, width=64):
    """Equal residual layers as one body."""
    text = [PROLOGUE, BLOCK, f'constexpr auto x = xg::input<"x", float, batch, {width}>;', f'constexpr auto y = xg::input<"y", float, batch, {width}>;',
            f'constexpr auto w = xg::variable<"w", float, {count}, {width}, {width}>;', f'constexpr auto b = xg::variable<"b", float, {count}, {width}>;',
            f'constexpr auto loss = xg::mean(xg::square(xg::layers<{count}, block>(x, w, b) - y));']
    return '\n'.join(text) + train_program('loss', width, width)


def calls(count, width=64):
    """A block called from several places, each with the same variables."""
    text = [PROLOGUE, BLOCK, f'constexpr auto x = xg::input<"x", float, batch, {width}>;', f'constexpr auto y = xg::input<"y", float, batch, {width}>;',
            f'constexpr auto w = xg::variable<"w", float, {width}, {width}>;', f'constexpr auto b = xg::variable<"b", float, {width}>;']
    previous = 'x'
    for i in range(count):
        text.append(f'constexpr auto h{i} = xg::call<block>({previous}, w, b);')
        previous = f'h{i}'
    text.append(f'constexpr auto loss = xg::mean(xg::square({previous} - y));')
    return '\n'.join(text) + train_program('loss', width, width)


def mlp(_root=None):
    """784-128-10 with relu, cross entropy and Adam."""
    return PROLOGUE + '''
#include <cstdint>

constexpr auto x = xg::input<"x", float, batch, 784>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 784, 128>;
constexpr auto b1 = xg::variable<"b1", float, 128>;
constexpr auto w2 = xg::variable<"w2", float, 128, 10>;
constexpr auto b2 = xg::variable<"b2", float, 10>;

constexpr auto hidden = xg::relu(xg::matmul(x, w1) + b1);
constexpr auto logits = xg::matmul(hidden, w2) + b2;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

int main() {
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 1e-3f});
    train.initialize(xg::glorot_uniform{.seed = 1});
    xt::xtensor<float, 2> images({std::size_t(64), std::size_t(784)}, 0.5f);
    xt::xtensor<std::int32_t, 1> labels({std::size_t(64)}, 3);
    float value = 0;
    for (int step = 0; step < 10; ++step) value = train(x = images, y = labels);
    std::printf("%g\\n", static_cast<double>(value));
}
'''


def function_sizes(count):
    """Sizes at which each of the five functions of bench/runtime/functions.hpp is used. hand/functions.hpp has its loops' divisors."""
    each = range(1, count + 1)
    return {
        'log_sum_exp': [f'{1000 * n}' for n in each],
        'linear_regression': [f'{200 * n}, {40 + 4 * n}' for n in each],
        'regression_in_columns': [f'{200 * n}, {40 + 4 * n}' for n in each],
        'gaussian_mixture': [f'{200 * n}, {2 * n}, {4 + n}' for n in each],
        'chain': [f'{200 * n}' for n in each],
    }


def functions(count):
    """Values and gradients by xgrad: an xg::function for each function and size, called with arrays."""
    calls = {
        'log_sum_exp': 'f(F::x = array<{0}>())',
        'linear_regression': 'f(F::x = array<{0}, {1}>(), F::y = array<{0}>(), F::w = array<{1}>(), F::b = 0.1)',
        'regression_in_columns': 'f(F::x = array<{1}, {0}>(), F::y = array<{0}>(), F::w = array<{1}>(), F::b = 0.1)',
        'gaussian_mixture': 'f(F::x = array<{0}, {1}>(), F::a = array<{2}>(), F::m = array<{2}, {1}>(), F::q = array<{2}, {1}>())',
        'chain': 'f(F::x = array<{0}>())',
    }
    arguments = {'linear_regression': 'ours::loss::plain, {0}, {1}', 'regression_in_columns': '{1}'}
    text = ['#include "functions.hpp"', '#include <cstdio>', 'namespace xg = xgrad;', 'double numbers[1 << 18];',
            'template<int... Extents>', 'auto array() { return xg::array(numbers, Extents...); }']
    for name, sizes in function_sizes(count).items():
        text.append(f'double {name}() {{\n    double sum = 0;')
        for size in sizes:
            parts = size.split(', ')
            text.append(f'    {{\n        using F = ours::{name}<{arguments.get(name, size).format(*parts)}>;\n        xg::function f{{F::all}};\n'
                        f'        auto const all = {calls[name].format(*parts)};\n        sum += std::get<0>(all) + std::get<1>(all).data()[0];\n    }}')
        text.append('    return sum;\n}')
    return '\n'.join(text) + main_of_functions()


def functions_by_hand(count):
    """The same by the hand-written code that bench/runtime compares with."""
    text = ['#include "hand/functions.hpp"', '#include <cstdio>']
    for name, sizes in function_sizes(count).items():
        text.append(f'double {name}() {{\n    double sum = 0;')
        text += [f'    {{\n        hand::{name}<{size}> f;\n        sum += f.step() + f.gradient{"_a" if name == "gaussian_mixture" else ""}[0];\n    }}'
                 for size in sizes]
        text.append('    return sum;\n}')
    return '\n'.join(text) + main_of_functions()


def main_of_functions():
    return '\nint main() { std::printf("%g\\n", ' + ' + '.join(f'{name}()' for name in function_sizes(0)) + '); }\n'


def net_of_functions():
    """The expressions of mlp without its main."""
    return mlp().split('\nint main() {')[0]


def functions_of_net(count):
    """Up to five programs of one net: what a file asks of a trained model."""
    outputs = ['logits', 'xg::outputs(logits, loss)', 'hidden', 'loss', 'xg::outputs(xg::softmax(logits), loss)'][:count]
    text = [net_of_functions(), 'template<class F>', 'double ask(F& f, auto const&... arguments) {',
            '    auto const all = f(arguments...);',
            '    if constexpr (requires { std::get<0>(all); }) return std::get<0>(all).data()[0];',
            '    else if constexpr (requires { all.data(); }) return all.data()[0];', '    else return all;', '}', 'int main() {',
            '    auto train = xg::minimize(loss, xg::gradient_descent{.learning_rate = 0.1f});', '    train.initialize(xg::glorot_uniform{.seed = 1});',
            '    xt::xtensor<float, 2> images({std::size_t(64), std::size_t(784)}, 0.5f);',
            '    xt::xtensor<std::int32_t, 1> labels({std::size_t(64)}, 3);', '    double sum = train(x = images, y = labels);']
    for k, output in enumerate(outputs):
        given = 'x = images, y = labels' if 'loss' in output else 'x = images'
        text.append(f'    xg::function f{k}{{{output}, train}};\n    sum += ask(f{k}, {given});')
    return '\n'.join(text) + '\n    std::printf("%g\\n", sum);\n}\n'


def trainers_of_shape(count):
    """Nets of one shape and different names, each with its trainer."""
    text = [PROLOGUE, '#include <cstdint>', 'constexpr auto x = xg::input<"x", float, batch, 784>;',
            'constexpr auto y = xg::input<"y", std::int32_t, batch>;']
    for k in range(count):
        text += [f'constexpr auto w{k} = xg::variable<"w{k}", float, 784, 128>;', f'constexpr auto b{k} = xg::variable<"b{k}", float, 128>;',
                 f'constexpr auto v{k} = xg::variable<"v{k}", float, 128, 10>;', f'constexpr auto c{k} = xg::variable<"c{k}", float, 10>;',
                 f'constexpr auto loss{k} = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(xg::relu(xg::matmul(x, w{k}) + b{k}), v{k}) + c{k}, y));']
    text += ['int main() {', '    xt::xtensor<float, 2> images({std::size_t(64), std::size_t(784)}, 0.5f);',
             '    xt::xtensor<std::int32_t, 1> labels({std::size_t(64)}, 3);', '    float value = 0;']
    for k in range(count):
        text += ['    {', f'        auto train = xg::minimize(loss{k}, xg::adam{{.learning_rate = 1e-3f}});', '        train.initialize(xg::glorot_uniform{.seed = 1});',
                 '        for (int step = 0; step < 10; ++step) value += train(x = images, y = labels);', '    }']
    return '\n'.join(text) + '\n    std::printf("%g\\n", static_cast<double>(value));\n}\n'


def network(included, of, rule='xg::adam{.learning_rate = 1e-3f}', updates=''):
    """A network as a program of a user trains it: `of` makes `logits`, from images or sequences `x`. Its loss is cross entropy."""
    headers = include(f'xgrad/{name}.hpp' for name in ('xgrad', *included))
    return PROLOGUE.replace('#include <xgrad/xgrad.hpp>\n', headers) + of + f'''
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(logits, y));

int main() {{
    auto train = xg::minimize(loss, {rule}{updates});
    train.initialize(xg::glorot_uniform{{.seed = 1}});
    xt::xtensor<float, decltype(x)::info.value.dims.rank> inputs(shape(16), 0.5f);
    xt::xtensor<std::int32_t, 1> labels({{std::size_t(16)}}, 3);
    float value = 0;
    for (int step = 0; step < 10; ++step) value = train(x = inputs, y = labels);
    std::printf("%g\\n", static_cast<double>(value));
}}
'''


def shape_of(*extents):
    return ('constexpr std::array<std::size_t, %d> shape(std::size_t n) { return {n, %s}; }\n'
            % (len(extents) + 1, ', '.join(map(str, extents))))


def small_cnn():
    """Two convolutions with batch norm and pools, two dense layers: 28 x 28 pixels, 10 classes."""
    return network(('nn/batch_norm', 'nn/convolution', 'ops/pooling/max_pool', 'ops/shapes/axes'), shape_of(28, 28, 1) + '''
constexpr auto x = xg::input<"x", float, batch, 28, 28, 1>;
template<xg::fixed_string Name, std::int64_t Filters>
constexpr auto part(auto const& in) {
    auto const convolved = xg::nn::conv2d<xg::join_names<Name, "conv">(), Filters, 3, xg::window{.padding = xg::window_padding(1)}, false>(in);
    return xg::max_pool2d<2>(xg::relu(xg::nn::batch_norm<xg::join_names<Name, "norm">()>(convolved)));
}
constexpr auto features = xg::flatten<1>(part<"second", 48>(part<"first", 24>(x)));
constexpr auto logits = xg::nn::dense<"out", 10>(xg::relu(xg::nn::dense<"hidden", 128>(features)));
''', updates=', xg::nn::updates(loss)')


def lstm():
    """An LSTM of 64 units over 32 time steps, and a dense layer of its last state."""
    return network(('nn/recurrent',), shape_of(32, 64) + '''
constexpr auto x = xg::input<"x", float, batch, 32, 64>;
constexpr auto logits = xg::nn::dense<"out", 10>(xg::nn::lstm<"rnn", 64>(x));
''')


def attention_block():
    """A block of a transformer: 64 positions, 128 wide, 4 heads; the mean of its positions is classified."""
    return network(('nn/transformer',), shape_of(64, 128) + '''
constexpr auto x = xg::input<"x", float, batch, 64, 128>;
constexpr auto block = xg::nn::transformer_encoder_block<"block", 4, 512, xg::nn::transformer_options{.norm_first = true}>(x);
constexpr auto logits = xg::nn::dense<"out", 10>(xg::mean<1>(block));
''')


def resnet():
    """ResNet-20 for 32 x 32 pixels (He et al. 2015), each of its nine blocks a named block."""
    return network(('nn/batch_norm', 'nn/convolution', 'ops/pooling/average_pool'), shape_of(32, 32, 3) + '''
constexpr auto x = xg::input<"x", float, batch, 32, 32, 3>;
template<int I, std::int64_t Filters, std::int64_t Stride>
constexpr auto convolved(auto const& in) {
    constexpr xg::window how{.strides = Stride, .padding = xg::window_padding(1)};
    return xg::nn::batch_norm<xg::numbered<"norm", I>>(xg::nn::conv2d<xg::numbered<"conv", I>, Filters, 3, how, false>(in));
}
template<int I>
struct block : xg::let<block<I>> {
    static constexpr auto value() {
        if constexpr (I == 0) return xg::relu(convolved<0, 16, 1>(x));
        else {
            constexpr int stage = (I - 1) / 3;
            constexpr bool narrows = stage > 0 && (I - 1) % 3 == 0;
            constexpr std::int64_t filters = 16 << stage;
            constexpr block<I - 1> in;
            auto const out = convolved<2 * I, filters, 1>(xg::relu(convolved<2 * I - 1, filters, (narrows ? 2 : 1)>(in)));
            if constexpr (!narrows) return xg::relu(out + in);
            else {
                auto const projected = xg::nn::conv2d<xg::numbered<"project", I>, filters, 1, xg::window{.strides = 2}, false>(in);
                return xg::relu(out + xg::nn::batch_norm<xg::numbered<"project_norm", I>>(projected));
            }
        }
    }
};
constexpr auto logits = xg::nn::dense<"out", 10>(xg::global_average_pool(block<9>{}));
''', 'xg::momentum{.learning_rate = 0.01f, .momentum = 0.9f}', ', xg::nn::updates(loss)')
