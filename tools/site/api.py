# SPDX-License-Identifier: MIT
"""Pages of the public names, one for each folder of include/xgrad, from the XML that Doxygen makes of the docstrings.

A name is public if it has a docstring and its namespace is not excluded in the Doxyfile. Overloads without a docstring share the docstring
above them. Overloads that only refuse a mistake are omitted. Signatures show no internal names: they have `auto` or `class` in their
place, and no constraint. docs/design.md has a table that says what each folder is for."""
import pathlib
import re
import xml.etree.ElementTree as xml

# What users and authors of operations and rules include, in the order in which one meets it. The other folders are the implementation.
ROOMS = ('core', 'ops', 'nn', 'grad', 'train', 'optim', 'exec', 'store', 'sparse', 'data', 'metrics', 'io', 'inspect', 'replicas', 'transport', 'backend', 'config')
INTERNAL = re.compile(r'\b(detail|planner|kernels)::')
# Parameters that only a mistake reaches: an overload with one of them is left out.
MISTAKES = re.compile(r'\bdetail::(in_braces|refused)\b')
UNSPECIFIED = '/* unspecified */'
REFUSES = re.compile(r'\bstatic_assert\(|\brefuse')


def escaped(text):
    text = re.sub(r'([\\*_\[\]<>`#|~])', r'\\\1', text)
    return re.sub(r'^(\s*)(?=[-+=])|^(\s*\d+)(?=[.)] )', r'\1\2\\', text)   # no list, no heading


def plain(element):
    return re.sub(r'\s+', ' ', ''.join(element.itertext())).strip() if element is not None else ''


def code_span(text):
    longest = max((len(ticks) for ticks in re.findall('`+', text)), default=0)
    space = ' ' if text[:1] == '`' or text[-1:] == '`' else ''
    return '`' * (longest + 1) + space + text + space + '`' * (longest + 1)


class Prose:
    """A docstring as Markdown. An unknown element is reported as a mistake, so that nothing is lost."""

    def __init__(self):
        self.unknown = set()

    def inline(self, element):
        text = escaped(element.text or '')
        for part in element:
            tag = part.tag
            if tag == 'computeroutput':
                text += code_span(''.join(part.itertext()))
            elif tag in ('bold', 'emphasis'):
                mark = '**' if tag == 'bold' else '*'
                text += mark + self.inline(part).strip() + mark
            elif tag == 'ref':
                text += self.inline(part)
            elif tag == 'ulink':
                text += f'[{self.inline(part)}]({part.get("url")})'
            elif tag in ('superscript', 'subscript'):
                text += f'<{tag[:3]}>{self.inline(part)}</{tag[:3]}>'
            elif tag in SIGNS:
                text += SIGNS[tag]
            else:
                self.unknown.add(tag)
            text += escaped(part.tail or '')
        return text

    def blocks(self, element):
        """The paragraphs of a description."""
        found = []
        for part in element if element is not None else ():
            if part.tag != 'para':
                self.unknown.add(part.tag)
                continue
            words = xml.Element('para')
            words.text = part.text
            for piece in part:
                if piece.tag in BLOCKS:   # between the words of a paragraph
                    found += [self.words(words), *self.block(piece)]
                    words = xml.Element('para')
                    words.text = piece.tail
                else:
                    words.append(piece)
            found.append(self.words(words))
        return [block for block in found if block]

    def words(self, element):
        return LABEL.sub(r'\n\n**\1:** ', self.inline(element).strip()).strip()

    def block(self, piece):
        if piece.tag in ('itemizedlist', 'orderedlist'):
            sign = '* ' if piece.tag == 'itemizedlist' else '1. '
            return ['\n'.join(sign + '\n\n'.join(self.blocks(item)).replace('\n', '\n' + ' ' * len(sign)) for item in piece)]
        if piece.tag == 'table':
            rows = ['| ' + ' | '.join(' '.join(self.blocks(cell)).replace('|', '\\|') for cell in row) + ' |' for row in piece]
            return ['\n'.join([rows[0], '|' + '---|' * len(piece[0]), *rows[1:]])]
        if piece.tag in ('verbatim', 'preformatted'):
            text = ''.join(piece.itertext()).strip('\n')
            return [f'```{"cpp" if re.sub("//.*", "", text).isascii() else "text"}\n{text}\n```']   # formulas are no C++
        if piece.tag == 'programlisting':
            return ['```cpp\n' + '\n'.join(listing(line) for line in piece) + '\n```']
        if piece.tag == 'parameterlist':
            return ['\n'.join(f'* {"Throws" if piece.get("kind") == "exception" else "Parameter"} '
                              f'{", ".join(code_span(plain(name)) for name in item.iter("parametername"))}: {" ".join(self.blocks(item.find("parameterdescription")))}'
                              for item in piece)]
        words = {'return': 'Returns: ', 'see': 'See: ', 'note': 'Note: ', 'warning': 'Warning: '}.get(piece.get('kind'), '')
        return [words + '\n\n'.join(self.blocks(piece))]


