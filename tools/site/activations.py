# SPDX-License-Identifier: MIT
"""A small plot of each activation of include/xgrad/ops: the value and its derivative.

The curves are the formulas below. They are compared with the numbers of JAX in tests/reference/elementary.txt before they are drawn.
"""
import math

NEAR = 1e-9   # of the larger magnitude, or absolute


def erf(x):
    import numpy
    return numpy.vectorize(math.erf)(x)


def sigmoid(x):
    import numpy
    return 1 / (1 + numpy.exp(-x))


def softplus(x):
    import numpy
    return numpy.logaddexp(0, x)


def clipped(x, least, most):
    import numpy
    return numpy.clip(x, least, most)


def formulas():
    import numpy as np
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    return {
        'relu': lambda x: np.maximum(x, 0),
        'relu6': lambda x: clipped(x, 0, 6),
        'leaky_relu': lambda x: np.where(x > 0, x, 0.2 * x),
        'elu': lambda x: np.where(x > 0, x, 1.5 * np.expm1(np.minimum(x, 0))),
        'celu': lambda x: np.where(x > 0, x, 0.75 * np.expm1(np.minimum(x, 0) / 0.75)),
        'selu': lambda x: scale * np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))),
        'softplus': softplus,
        'gelu': lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))),
        'gelu_tanh': lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
        'silu': lambda x: x * sigmoid(x),
        'mish': lambda x: x * np.tanh(softplus(x)),
        'hard_swish': lambda x: x * clipped(x + 3, 0, 6) / 6,
        'sigmoid': sigmoid,
        'hard_sigmoid': lambda x: clipped(x + 3, 0, 6) / 6,
        'tanh': np.tanh,
        'hard_tanh': lambda x: clipped(x, -1, 1),
        'softsign': lambda x: x / (1 + np.abs(x)),
        'log_sigmoid': lambda x: -softplus(-x),
    }


def parameters():
    """What the captions add to a name, as the reference has it."""
    return {'leaky_relu': ', slope 0.2', 'elu': ', alpha 1.5', 'celu': ', alpha 0.75'}


def differing(root):
    """The names whose formula differs from the reference at one of its points between −8 and 8."""
    import numpy as np
    lines = (root / 'tests/reference/elementary.txt').read_text(encoding='utf-8').splitlines()
    numbers = {line.split()[0]: np.array([float(n) for n in line.split()[1:]]) for line in lines}
    x = numbers['x']
    near = np.abs(x) <= 8
    return [name for name, f in formulas().items()
            if name in numbers and not np.allclose(f(x[near]), numbers[name][near], rtol=NEAR, atol=NEAR)]


def draw(folder, colors_of):
    import matplotlib
    matplotlib.use('svg')
    import matplotlib.pyplot as plot
    import numpy as np
    matplotlib.rcParams.update({'svg.hashsalt': 'activations', 'svg.fonttype': 'none', 'font.family': 'sans-serif', 'font.size': 9})
    folder.mkdir(parents=True, exist_ok=True)
    x = np.linspace(-4, 4, 321)
    between = (x[1:] + x[:-1]) / 2
    for theme, (ink, _, faint, colors) in colors_of.items():
        with plot.rc_context({'text.color': ink, 'axes.labelcolor': ink, 'xtick.color': ink, 'ytick.color': ink, 'axes.edgecolor': faint}):
            figure, grid = plot.subplots(6, 3, figsize=(6.4, 9.6), sharex=True, layout='constrained')
            for axes, (name, f) in zip(grid.flat, formulas().items()):
                axes.set_facecolor('none')
                axes.spines[['top', 'right']].set_visible(False)
                axes.grid(color=faint, linewidth=0.4, zorder=0)
                axes.plot(x, f(x), color=colors[0], linewidth=1.6, zorder=3, label='value')
                axes.plot(between, np.diff(f(x)) / np.diff(x), color=colors[1], linewidth=1, linestyle=':', zorder=2, label='derivative')
                axes.set_title(name + parameters().get(name, ''), fontsize=9)
            figure.legend(*grid.flat[0].get_legend_handles_labels(), loc='outside upper center', ncols=2, frameon=False)
            figure.savefig(folder / f'activations_{theme}.svg', transparent=True, metadata={'Date': None})
            plot.close(figure)
