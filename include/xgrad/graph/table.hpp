// SPDX-License-Identifier: MIT
// The table of a graph: nodes in topological order, built by constexpr code that shares equal nodes and simplifies on the way.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/cast.hpp>
#include <xgrad/graph/nodes.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN

/// Adds nodes: equal nodes are one node, identities vanish, nested aliases collapse, transposes go into matrix products. A table that outgrows the
/// storage goes on in memory of its own.
struct table_builder final : symbol_table {
    table_node* nodes;
    int* operands;
    attribute_entry* attr_entries;
    std::uint64_t* words;
    extent* extents;
    int* buckets;
    int capacity, slots;
    int node_count, operand_count, attr_count, word_count, extent_count;
    sequence<int> sweeps;   // gradients that are in the table already, as op::gradient writes them
    struct named_leaf {
        int node;
        int next;
    };
    sequence<named_leaf> leaves;
    sequence<int> leaf_of{256, zeros};   // by name, + 1
    std::string_view name_conflict{};    // of two leaves of other shapes, element types or kinds; empty where all is well
    bool wrong_gradient = false;         // the derivative of an operation does not fit its operand
    struct owned_name {
        std::uint64_t name;   // the number of a layer's variable, the hash of a random stream's name
        int operand;
    };
    sequence<owned_name> owned;
    // Two calls of a layer have one variable and different operands, and none says that it shares: the name of that variable. The same of random streams.
    std::string_view shared_layer{}, shared_stream{};
    std::string_view lost_gradient{};   // the user's operation without derivative(...) that a gradient has reached

    template<int C>
    constexpr explicit table_builder(table_storage<C>& s)
        : nodes(s.nodes), operands(s.operands), attr_entries(s.attrs), words(s.words), extents(s.extents), buckets(s.buckets), capacity(C),
          slots(table_storage<C>::slots), node_count(s.node_count), operand_count(s.operand_count),
          attr_count(s.attr_count > 0 ? s.attr_count : 1), word_count(s.word_count), extent_count(s.extent_count),
          wrong_gradient(s.wrong_gradient), shared_layer(s.shared_layer), shared_stream(s.shared_stream), lost_gradient(s.lost_gradient) {
        for (int i = 0; i < node_count; ++i)   // go on with what is there
            if (nodes[i].count == 0 && is_named_leaf(*nodes[i].op)) add_leaf(i);
    }
    template<int C>
    constexpr void save(table_storage<C>& s) const {
        if (capacity != C) {   // it has grown
            s.needed = node_count + node_count / 2 + operand_count / 3 + (word_count > extent_count ? word_count : extent_count) / 2;
            return;
        }
        s.wrong_gradient = wrong_gradient;
        s.shared_layer = shared_layer;
        s.shared_stream = shared_stream;
        s.lost_gradient = lost_gradient;
        s.node_count = node_count;
        s.operand_count = operand_count;
        s.attr_count = attr_count;
        s.word_count = word_count;
        s.extent_count = extent_count;
    }

    /// Makes nodes that were copied from another storage findable.
    constexpr void rehash() {
        for (int i = 0; i < node_count; ++i) buckets[free_bucket(nodes[i].hash)] = i + 1;
    }
    constexpr value_info const& info(symbol s) const override { return nodes[s.index].value; }
    constexpr op_info const* op(symbol s) const override { return nodes[s.index].op; }
    constexpr symbol operand(symbol s, int k) override { return operand(s.index, k); }
    constexpr int arity(symbol s) const override { return nodes[s.index].count; }
    constexpr symbol at(int i) { return {this, i}; }
    constexpr symbol operand(int i, int k) { return at(operands[nodes[i].first_operand + k]); }
    /// What they refer to stays where it is while the builder lives.
    constexpr attributes attrs(int i) const { return attr_list()[nodes[i].attrs]; }
    constexpr attribute_list attr_list() const { return {attr_entries, words, extents}; }
    constexpr table_view view() const { return {nodes, operands, attr_list(), node_count}; }

