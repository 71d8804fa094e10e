// SPDX-License-Identifier: MIT
// The memory of a graph's table: nodes in topological order, built by constexpr code. Equal nodes become one node.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/graph/nodes.hpp>
#include <xgrad/meta/sequence.hpp>

XGRAD_NAMESPACE_BEGIN

/// Adds nodes as they are; a node that is already there is not added again.
/// A table that outgrows the storage continues in its own allocated memory.
struct node_store : symbol_table {
    table_node* nodes;
    int* operands;
    attribute_entry* attr_entries;
    std::uint64_t* words;
    extent* extents;
    int* buckets;
    int capacity, slots;
    int node_count, operand_count, attr_count, word_count, extent_count;
    sequence<int> sweeps;   // gradients already added, as numbers of op::gradient
    struct named_leaf {
        int node;
        int next;
    };
    sequence<named_leaf> leaves;
    sequence<int> leaf_of{256, zero_elements};   // hash chains by name: index + 1
    std::string_view name_conflict{};            // of two leaves with different shapes, element types or kinds; empty: no conflict
    std::string_view wrong_gradient{};           // the name of an operation whose derivative does not fit its operand; empty: no error
    struct owned_name {
        std::uint64_t name;   // number of a layer's variable, or hash of a random stream's name
        int operand;
    };
    sequence<owned_name> owned;
    // The name of a variable that two calls of a layer with different operands use without declaring it shared.
    // The same for random streams.
    std::string_view shared_layer{}, shared_stream{};
    std::string_view lost_gradient{};        // the name of a user's operation without derivative(...) that a gradient has reached
    bool nonlinear_derivative = false;       // a jvp found a derivative that is not linear in the gradient of its operation
    std::string_view nonlinear_gradient{};   // and of a custom_gradient its name

    template<int C>
    constexpr explicit node_store(table_storage<C>& s)
        : nodes(s.nodes), operands(s.operands), attr_entries(s.attrs), words(s.words), extents(s.extents), buckets(s.buckets), capacity(C),
          slots(table_storage<C>::slots), node_count(s.node_count), operand_count(s.operand_count),
          attr_count(s.attr_count > 0 ? s.attr_count : 1), word_count(s.word_count), extent_count(s.extent_count),
          wrong_gradient(s.wrong_gradient), shared_layer(s.shared_layer), shared_stream(s.shared_stream), lost_gradient(s.lost_gradient),
          nonlinear_derivative(s.nonlinear_derivative), nonlinear_gradient(s.nonlinear_gradient) {
        for (int i = 0; i < node_count; ++i)   // continue with the existing nodes
            if (nodes[i].count == 0 && is_named_leaf(*nodes[i].op)) add_leaf(i);
    }
    template<int C>
    constexpr void save(table_storage<C>& s) const {
        if (capacity != C) {   // it has outgrown the storage
            s.needed = node_count + node_count / 2 + operand_count / 3 + (word_count > extent_count ? word_count : extent_count) / 2;
            return;
        }
        s.wrong_gradient = wrong_gradient;
        s.shared_layer = shared_layer;
        s.shared_stream = shared_stream;
        s.lost_gradient = lost_gradient;
        s.nonlinear_derivative = nonlinear_derivative;
        s.nonlinear_gradient = nonlinear_gradient;
        s.node_count = node_count;
        s.operand_count = operand_count;
        s.attr_count = attr_count;
        s.word_count = word_count;
        s.extent_count = extent_count;
    }

    /// Enters nodes that were copied from another storage into the hash table.
    constexpr void rehash() {
        for (int i = 0; i < node_count; ++i) buckets[free_bucket(nodes[i].hash)] = i + 1;
    }
    constexpr value_info const& info(symbol s) const override { return nodes[s.index].value; }
    constexpr op_info const* op(symbol s) const override { return nodes[s.index].op; }
    constexpr symbol operand(symbol s, int k) override { return operand(s.index, k); }
    constexpr int arity(symbol s) const override { return nodes[s.index].count; }
    constexpr symbol at(int i) { return {this, i}; }
    constexpr symbol operand(int i, int k) { return at(operands[nodes[i].first_operand + k]); }
    /// The attributes stay in place during the lifetime of the builder.
    constexpr attributes attrs(int i) const { return attr_list()[nodes[i].attrs]; }
    constexpr attribute_list attr_list() const { return {attr_entries, words, extents}; }
    constexpr table_view view() const { return {nodes, operands, attr_list(), node_count}; }

    constexpr symbol constant(double value, dtype type) override {
        auto const word = std::bit_cast<std::uint64_t>(value);   // constant_attributes
        return insert(op_register<op::constant>::info, nullptr, 0, {.words = &word, .word_count = 1}, {type, {}, fault::none});
    }

    /// Adds a leaf. Leaves with equal names must be equal.
    constexpr symbol leaf(node_info const& n) {
        symbol const s = insert(n.op, nullptr, 0, n.attrs, n.value);
        if (is_named_leaf(*n.op)) add_leaf(s.index);
        return s;
    }

    /// Registers a name that belongs to one operand: a variable of a layer to the layer's x, a random stream to its operand.
    /// If it already belongs to another operand, its text is stored in `twice`. The program then reports that sharing as a mistake.
    constexpr void own(std::uint64_t name, int operand, std::string_view text, std::string_view& twice) {
        for (owned_name const& o : owned)
            if (o.name == name) {
                if (o.operand != operand && twice.empty()) twice = text;
                return;
            }
        owned.push({name, operand});
    }

    constexpr bool is_constant(symbol s, double& value) const override {
        int i = s.index;
        while (nodes[i].op->kind == op_kind::broadcast || (nodes[i].op->kind == op_kind::alias && nodes[i].op->derive != nullptr))
            i = operands[nodes[i].first_operand];
        if (nodes[i].op->kind != op_kind::constant) return false;
        value = number_at(i);
        return true;
    }

protected:
    constexpr double number_at(int i) const { return std::bit_cast<double>(words[attr_entries[nodes[i].attrs].word]); }   // of a constant

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

private:
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
    static constexpr int max_growths = 8;   // each by a factor of four
    attribute_room more_room_[max_growths];
    int growths_ = 0;

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
        attribute_room& wider = more_room_[growths_++];   // attributes in use refer to the old memory
        wider.words = new std::uint64_t[static_cast<unsigned>(2 * capacity)];
        wider.extents = new extent[static_cast<unsigned>(2 * capacity)];
        for (int i = 0; i < word_count; ++i) wider.words[i] = words[i];
        for (int i = 0; i < extent_count; ++i) wider.extents[i] = extents[i];
        words = wider.words;
        extents = wider.extents;
        sequence<int> empty(slots, zero_elements);
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
    static constexpr bool is_named_leaf(op_info const& op) {
        return op.infer == op::no_rule && op.kind != op_kind::constant && op.values == nullptr;
    }
    constexpr void add_leaf(int node) {
        std::uint64_t const name = attr_entries[nodes[node].attrs].name_hash;
        int& head = leaf_of.at[(name ^ name >> 29) & 255];
        for (int k = head; k > 0; k = leaves.at[k - 1].next)
            if (int const i = leaves.at[k - 1].node; i != node && attr_entries[nodes[i].attrs].name_hash == name)
                name_conflict = attr_entries[nodes[node].attrs].name;
        leaves.push({node, head});
        head = leaves.count;
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