LABEL = re.compile(r'(?:^|(?<=[.)`] ))(Source|Sparse|Use|Gradient): ')   # paragraphs of rules and operations
SIGNS = {'ndash': '–', 'mdash': '—', 'nonbreakablespace': ' ', 'linebreak': ' ', 'sp': ' ', 'hellip': '…', 'le': '≤', 'ge': '≥'}
BLOCKS = ('itemizedlist', 'orderedlist', 'verbatim', 'preformatted', 'programlisting', 'parameterlist', 'simplesect', 'table')


def listing(line):
    text = ''
    for element in line.iter():
        text += ' ' if element.tag == 'sp' else element.text or ''
        if element is not line:
            text += element.tail or ''
    return text.rstrip()


def spaced(text):
    """C++ as this project writes it: `T const& x`, `template<class T>`."""
    text = re.sub(r'\s+', ' ', text).strip()
    text = re.sub(r'\s+(&&|[&*])\s*(?=[\w.)]|$)', r'\1 ', text).strip()
    text = re.sub(r'\s+(\.\.\.)', r'\1', text)
    text = re.sub(r'(&&|[&*]) ([,)>]|\.\.\.)', r'\1\2', text)
    text = re.sub(r'<\s+', '<', re.sub(r'\s+>', '>', text))
    return re.sub(r'\btypename (?=\w+( |,|>|$|\.))', 'class ', text)


def public_type(text):
    """A type without internal names: auto, with the words before it that are no part of the type."""
    words = re.match(r'((?:static|inline|constexpr|explicit|virtual) )*', text)[0]
    return words + 'auto' if INTERNAL.search(text) else text


def public_value(text):
    return UNSPECIFIED if INTERNAL.search(text) else text


def public_parameter(text):
    """`detail::Constraint... T` → `class... T`, `detail::type const& x` → `auto const& x`."""
    return re.sub(r'^(?:const )?[\w:]+(?:<.*>)?', 'auto', text) if INTERNAL.search(text) else text


def template(element):
    list_ = element.find('templateparamlist')
    if list_ is None:
        return ''
    parts = []
    for param in list_:
        name, default = param.findtext('declname'), plain(param.find('defval'))
        text = spaced(plain(param.find('type')) + (' ' + name if name else ''))
        text = re.sub(r'^[\w:]*\bdetail::\w+(<[^<>]*>)?(?=\.\.\.|[ .]|$)', 'class', text)   # the constraint has no public name
        parts.append(text + (f' = {public_value(default)}' if default else ''))
    return f'template<{", ".join(parts)}>\n'


def requires(element):
    clause = plain(element.find('requiresclause'))
    return f'    requires {clause}\n' if clause and not INTERNAL.search(clause) else ''


def folded(head, args, tail):
    """A call with its arguments, one in a line where they are long."""
    whole = f'{head}({", ".join(args)}){tail}'
    return whole if len(whole) <= 96 or len(args) < 2 else f'{head}(\n    ' + ',\n    '.join(args) + f'){tail}'