    constexpr symbol constant(double value, dtype type) override {
        auto const word = std::bit_cast<std::uint64_t>(value);   // constant_attributes
        return insert(op_register<op::constant>::info, nullptr, 0, {.words = &word, .word_count = 1}, {type, {}, fault::none});
    }

    constexpr symbol add(op_info const* op, symbol const* x, int count, attributes const& a) override {
        if (count < few_operands) {   // a constant evaluation sets up each element that there is room for
            symbol in[few_operands];
            value_info const* v[few_operands];
            return add(op, x, count, a, in, v);
        }
        symbol in[max_operands + 1];
        value_info const* v[max_operands];
        return add(op, x, count, a, in, v);
    }

    /// A leaf; equal names must be equal leaves.
    constexpr symbol leaf(node_info const& n) {
        symbol const s = insert(n.op, nullptr, 0, n.attrs, n.value);
        if (is_named_leaf(*n.op)) add_leaf(s.index);
        return s;
    }

    /// A name of one operand; its text goes to `twice` where it has another one already.
    constexpr void own(std::uint64_t name, int operand, std::string_view text, std::string_view& twice) {
        for (owned_name const& o : owned)
            if (o.name == name) {
                if (o.operand != operand && twice.empty()) twice = text;
                return;
            }
        owned.push({name, operand});
    }

    /// The value of `s` as a node that equals no other one.
    constexpr symbol set_apart(symbol s) {
        if (!has_gradient(info(s).type)) return s;
        auto const w = to_words(op::watched::attributes{node_count});
        return add(op_register<op::watched>::info, &s, 1, w.view());
    }

    constexpr bool is_constant(symbol s, double& value) const override {
        int i = s.index;
        while (nodes[i].op->kind == op_kind::broadcast || (nodes[i].op->kind == op_kind::alias && nodes[i].op->derive != nullptr))
            i = operands[nodes[i].first_operand];
        if (nodes[i].op->kind != op_kind::constant) return false;
        value = number_at(i);
        return true;
    }

private:
    static constexpr int few_operands = 4;
    // The operands become `in`, with room for one more, and their values `v`.
    constexpr symbol add(op_info const* op, symbol const* x, int count, attributes const& a, symbol* in, value_info const** v) {
        bool half = false, wrong = false, literal = false, plain = true;   // plain: no number, nothing repeated or seen under another shape
        for (int i = 0; i < count; ++i) {
            in[i] = x[i];
            table_node const& n = nodes[x[i].index];
            dtype const type = n.value.type;
            if (type == dtype::literal) literal = true;
            else if (is_half(type)) half = true;
            if (n.value.wrong != fault::none) wrong = true;
            op_kind const kind = n.op->kind;
            if (kind == op_kind::constant || kind == op_kind::broadcast || kind == op_kind::alias) plain = false;
        }
        if (half && !takes_half(*op))
            for (int i = 0; i < count; ++i)
                if (is_half(info(in[i]).type)) in[i] = add(op_register<op::cast<float>>::info, &in[i], 1, {});
        plain = plain && !half && !literal;
        if (op->kind == op_kind::elementwise) {
            if (literal) adopt_type(in, count);
            if (!plain) strip_broadcasts(in, count);
        }
        if (op->kind == op_kind::composite) {
            if (literal) adopt_type(in, count);
            if (op->owned > 0)
                own(static_cast<std::uint64_t>(in[op->owned].index), in[0].index, attrs(in[op->owned].index).name, shared_layer);
            symbol const expanded = op->expand(*this, in, count, a);
            if (op->derive == nullptr) return expanded;
            in[count] = expanded;
            return insert(op, in, count + 1, a, info(expanded));
        }
        if (op->kind == op_kind::gradient) return op->expand(*this, in, count, a);
        if (op->kind == op_kind::part)
            return insert(op, in, 1, a, view().output(in[0].index, static_cast<int>(a.as<part_attributes>().output)));
        for (int i = 0; i < count; ++i) v[i] = &nodes[in[i].index].value;
        value_info r = half || wrong ? infer(*op, v, count, a) : detail::infer_good(*op, v, count, a, false);
        if (r.wrong == fault::repeated) r.wrong = fault::none;   // a slip of who writes expressions; a derivative may mean it
        if (literal && op->kind == op_kind::elementwise && r.type != dtype::literal)   // cast and comparisons of literals
            for (int i = 0; i < count; ++i)
                if (nodes[in[i].index].op->kind != op_kind::constant) in[i] = typed(in[i], is_floating(r.type) ? r.type : dtype::float64);
        if (op->kind == op_kind::elementwise)
            if (symbol const s = simpler_elementwise(op, in, count, r, plain); s.exists()) return s;
        if (op->kind == op_kind::alias && op->derive != nullptr) return add_alias(in[0], r);
        if (op->kind == op_kind::reduce) {
            auto const how = a.as<reduction_attributes>();
            if (reduces_nothing(info(in[0]).dims, how.axes)) return add_alias(in[0], r);
            if (symbol const s = simpler_reduction(op, in[0], how, r); s.exists()) return s;
        }
        if (op->kind == op_kind::broadcast && r.dims == info(in[0]).dims) return in[0];
        if (op->kind == op_kind::matmul) return add_matmul(op, in, a, r);
        if (op->commutative && count == 2 && in[1].index < in[0].index) {
            symbol const t = in[0];
            in[0] = in[1];
            in[1] = t;
        }
        return insert(op, in, count, a, r);
    }

