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
    """The net alone: what is parsed before anything is worked out."""
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