def signature(member):
    kind, name = member.get('kind'), member.findtext('name')
    type_ = public_type(spaced(plain(member.find('type'))))
    before = template(member) + requires(member)
    if kind == 'function':
        given = []
        params = member.findall('param')
        while params and INTERNAL.search(plain(params[-1].find('type'))) and plain(params[-1].find('defval')):
            params.pop()   # no caller can name its type
        for param in params:
            default = plain(param.find('defval'))
            text = spaced(f'{plain(param.find("type"))} {param.findtext("declname") or ""}{plain(param.find("array"))}')
            given.append(public_parameter(text) + (f' = {public_value(default)}' if default else ''))
        tail = spaced(re.sub(r'=\s*(0|default|delete)$', r' = \1', member.findtext('argsstring').rpartition(')')[2]))
        head = ('static ' if member.get('static') == 'yes' and 'static' not in type_ else '') + ('explicit ' if member.get('explicit') == 'yes' else '')
        return before + folded(head + (type_ + ' ' if type_ else '') + name, given, (' ' + tail if tail else '')) + ';'
    if kind == 'variable':
        value = plain(member.find('initializer'))
        value = '' if INTERNAL.search(value) else value
        if INTERNAL.search(plain(member.find('type'))):   # a member cannot have the type auto
            type_, value = (UNSPECIFIED, value) if 'constexpr' not in type_ else (type_, f'= {UNSPECIFIED}')
        static = 'static ' if member.get('static') == 'yes' and 'static' not in type_ and 'inline' not in type_ else ''
        return before + f'{static}{type_} {name}{plain(member.find("argsstring"))}' + (f' {value}' if value.startswith('=') and len(value) < 60 else value if len(value) < 60 else '') + ';'
    if kind == 'typedef':
        return before + f'using {name} = {public_value(spaced(plain(member.find("type"))))};'
    if kind == 'enum':
        # Doxygen takes the name of a macro for an enumerator.
        values = ', '.join(name for value in member.findall('enumvalue') if not (name := value.findtext('name')).startswith('XGRAD_'))
        return f'enum {"class " if member.get("strong") == "yes" else ""}{name} {{ {values} }};'
    if kind == 'define':
        params = [param.findtext('defname') or '' for param in member.findall('param')]
        return f'#define {name}' + (f'({", ".join(params)})' if params else '')
    raise ValueError(f'{name}: a member of the kind {kind}')


def described(element):
    return bool(plain(element.find('briefdescription')) or plain(element.find('detaileddescription')))


class Api:
    def __init__(self, folder, root):
        self.folder, self.root = pathlib.Path(folder), root
        self.prose = Prose()
        self.lines = {}
        self.entries = {}   # header → name → {'parts': [(signatures, paragraphs)], 'members': [entry], 'line'}

    def read(self, refid):
        return xml.parse(self.folder / f'{refid}.xml').getroot()[0]

    def refuses(self, member):
        """Whether a function is there to say what is wrong with a call of it."""
        at = member.find('location')
        if member.get('kind') != 'function' or at is None or not at.get('bodystart'):
            return bool(re.search(r'= ?(delete|default)$', member.findtext('argsstring') or ''))   # nothing is said of copies and moves
        path = self.root / 'include' / at.get('bodyfile', at.get('file'))
        if path not in self.lines:
            self.lines[path] = path.read_text(encoding='utf-8').splitlines()
        body = self.lines[path][int(at.get('bodystart')) - 1:int(at.get('bodyend'))]
        if any(MISTAKES.search(plain(param.find('type'))) for param in member.findall('param')):
            return True
        unnamed = all(param.findtext('declname') in (None, '...') for param in member.findall('param'))
        return unnamed and len(body) < 8 and bool(REFUSES.search('\n'.join(body)))

    def text(self, element):
        return self.prose.blocks(element.find('briefdescription')) + self.prose.blocks(element.find('detaileddescription'))

    def grouped(self, members):
        """The entry of each name with a docstring, in the order of the header: what is said of which overloads."""
        groups = {}
        for member in sorted(members, key=lambda m: int(m.find('location').get('line'))):
            if not self.refuses(member):
                groups.setdefault(member.findtext('name'), []).append(member)
        for name, list_ in groups.items():
            if any(described(member) for member in list_):
                parts = []
                for member in list_:
                    if described(member) or not parts:
                        parts.append(([], self.text(member)))
                    if signature(member) not in parts[-1][0]:
                        parts[-1][0].append(signature(member))
                yield name, {'parts': parts, 'line': int(list_[0].find('location').get('line')), 'members': []}

    def add(self, header, name, entry):
        self.entries.setdefault(header, {}).setdefault(name, entry)

    def compound(self, item):
        name, kind = item.findtext('name'), item.get('kind')
        data = self.read(item.get('refid'))
        scope = name.removeprefix('xgrad').removeprefix('::')
        if kind in ('namespace', 'file'):
            # Doxygen lists macros below files alone.
            members = [m for m in data.iter('memberdef') if (m.get('kind') == 'define') == (kind == 'file')]
            files = {}
            for member in members:
                if '@' not in name and (kind == 'file' or name.partition('::')[0] == 'xgrad'):
                    files.setdefault(member.find('location').get('file'), []).append(member)
            for header, list_ in files.items():
                for inner, entry in self.grouped(list_):
                    self.add(header, f'{scope}::{inner}' if scope and kind == 'namespace' else inner, entry)
        elif described(data) and name.startswith('xgrad::') and '<' not in name:
            at = data.find('location')
            if kind == 'concept':
                body = ''.join(data.find('initializer').itertext()).replace(name, scope)
                head, sign, meaning = re.sub(r'=\s+', '= ', body).strip().partition(' = ')
                shown = head + sign + public_value(meaning) + ';'
            else:
                bases = [f'{"" if b.get("prot") == "public" else b.get("prot") + " "}{spaced(plain(b)).removeprefix("xgrad::")}' for b in data.findall('basecompoundref')]
                bases = [b for b in bases if not INTERNAL.search(b)]
                shown = template(data) + requires(data) + f'{kind} {scope.rpartition("::")[2]}' + (f' : {", ".join(bases)}' if bases else '') + ';'
            public = [m for section in data.findall('sectiondef') if section.get('kind').startswith('public') for m in section.findall('memberdef') if m.get('kind') != 'friend']
            plain_data = [signature(m) for m in public if m.get('kind') == 'variable' and m.get('static') == 'no' and not described(m)
                          and not INTERNAL.search(plain(m.find('type')))]
            members = ([{'parts': [(plain_data, [])], 'members': []}] if plain_data else []) + [entry for _, entry in self.grouped(public)]
            self.add(at.get('file'), scope, {'parts': [([shown], self.text(data))], 'line': int(at.get('line')), 'members': members})

    def collect(self):
        for item in xml.parse(self.folder / 'index.xml').getroot():
            if item.get('kind') in ('namespace', 'file', 'class', 'struct', 'concept'):
                self.compound(item)
        return self.entries