    sequence<table_node> more_nodes_;
    sequence<int> more_operands_, more_buckets_;
    sequence<attribute_entry> more_attrs_;
    struct attribute_room {
        std::uint64_t* words = nullptr;
        extent* extents = nullptr;
        constexpr ~attribute_room() {
            delete[] words;
            delete[] extents;
        }
    };
    static constexpr int max_growths = 8;   // by four each
    attribute_room more_room_[max_growths];
    int growths_ = 0;

    constexpr double number_at(int i) const { return std::bit_cast<double>(words[attr_entries[nodes[i].attrs].word]); }   // of a constant

    template<class T>
    static constexpr T* enlarge(sequence<T>& memory, T const* from, int count, int room) {
        sequence<T> wider(room);
        for (; wider.count < count; ++wider.count) wider.at[wider.count] = from[wider.count];
        wider.swap(memory);
        return memory.at;
    }
    constexpr void grow() {
        capacity *= 4;
        slots *= 4;
        nodes = enlarge(more_nodes_, nodes, node_count, capacity);
        operands = enlarge(more_operands_, operands, operand_count, 3 * capacity);
        attr_entries = enlarge(more_attrs_, attr_entries, attr_count, capacity + 1);
        attribute_room& wider = more_room_[growths_++];   // attributes that somebody holds refer to the room before
        wider.words = new std::uint64_t[static_cast<unsigned>(2 * capacity)];
        wider.extents = new extent[static_cast<unsigned>(2 * capacity)];
        for (int i = 0; i < word_count; ++i) wider.words[i] = words[i];
        for (int i = 0; i < extent_count; ++i) wider.extents[i] = extents[i];
        words = wider.words;
        extents = wider.extents;
        sequence<int> empty(slots, zeros);
        empty.swap(more_buckets_);
        buckets = more_buckets_.at;
        rehash();
    }
    constexpr int bucket_of(std::uint64_t h) const { return static_cast<int>((h ^ (h >> 29)) & static_cast<std::uint64_t>(slots - 1)); }
    constexpr int free_bucket(std::uint64_t h) const {
        int b = bucket_of(h);
        while (buckets[b] != 0) b = (b + 1) & (slots - 1);
        return b;
    }
    static constexpr bool is_named_leaf(op_info const& op) { return op.infer == op::no_rule && op.kind != op_kind::constant; }
    constexpr void add_leaf(int node) {
        std::uint64_t const name = attr_entries[nodes[node].attrs].name_hash;
        int& head = leaf_of.at[(name ^ name >> 29) & 255];
        for (int k = head; k > 0; k = leaves.at[k - 1].next)
            if (int const i = leaves.at[k - 1].node; i != node && attr_entries[nodes[i].attrs].name_hash == name)
                name_conflict = attr_entries[nodes[node].attrs].name;
        leaves.push({node, head});
        head = leaves.count;
    }
    static constexpr bool reduces_nothing(shape const& s, axis_set axes) {
        for (int i = 0; i < s.rank; ++i)
            if (axes.has(i) && !is_one(s.extents[i])) return false;
        return true;
    }
    // Sums of the same elements are one node, whatever axes of extent 1 stand around them.
    constexpr symbol simpler_reduction(op_info const* op, symbol x, reduction_attributes a, value_info const& r) {
        if (!look_below(x, a.axes) && !a.keep_dims) return {};
        auto const plain = to_words(reduction_attributes{a.axes, false});
        return add_alias(add(op, &x, 1, plain.view()), r);
    }
    constexpr bool look_below(symbol& x, axis_set& axes) {
        if (nodes[x.index].op->kind != op_kind::alias || nodes[x.index].op->derive == nullptr) return false;
        symbol const source = operand(x.index, 0);
        shape const &s = info(x).dims, &below = info(source).dims;
        axis_set moved{};
        for (int i = 0, k = 0;; ++i, ++k) {
            while (i < s.rank && is_one(s.extents[i])) ++i;
            while (k < below.rank && is_one(below.extents[k])) ++k;
            if (i == s.rank && k == below.rank) break;
            if (i == s.rank || k == below.rank || !(s.extents[i] == below.extents[k])) return false;
            if (axes.has(i)) moved.add(k);
        }
        x = source;
        axes = moved;
        return true;
    }
    // Literals take the type of their peers.
    constexpr void adopt_type(symbol* in, int count) {
        dtype t = dtype::literal;
        for (int i = 0; i < count; ++i)
            if (dtype const d = info(in[i]).type; d != dtype::literal && (t == dtype::literal || t == dtype::boolean)) t = d;
        if (t == dtype::literal || t == dtype::boolean) return;
        for (int i = 0; i < count; ++i) in[i] = typed(in[i], t);
    }
    // An expression of literals alone, computed in type `t`.
    constexpr symbol typed(symbol s, dtype t) {
        if (info(s).type != dtype::literal) return s;
        int const i = s.index;
        if (nodes[i].op->kind == op_kind::constant) return constant(number_at(i), t);
        symbol in[max_operands]{};
        int const count = nodes[i].count - (nodes[i].op->kind == op_kind::composite);   // without its expansion
        for (int k = 0; k < count; ++k) in[k] = typed(operand(i, k), t);
        return add(nodes[i].op, in, count, attrs(i));
    }
    // Broadcasting an operand first changes nothing where another operand has the shape already.
    constexpr void strip_broadcasts(symbol* in, int count) {
        bool any = false;
        for (int i = 0; i < count; ++i) any = any || nodes[in[i].index].op->kind == op_kind::broadcast;
        if (!any) return;
        shape full{};
        for (int i = 0; i < count; ++i)
            if (!broadcast_into(full, info(in[i]).dims)) return;
        for (int i = 0; i < count; ++i) {
            if (nodes[in[i].index].op->kind != op_kind::broadcast) continue;
            symbol const source = operand(in[i].index, 0);
            shape s = info(source).dims;
            for (int k = 0; k < count; ++k)
                if (k != i && !broadcast_into(s, info(in[k]).dims)) return;
            if (s == full) in[i] = source;
        }
    }
    constexpr symbol simpler_elementwise(op_info const* op, symbol const* in, int count, value_info const& r, bool plain) {
        double c = 0;
        if (!plain && op->has_identity && count == 2) {
            for (int k = 0; k < (op->commutative ? 2 : 1); ++k)
                if (symbol const x = in[k], unit = in[1 - k]; is_constant(unit, c) && c == op->identity && info(x).type == r.type) {
                    if (info(x).dims == r.dims) return x;
                    if (op_info const* repeat = nodes[unit.index].op; repeat->kind == op_kind::broadcast)
                        return insert(repeat, &x, 1, shape_attributes(r.dims), r);
                }
        }
        if (op->self_inverse && nodes[in[0].index].op == op) return operand(in[0].index, 0);
        if (op->converts && info(in[0]).type == r.type) return in[0];
        return {};
    }
    constexpr symbol add_alias(symbol x, value_info const& r) {
        while (nodes[x.index].op->kind == op_kind::alias && nodes[x.index].op->derive != nullptr) x = operand(x.index, 0);
        if (r.dims == info(x).dims) return x;
        if (nodes[x.index].op->kind == op_kind::broadcast) {   // a repeated number stays one
            symbol const source = operand(x.index, 0);
            bool single = true;
            for (int i = 0; i < info(source).dims.rank; ++i) single = single && is_one(info(source).dims.extents[i]);
            if (single) {
                symbol s = source;
                while (nodes[s.index].op->kind == op_kind::alias && nodes[s.index].op->derive != nullptr) s = operand(s.index, 0);
                if (info(s).dims.rank == 0) return insert(nodes[x.index].op, &s, 1, shape_attributes(r.dims), r);
            }
        }
        return insert(
            op_register<op::reshaped>::info, &x, 1, shape_attributes(r.dims), r);   // all aliases of one source and shape are one node
    }
    constexpr symbol add_matmul(op_info const* op, symbol* in, attributes const& a, value_info const& r) {
        auto how = a.as<product_attributes>();
        for (int k = 0; k < 2; ++k)
            if (nodes[in[k].index].op->kind == op_kind::transpose && info(in[k]).dims.rank == 2 && info(in[0]).dims.rank == 2 &&
                info(in[1]).dims.rank == 2 && attrs(in[k].index).as<permutation_attributes>().order[0] == 1) {
                in[k] = operand(in[k].index, 0);
                flag& transposed = k == 0 ? how.transpose_a : how.transpose_b;
                transposed = !transposed;
            }
        auto const w = to_words(how);
        return insert(op, in, 2, w.view(), r);
    }

