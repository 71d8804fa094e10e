#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/site: what it makes of documents, docstrings and tables, and the mistakes that it finds. Needs neither Sphinx nor Doxygen."""
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / 'tools/site'))
import api   # noqa: E402
import charts   # noqa: E402
import check_links   # noqa: E402
import stage   # noqa: E402


def expect(what, condition, shown=''):
    if not condition:
        sys.exit(f'{what}:\n{shown}')


def tree(folder, files):
    for name, text in files.items():
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding='utf-8')
    return pathlib.Path(folder).resolve()


# Documents
README = '''# xgrad

[`a`](docs/a.md#one) and [code](include/x.hpp), a [folder](examples), `f[0](docs/none.md)`, [far](https://example.org), ![p](docs/p.svg)

```cpp
auto x = [](int) { return table[1](nothing.md); };
```

'''
MAP = '# All\n\n## Start\n\n| [A](a.md) | first |\n\n## How\n\n| [Tasks](how/README.md) | many, of which [A](a.md) is none |\n| [Programs](../examples/README.md) | whole |\n'
TASKS = '# Tasks\n\n| one | [Do it](it.md), [do more](more.md) |\n| two | [A](../a.md), [do it](it.md) |\n'
FILES = {'README.md': README, 'CONTRIBUTING.md': '# To add\n\n[up](README.md) and [here](#to-add)\n', 'docs/a.md': '# One\n\n[up](../README.md), [x](../include/x.hpp)\n',
         'docs/b.md': '# Two\n', 'docs/README.md': MAP, 'docs/how/README.md': TASKS, 'docs/how/it.md': '# It\n', 'docs/how/more.md': '# More\n',
         'docs/p.svg': '<svg/>', 'include/x.hpp': '// ```cpp\nint x;\n', 'examples/y.cpp': 'int y;\n', 'examples/README.md': '# Programs\n\n| [Wide](wide/README.md) |\n', 'examples/wide/README.md': '# Wide\n', 'examples/deep/CMakeLists.txt': 'project(z)\n'}


def staged(**changed):
    with tempfile.TemporaryDirectory() as from_, tempfile.TemporaryDirectory() as to:
        root = tree(from_, {**FILES, **changed})
        wrong = stage.Stage(root, pathlib.Path(to)).run([('Names', 'api/index.md')], [])
        return wrong, {path.relative_to(to).as_posix(): path.read_text(encoding='utf-8') for path in pathlib.Path(to).rglob('*') if path.is_file()}


wrong, pages = staged()
expect('documents without a mistake', not wrong, wrong)
home = pages['index.md']
for part in ('[`a`](docs/a.md#one)', '[code](include/x.hpp.md)', '[folder](examples/index.md)', '`f[0](docs/none.md)`', 'table[1](nothing.md)', '(https://example.org)',
             '(docs/p.svg)', ':caption: Start\n\nA <docs/a>\n```', ':caption: How\n\nTasks <docs/how/README>\nA <docs/a>\nPrograms <examples/README>\n', 'Names <api/index>',
             ':caption: More\n\nTo add <CONTRIBUTING>\nAll <docs/README>\nTwo <docs/b>\n```'):
    expect(f'the first page has no {part}', part in home, home)
expect('a link upwards', '[up](../index.md), [x](../include/x.hpp.md)' in pages['docs/a.md'], pages['docs/a.md'])
expect('an anchor of the page itself', '[up](index.md) and [here](#to-add)' in pages['CONTRIBUTING.md'], pages['CONTRIBUTING.md'])
expect('a source with ticks in it', '````{code-block} cpp' in pages['include/x.hpp.md'] and 'nosearch' in pages['include/x.hpp.md'], pages['include/x.hpp.md'])
expect('a folder and what is below', '[y.cpp](y.cpp.md)' in pages['examples/index.md'] and '{code-block} cmake' in pages['examples/deep/CMakeLists.txt.md'], pages.keys())
expect('an image', 'docs/p.svg' in pages, pages.keys())
expect('a dead link', staged(**{'docs/b.md': '# Two\n\n[x](../include/gone.hpp)\n'})[0] == ['docs/b.md: ../include/gone.hpp is not there'])
expect('a link out of the repository', staged(**{'docs/b.md': '# Two\n\n[x](../../../etc/passwd)\n'})[0])
expect('no table in the map', 'no table of documents' in ''.join(staged(**{'docs/README.md': '# xgrad\n'})[0]))
expect('the pages of a folder', pages['docs/how/README.md'].endswith('```{toctree}\n:hidden:\n\nDo it <it>\ndo more <more>\n```\n'), pages['docs/how/README.md'])

