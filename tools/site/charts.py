# SPDX-License-Identifier: MIT
"""Charts of the figures in docs/performance.md and docs/compile_time.md, and curves of activations, drawn for light and dark pages."""
import re

import activations

# Ink, paper, what stays in the background, and the series.
COLORS = {'light': ('#1a1a1a', '#ffffff', '#c9c9c9', ('#2563a8', '#d97a1c', '#3b8f5a')),
          'dark': ('#e6e6e6', '#131416', '#4a4a4a', ('#6ea8e6', '#f2a154', '#79c795'))}


class Wrong(Exception):
    pass


def tables(text, heading):
    """The tables of a section, each as a list of rows of cells, its first row the names of the columns."""
    section = re.search(rf'^(#+) {re.escape(heading)}\n(.*?)(?=^#{{1,6}} |\Z)', text, re.M | re.S)
    if not section:
        raise Wrong(f'there is no section "{heading}"')
    found, last = [], None
    for number, line in enumerate(section[2].splitlines()):
        if line.startswith('|'):
            if last != number - 1:
                found.append([])
            found[-1].append([cell.strip().replace('`', '') for cell in line.strip().strip('|').split('|')])
            last = number
    return [[rows[0], *rows[2:]] for rows in found]


def ratio(cell):
    """1.91 of `**1.91** (1.30–1.46)`."""
    number = re.match(r'\**(\d+(?:\.\d+)?)\**(?: \(.*\))?$', cell)
    return float(number[1]) if number else None


def goal(text, heading, sentence):
    """The number that a sentence of a section names."""
    section = text[text.index(f'# {heading}\n'):] if f'# {heading}\n' in text else ''
    found = re.search(sentence + r' (\d+(?:\.\d+)?)', section)
    if not found:
        raise Wrong(f'the section "{heading}" has no sentence "{sentence} ..."')
    return float(found[1])


def columns(table, wanted):
    """(name of a row, its numbers in the columns that are wanted: name shown → column)."""
    for column in wanted.values():
        if column >= len(table[0]):
            raise Wrong(f'the table with the columns {", ".join(table[0])} has no column {column}')
    rows = [(row[0], [ratio(row[column]) for column in wanted.values()]) for row in table[1:] if len(row) == len(table[0])]
    if not rows or all(value is None for _, values in rows for value in values):
        raise Wrong(f'the table with the columns {", ".join(table[0])} has no numbers there')
    return rows


def columns_named(table, name):
    """The columns whose name is `name` or ends so, in order."""
    return [i for i, title in enumerate(table[0]) if title == name or title.endswith(f': {name}')]


def drawing(folder, name, draw, size):
    """One SVG file for each colour of the page."""
    import matplotlib
    matplotlib.use('svg')
    import matplotlib.pyplot as plot
    matplotlib.rcParams.update({'svg.hashsalt': name, 'svg.fonttype': 'none', 'font.family': 'sans-serif', 'font.size': 11})
    folder.mkdir(parents=True, exist_ok=True)
    for theme, (ink, paper, faint, colors) in COLORS.items():
        with plot.rc_context({'text.color': ink, 'axes.labelcolor': ink, 'xtick.color': ink, 'ytick.color': ink, 'axes.edgecolor': faint}):
            figure, axes = plot.subplots(figsize=size, layout='constrained')
            axes.set_facecolor('none')
            axes.spines[['top', 'right', 'left']].set_visible(False)
            draw(axes, ink, paper, faint, colors)
            figure.legend(loc='outside upper center', ncols=2, frameon=False)
            figure.savefig(folder / f'{name}_{theme}.svg', transparent=True, metadata={'Date': None})
            plot.close(figure)


def bars(rows, names, limit, label, limits=None):
    """A group of horizontal bars below the name of each row, and the goal as a line, or as a mark for each row that has a separate goal."""
    pitch = len(names) + 1.4   # in bars

    def draw(axes, ink, paper, faint, colors):
        for i, (row, values) in enumerate(rows):
            axes.text(0, i * pitch, row, va='center', zorder=4, bbox={'facecolor': paper, 'edgecolor': 'none', 'pad': 0.4})
            for k, value in enumerate(values):
                if value is not None:
                    axes.barh(i * pitch + k + 1.1, value, height=0.9, color=colors[k], label=names[k] if i == 0 else None, zorder=2)
                    axes.text(value, i * pitch + k + 1.13, f' {value:.2f}', va='center', fontsize=9, zorder=4, bbox={'facecolor': paper, 'edgecolor': 'none', 'pad': 0.4})
            if limits and row in limits:
                axes.plot([limits[row]] * 2, [i * pitch + 0.6, i * pitch + len(names) + 0.6], color=ink, linewidth=2.2, zorder=3,
                          label='goal' if row == next(r for r, _ in rows if r in limits) else None)
        if limit is not None:
            axes.axvline(limit, color=ink, linestyle='--', linewidth=1, zorder=1, label=f'goal, {limit:g}')
        axes.set_yticks([])
        axes.set_ylim(len(rows) * pitch - 0.2, -0.8)
        axes.margins(x=0.08)
        axes.set_xlim(0, None)
        axes.grid(axis='x', color=faint, linewidth=0.6, zorder=0)
        axes.set_xlabel(label)
    return draw, (6.4, len(rows) * pitch * 0.165 + 1.2)