    constexpr symbol insert(op_info const* op, symbol const* in, int count, attributes const& a, value_info const& r) {
        std::uint64_t h = op->hash + static_cast<std::uint64_t>(r.type);
        bool const plain = a.empty();
        if (!plain) h = hash_mix(h, a.hash());
        for (int i = 0; i < count; ++i) h = (h ^ (static_cast<std::uint64_t>(in[i].index) + 1)) * 0xBF58476D1CE4E5B9u;
        if (node_count == capacity || operand_count + count > 3 * capacity || word_count + a.word_count > 2 * capacity ||
            extent_count + a.extent_count > 2 * capacity)
            grow();
        int b = bucket_of(h);
        for (; buckets[b] != 0; b = (b + 1) & (slots - 1))
            if (int const i = buckets[b] - 1; nodes[i].hash == h && same(i, op, in, count, a, r)) return at(i);
        table_node& w = nodes[node_count];
        w.op = op;
        w.value = r;
        w.hash = h;
        w.first_operand = operand_count;
        w.count = count;
        w.attrs = 0;
        for (int i = 0; i < count; ++i) operands[operand_count++] = in[i].index;
        if (!plain) w.attrs = keep(a);
        buckets[b] = ++node_count;
        return at(node_count - 1);
    }
    constexpr int keep(attributes const& a) {
        attribute_entry& r = attr_entries[attr_count];
        r = {word_count, a.word_count, extent_count, a.extent_count, a.name_hash, a.name};
        for (int i = 0; i < a.word_count; ++i) words[word_count++] = a.words[i];
        for (int i = 0; i < a.extent_count; ++i) extents[extent_count++] = a.extents[i];
        return attr_count++;
    }
    constexpr bool same(int i, op_info const* op, symbol const* in, int count, attributes const& a, value_info const& r) const {
        table_node const& w = nodes[i];
        if (w.op != op || w.count != count || w.value.type != r.type || !(w.value.dims == r.dims)) return false;
        for (int k = 0; k < count; ++k)
            if (operands[w.first_operand + k] != in[k].index) return false;
        return w.attrs == 0 ? a.empty() : a.equals(attrs(i));
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