expect('the pages of the examples', pages['examples/README.md'].endswith('```{toctree}\n:hidden:\n\nWide <wide/README>\n```\n'), pages['examples/README.md'])

# Docstrings
INDEX = '<doxygenindex><compound refid="n" kind="namespace"><name>xgrad</name></compound><compound refid="s" kind="struct"><name>xgrad::rule</name></compound>' \
        '<compound refid="c" kind="concept"><name>xgrad::Rule</name></compound></doxygenindex>'


def function(name, line, said='', param='<param><type>T const &amp;</type><declname>x</declname></param>', type_='constexpr auto', requires=''):
    return (f'<memberdef kind="function" static="no"><templateparamlist><param><type>int...</type><declname>A</declname></param><param><type>class T</type></param>'
            f'</templateparamlist><type>{type_}</type><name>{name}</name><argsstring>(T const &amp;x)</argsstring>{param}{requires}'
            f'<briefdescription/><detaileddescription>{said}</detaileddescription>'
            f'<location file="xgrad/ops/x.hpp" line="{line}" bodyfile="xgrad/ops/x.hpp" bodystart="{line}" bodyend="{line + 1}"/></memberdef>')


UNNAMED = '<param><type>T const &amp;</type></param>'
NAMESPACE = '<doxygen><compounddef kind="namespace"><sectiondef>' + \
    function('sum', 3, '<para>Sum of <computeroutput>x[0]</computeroutput> * 2.</para>', requires='<requiresclause>Expr&lt;T&gt;</requiresclause>') + \
    function('sum', 5) + function('sum', 7, param=UNNAMED) + function('quiet', 9) + '</sectiondef></compounddef></doxygen>'
STRUCT = '<doxygen><compounddef kind="struct"><compoundname>xgrad::rule</compoundname><sectiondef kind="public-attrib"><memberdef kind="variable" static="no"><type>hyper</type>' \
    '<name>rate</name><initializer>{1}</initializer><briefdescription/><detaileddescription/><location file="xgrad/ops/x.hpp" line="12"/></memberdef></sectiondef>' \
    '<sectiondef kind="private-attrib"><memberdef kind="variable" static="no"><type>int</type><name>hidden</name><briefdescription/><detaileddescription/>' \
    '<location file="xgrad/ops/x.hpp" line="13"/></memberdef></sectiondef>' \
    '<briefdescription/><detaileddescription><para>A rule.<verbatim>rule r;   // ρ</verbatim><verbatim>v ← c   // all</verbatim>- then that. Source: a paper.<itemizedlist><listitem><para>one</para></listitem></itemizedlist></para><para><table rows="2" cols="2"><row><entry thead="yes"><para>a </para></entry><entry thead="yes"><para>b </para></entry></row>' \
    '<row><entry thead="no"><para>1</para></entry><entry thead="no"><para><computeroutput>x</computeroutput></para></entry></row></table></para></detaileddescription><location file="xgrad/ops/x.hpp" line="11"/></compounddef></doxygen>'
CONCEPT = '<doxygen><compounddef kind="concept"><initializer>template&lt;class T&gt; concept xgrad::Rule =  requires { T::rate; }</initializer><briefdescription/>' \
    '<detaileddescription><para>Any of them.</para></detaileddescription><location file="xgrad/ops/x.hpp" line="15"/></compounddef></doxygen>'