def lines(rows, places, limit, label, below):
    def draw(axes, ink, paper, faint, colors):
        for k, (name, values) in enumerate(rows):
            axes.plot(places, values, color=colors[k // 2 % len(colors)], linestyle=':' if 'before' in name else '-', marker='o', markersize=4, label=name, zorder=3)
        axes.axhline(limit, color=ink, linestyle='--', linewidth=1, label=f'goal, {limit:g}')
        axes.set_xticks(places)
        axes.set_ylim(0, None)
        axes.grid(axis='y', color=faint, linewidth=0.6, zorder=0)
        axes.set_ylabel(label)
        axes.set_xlabel(below)
    return draw


def chart(title, name, text, alt):
    images = ''.join(f'```{{image}} charts/{name}_{theme}.svg\n:class: only-{theme}\n:alt: {alt}\n```\n\n' for theme in COLORS)
    return f'## {title}\n\n{text}\n\n{images}'


def draw_all(root, folder):
    speed = (root / 'docs/performance.md').read_text(encoding='utf-8')
    compiling = (root / 'docs/compile_time.md').read_text(encoding='utf-8')
    text = '# Charts\n\nThe figures of [speed](docs/performance.md) and [compile time](docs/compile_time.md), drawn from their tables when this site was built. At the end are curves of the activations.\n\n'

    table = tables(speed, 'Figures')[0]
    of = dict(zip(('g++, AVX-512', 'clang, AVX-512', 'g++, AVX2'), columns_named(table, 'ratio')))
    limit = goal(speed, 'Speed', 'The goal is a ratio of at most')
    rows = columns(table, of)
    drawing(folder, 'speed', *bars(rows, list(of), limit, 'time of xgrad / time of the version by hand'))
    text += chart('Beside hand-written code', 'speed', 'Less is better; 1 is the speed of the code by hand. [The table](docs/performance.md#figures) has the times, the machines '
                  'and what misses the goal.', f'Bars: the ratio of xgrad to hand-written code in {len(rows)} programs, with the goal of {limit:g}')

    table = tables(speed, 'Update rules')[0]
    first = [i for i, title in enumerate(table[0]) if '1e3' in title]
    of = dict(zip(('g++, 1,000 parameters', 'clang, 1,000 parameters'), first))
    limit = goal(speed, 'Update rules', 'The goal is')
    rows = columns(table, of)
    drawing(folder, 'update_rules', *bars(rows, list(of), limit, 'time of xgrad / time of the loop by hand'))
    text += chart('Update rules', 'update_rules', 'The loops of the rules on 1,000 parameters, where they differ most. [The table](docs/performance.md#update-rules) has the longer arrays.',
                  f'Bars: the ratio of {len(rows)} update rules to the same by hand, with the goal of {limit:g}')

    batches = [table for table in tables(speed, 'Single functions, small batches, shapes of the regression') if table[0][0] == 'batch']
    if not batches:
        raise Wrong('the table of batches is gone from docs/performance.md')
    limit = goal(speed, 'Speed', 'The goal is a ratio of at most')
    rows = columns(batches[0], {name: i for i, name in enumerate(batches[0][0]) if i})
    drawing(folder, 'batches', lines(rows, [int(n) for n in batches[0][0][1:]], limit, 'time / time by hand', 'rows in the batch'), (6.4, 4.6))
    text += chart('Small batches', 'batches', 'A training step of a small net by the number of rows in its batch; [the table](docs/performance.md#single-functions-small-batches-shapes-of-the-regression).',
                  f'Lines: the ratio to hand-written code for batches of 1 to {len(batches[0][0]) - 1} rows')

    table = tables(compiling, 'Figures')[0]
    of = dict(zip(('g++', 'clang'), columns_named(table, 'ratio')))
    limits = {name.strip(): float(row[1]) for row in tables(compiling, 'Goals')[0][1:] if ratio(row[1]) for name in row[0].split(', ')}
    rows = columns(table, of)
    if not any(row in limits for row, _ in rows):
        raise Wrong('no row of the figures of docs/compile_time.md has a goal')
    drawing(folder, 'compile_time', *bars(rows, list(of), None, 'seconds of the compiler / seconds of its yardstick', limits))
    text += chart('Compile time', 'compile_time', 'What a program costs the compiler, beside the same compiler on the [yardstick](docs/compile_time.md#goals) of its row; the marks are goals. '
                  '[The table](docs/compile_time.md#figures) has seconds and memory.', f'Bars: the time to compile {len(rows)} programs, as ratios to their yardsticks')

    if differing := activations.differing(root):
        raise Wrong(f'tools/site/activations.py draws other values than tests/reference/elementary.txt has: {", ".join(differing)}')
    activations.draw(folder, COLORS)
    text += chart('Activations', 'activations', 'The values and the derivatives of the [activations](docs/operations.md#exponentials-logarithms-activations).',
                  f'Curves of {len(activations.formulas())} activations and their derivatives between −4 and 4')
    return text


def pages(root, folder):
    """Page → Markdown, with its drawings written below `folder`; and what is wrong with the tables."""
    try:
        return {'charts.md': draw_all(root, folder / 'charts')}, []
    except Wrong as wrong:
        return {}, [f'charts: {wrong}']