def signatures_of(entry):
    for signatures, _ in entry['parts']:
        yield from signatures
    for member in entry['members']:
        yield from signatures_of(member)


def shown(entry):
    text = ''.join('```cpp\n' + '\n'.join(signatures) + '\n```\n\n' + ''.join(block + '\n\n' for block in blocks) for signatures, blocks in entry['parts'])
    for member in entry['members']:
        text += ':::{container} member\n\n' + shown(member) + ':::\n\n'
    return text


def subject(path):
    """The comment at the beginning of a header, after its licence."""
    words = []
    for line in path.read_text(encoding='utf-8').splitlines()[1:]:
        if not line.startswith('//'):
            break
        words.append(line[2:].strip())
    return ' '.join(words)


def rooms(design):
    """Folder → its contents according to docs/design.md."""
    found = {}
    for names, holds in re.findall(r'^\| ((?:`\w+`(?:, )?)+) \| ([^|]*) \|', design, re.M):
        found.update({name: holds for name in re.findall(r'`(\w+)`', names)})
    return found


def pages(folder, root):
    """Page → Markdown; then the headers that are linked, and what is wrong."""
    api = Api(folder, root)
    entries = api.collect()
    holds = rooms((root / 'docs/design.md').read_text(encoding='utf-8'))
    made, linked, wrong, rows = {}, [], [], []
    for room in ROOMS:
        headers = sorted(h for h in entries if h.startswith(f'xgrad/{room}/'))
        if not headers or room not in holds:
            wrong.append(f'the room {room} has no public name or no row in docs/design.md')
            continue
        text = f'# {room}\n\n{holds[room][0].upper()}{holds[room][1:]}.\n\n'
        count = 0
        for header in headers:
            linked.append(root / 'include' / header)
            text += f'## {header.removeprefix("xgrad/")}\n\n{escaped(subject(linked[-1]))} [`<{header}>`](../include/{header}.md)\n\n'
            for name, entry in sorted(entries[header].items(), key=lambda e: e[1]['line']):
                text += f'### {escaped(name)}\n\n' + shown(entry)
                count += 1
        made[f'api/{room}.md'] = text
        rows.append(f'| [{room}]({room}.md) | {holds[room]} | {count} |\n')
    wrong += [f'{header}: the signature of {name} has an internal name: {text}' for header, names in entries.items() for name, entry in names.items()
              for text in signatures_of(entry) if INTERNAL.search(text)]
    wrong += [f'a docstring has <{tag}>, which tools/site/api.py does not know' for tag in sorted(api.prose.unknown)]
    made['api/index.md'] = ('# API\n\nThe public names, by the folder of `include/xgrad` in which they stand, with what their docstrings say. The folders that are not here are '
                            'how it is built: [design](../docs/design.md#folders).\n\n| Folder | What it holds | Names |\n|---|---|---|\n' + ''.join(rows) +
                            '\n```{toctree}\n:hidden:\n\n' + ''.join(f'{page.removeprefix("api/").removesuffix(".md")}\n' for page in made) + '```\n')
    return made, linked, wrong