HEADER = '// SPDX\n// Sums.\n#pragma once\n' + '\n' * 3 + 'auto sum(T const&) {\n    static_assert(false, "xgrad: no");\n'
DESIGN = '| `ops` | one file per family | `core` |\n'


def names(**changed):
    with tempfile.TemporaryDirectory() as xml, tempfile.TemporaryDirectory() as from_:
        tree(xml, {**{'index.xml': INDEX, 'n.xml': NAMESPACE, 's.xml': STRUCT, 'c.xml': CONCEPT}, **{k: v for k, v in changed.items() if k.endswith('.xml')}})
        root = tree(from_, {**{'include/xgrad/ops/x.hpp': HEADER, 'docs/design.md': DESIGN}, **{k: v for k, v in changed.items() if not k.endswith('.xml')}})
        made, headers, wrong = api.pages(xml, root)
        return made.get('api/ops.md', ''), [w for w in wrong if ' ops ' in w or 'docstring' in w or 'internal' in w]


page, wrong = names()
expect('docstrings without a mistake', not wrong, wrong)
for part in ('One file per family.', '## ops/x.hpp\n\nSums. [`<xgrad/ops/x.hpp>`](../include/xgrad/ops/x.hpp.md)',
             '### sum\n\n```cpp\ntemplate<int... A, class T>\n    requires Expr<T>\nconstexpr auto sum(T const& x);\ntemplate<int... A, class T>\nconstexpr auto sum(T const& x);\n```\n',
             'Sum of `x[0]` \\* 2.', '### rule\n\n```cpp\nstruct rule;\n```\n\nA rule.\n\n```cpp\nrule r;   // ρ\n```\n\n```text\nv ← c   // all\n```\n\n\\- then that. \n\n**Source:** a paper.\n\n* one\n\n| a | b |\n|---|---|\n| 1 | `x` |\n', 'hyper rate{1};', 'template<class T> concept Rule = requires { T::rate; };'):
    expect(f'the page has no "{part}"', part in page, page)
for part in ('sum(T const&)', 'quiet', 'hidden'):
    expect(f'the page has "{part}"', part not in page, page)
# Internal names
for text, shown in (('detail::carry_list<C...> const& start', 'auto const& start'), ('detail::kept_t<T, 2>&&... kept', 'auto&&... kept'), ('int n', 'int n'),
                    ('detail::one x', 'auto x')):
    expect(f'the parameter {text}', api.public_parameter(text) == shown, api.public_parameter(text))
expect('a result', (api.public_type('static constexpr detail::map<T> const'), api.public_type('static int')) == ('static constexpr auto', 'static int'))


def internal(**changed):
    """The page of a namespace with one function."""
    return names(**{'n.xml': '<doxygen><compounddef kind="namespace"><sectiondef>' + function('sum', 3, '<para>Sum.</para>', **changed) +
                    '</sectiondef></compounddef></doxygen>'})[0]


OPTIONAL = '<param><type>T</type><declname>x</declname></param><param><type>detail::slots const *</type><declname>s</declname><defval>nullptr</defval></param>'
page = internal(type_='detail::map&lt;T&gt;', param=OPTIONAL, requires='<requiresclause>detail::Fits&lt;T&gt;</requiresclause>')
expect('a function with internal names', '```cpp\ntemplate<int... A, class T>\nauto sum(T x);\n```' in page, page)
page = internal(param='<param><type>detail::in_braces</type><declname>x</declname></param>')
expect('an overload that only a mistake reaches', 'sum(' not in page, page)
page = names(**{'c.xml': CONCEPT.replace('requires { T::rate; }', 'detail::is_rule&lt;T&gt;'),
                's.xml': STRUCT.replace('<type>hyper</type>', '<type>detail::hyper</type>')})[0]
expect('a concept', 'template<class T> concept Rule = /* unspecified */;' in page, page)
expect('members', 'detail::' not in page and 'rate' not in page.partition('concept')[0], page)
BASE = STRUCT.replace('<initializer>{1}</initializer>', '').replace('<type>int</type>', '<type>detail::no</type>')
expect('a private member', not names(**{'s.xml': BASE})[1], names(**{'s.xml': BASE})[1])
BITS = STRUCT.replace('<name>rate</name>', '<name>rate</name><argsstring>[detail::bits]</argsstring>')
expect('a signature with an internal name', 'the signature of rule has an internal name' in ''.join(names(**{'s.xml': BITS})[1]), names(**{'s.xml': BITS}))
for text, shown in (('detail::Ids', 'class Ids'), ('detail::Shared...', 'class... Ids'), ('Expr', 'Expr Ids')):
    made = api.template(api.xml.fromstring(f'<m><templateparamlist><param><type>{text}</type><declname>Ids</declname></param></templateparamlist></m>'))
    expect(f'the template parameter {text}', made == f'template<{shown}>\n', made)

expect('what a docstring holds and nobody knows', 'a docstring has <dot>' in ''.join(names(**{'s.xml': STRUCT.replace('A rule.', 'A <dot>x</dot>.')})[1]))
expect('a room that is not described', 'the room ops has no' in ''.join(names(**{'docs/design.md': '\n'})[1]))

# Tables
SPEED = '# Speed\n\nThe goal is a ratio of at most 1.3.\n\n## Figures\n\n| row | g++: ratio | clang | ratio |\n|---|---|---|---|\n| a `b` | **1.91** (1.30–1.95) | 4 | 1.05 |\n| c | | 3 | 1 |\n\n' \
        '## Others\n\n| x |\n|---|\n| 1 |\n\n| y |\n|---|\n| 2 |\n'
table = charts.tables(SPEED, 'Figures')[0]
expect('columns', charts.columns_named(table, 'ratio') == [1, 3], table)
expect('figures', charts.columns(table, {'g++': 1, 'clang': 3}) == [('a b', [1.91, 1.05]), ('c', [None, 1.0])], table)
expect('two tables', len(charts.tables(SPEED, 'Others')) == 2)
expect('a goal', charts.goal(SPEED, 'Speed', 'The goal is a ratio of at most') == 1.3)


def refused(call, sentence):
    try:
        call()
    except charts.Wrong as wrong:
        expect('what is wrong with a table', sentence in str(wrong), wrong)
    else:
        sys.exit(f'not refused: {sentence}')


refused(lambda: charts.tables(SPEED, 'Gone'), 'no section "Gone"')
refused(lambda: charts.goal(SPEED, 'Figures', 'The goal is a ratio of at most'), 'has no sentence')
refused(lambda: charts.columns(table, {'z': 9}), 'no column 9')
refused(lambda: charts.columns([['row', 'words'], ['a', 'none']], {'words': 1}), 'no numbers')
with tempfile.TemporaryDirectory() as from_:
    made, wrong = charts.pages(tree(from_, {'docs/performance.md': '# Speed\n', 'docs/compile_time.md': '# Compile time\n'}), pathlib.Path(from_))
    expect('tables that are gone', not made and 'no section "Figures"' in wrong[0], wrong)

# Links
SITE = {'index.html': '<a href="a.html#one">x</a><a href="#top">y</a><h1 id="top"></h1><a href="https://example.org/none">z</a>', 'a.html': '<p id="one"></p><img src="p.svg">', 'p.svg': ''}
for what, changes, sentence in (('a site without a mistake', {}, None), ('an anchor that is gone', {'a.html': '<p id="two"></p>'}, 'index.html: a.html#one leads to no element'),
                                ('an image that is gone', {'a.html': '<p id="one"><img src="q.svg">'}, 'a.html: q.svg leads to no file'),
                                ('an anchor of the page itself', {'index.html': '<a href="#up">x</a>'}, 'index.html: #up leads to no element')):
    with tempfile.TemporaryDirectory() as folder:
        wrong, _, links = check_links.check(tree(folder, {**SITE, **changes}))
        expect(what, wrong == ([sentence] if sentence else []) and links, wrong)
