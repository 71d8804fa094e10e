// SPDX-License-Identifier: MIT
// The memory of a plan that is interpreted. Each byte of the arena knows which buffer was last written there. So an access reports a read
// of bytes that were never written, or that another buffer has taken since.
#pragma once

#include "evaluate.hpp"

namespace random_graphs {

/// What a plan does that no plan may do.
struct fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An operand with its numbers.
struct place {
    xg::planner::step_operand::where base;
    dtype type;
    int index;
    std::int64_t offset, stride[xg::max_rank - 1], inner;
    bool has_memory() const { return base >= xg::planner::step_operand::where::input; }
    std::int64_t at(std::int64_t const* position, int rank) const {
        std::int64_t e = offset;
        for (int d = 0; d < rank; ++d) e += position[d] * stride[d];
        return e;
    }
};

class memory {
    struct buffer {
        dtype type;
        std::int64_t elements, first_byte;
        bool passing;
        std::vector<double> v;
    };
    xg::table_view t_;
    plan const& p_;
    std::vector<buffer> buffers_;
    std::vector<std::uint16_t> owner_;   // of each byte: the buffer + 1

    std::string name(place const& o) const {
        switch (o.base) {
        case xg::planner::step_operand::where::input: return "input " + std::string(t_.attrs(p_.inputs[o.index]).name);
        case xg::planner::step_operand::where::variable: return "variable " + std::string(t_.attrs(p_.variables[o.index]).name);
        case xg::planner::step_operand::where::buffer: {
            int const node = p_.buffers[o.index].node;
            return "buffer " + std::to_string(o.index) + " (node " + std::to_string(node) + ", " + std::string(t_[node].op->name) + ")";
        }
        default: return "no memory";
        }
    }
    [[noreturn]] void fail(place const& o, std::int64_t e, char const* what, std::int64_t size) const {
        throw fault(std::string(what) + " element " + std::to_string(e) + " of " + name(o) + ", which has " + std::to_string(size));
    }

    std::int64_t handed_on(place const& o, std::int64_t e) const {
        if (e < passing_first || e >= passing_end) throw fault("element " + std::to_string(e) + " of " + name(o) + " is not handed on");
        return e - passing_first;
    }

public:
    std::vector<std::int64_t> values;   // of the polynomials
    std::vector<tensor const*> inputs;
    std::vector<tensor*> variables;
    std::int64_t passing_first = 0, passing_end = 0;   // elements that a kernel passes on at the time

    memory(xg::table_view const& t, plan const& p, std::int64_t const* sizes) : t_(t), p_(p) {
        for (int i = 0; i < p.polynomial_count; ++i) values.push_back(random_graphs::evaluate(p.polynomials[i], sizes));
        std::vector<std::int64_t> first;
        std::int64_t bytes = 0;
        for (int k = 0; k < p.block_count; ++k) {
            first.push_back(bytes);
            bytes += (std::max(random_graphs::evaluate(p.blocks[k].bytes, sizes), std::int64_t{0}) + 63) / 64 * 64;
        }
        first.push_back(bytes);
        if (bytes > 8000000) throw evaluation::too_much{};
        owner_.assign(static_cast<std::size_t>(bytes), 0);
        for (int k = 0; k < p.buffer_count; ++k) {
            xg::planner::plan_buffer const& b = p.buffers[k];
            if (b.place < 0 || b.place >= p.block_count) throw fault("buffer " + std::to_string(k) + " has no block");
            std::int64_t const n = value(b.size), from = first[static_cast<std::size_t>(b.place)];
            if (n * static_cast<std::int64_t>(size_of(b.type)) > random_graphs::evaluate(p.blocks[b.place].bytes, sizes))
                throw fault("buffer " + std::to_string(k) + " is larger than its block");
            buffers_.push_back({b.type, n, from, b.passing, std::vector<double>(static_cast<std::size_t>(n))});
        }
    }
    std::int64_t value(int polynomial) const { return values[static_cast<std::size_t>(polynomial)]; }
    place resolve(xg::planner::step_operand const& o) const {
        place r{o.base, o.type, o.index, value(o.offset), {}, value(o.inner)};
        for (int d = 0; d < 5; ++d) r.stride[d] = value(o.stride[d]);
        bool const buffer = o.base == xg::planner::step_operand::where::buffer;
        int const count = buffer ? p_.buffer_count : o.base == xg::planner::step_operand::where::input ? p_.input_count : p_.variable_count;
        if (o.has_memory() && (o.index < 0 || o.index >= count)) throw fault("an operand without memory");
        if (buffer && p_.buffers[o.index].type != o.type) throw fault("an operand of another element type than its buffer");
        return r;
    }
    double read(place const& o, std::int64_t e) const {
        if (o.base == xg::planner::step_operand::where::buffer) {
            buffer const& b = buffers_[static_cast<std::size_t>(o.index)];
            if (b.passing) e = handed_on(o, e);
            if (e < 0 || e >= b.elements) fail(o, e, "reads", b.elements);
            auto const size = static_cast<std::int64_t>(size_of(b.type));
            for (std::int64_t k = 0; k < size; ++k)
                if (auto const w = owner_[static_cast<std::size_t>(b.first_byte + e * size + k)]; w != o.index + 1)
                    fail(o, e, w == 0 ? "reads what was never written:" : "reads what another buffer has overwritten:", b.elements);
            return b.v[static_cast<std::size_t>(e)];
        }
        if (!o.has_memory()) throw fault("reads from an operand without memory");
        tensor const& x = o.base == xg::planner::step_operand::where::input ? *inputs[static_cast<std::size_t>(o.index)]
                                                                            : *variables[static_cast<std::size_t>(o.index)];
        if (e < 0 || e >= static_cast<std::int64_t>(x.v.size())) fail(o, e, "reads", static_cast<std::int64_t>(x.v.size()));
        return x.v[static_cast<std::size_t>(e)];
    }
    void write(place const& o, std::int64_t e, double x) {
        if (o.base != xg::planner::step_operand::where::buffer) throw fault("writes to " + name(o));
        buffer& b = buffers_[static_cast<std::size_t>(o.index)];
        if (b.passing) e = handed_on(o, e);
        if (e < 0 || e >= b.elements) fail(o, e, "writes", b.elements);
        auto const size = static_cast<std::int64_t>(size_of(b.type));
        for (std::int64_t k = 0; k < size; ++k)
            owner_[static_cast<std::size_t>(b.first_byte + e * size + k)] = static_cast<std::uint16_t>(o.index + 1);
        b.v[static_cast<std::size_t>(e)] = x;
    }
    /// An output, contiguous.
    std::vector<double> output(int k, std::int64_t n) const {
        place const o = resolve(p_.outputs[k]);
        std::vector<double> r;
        if (o.base != xg::planner::step_operand::where::buffer) throw fault("an output that is no buffer");
        for (std::int64_t e = 0; e < n; ++e) r.push_back(read(o, o.offset + e));
        return r;
    }
    /// As at the start of an iteration.
    void forget() { std::fill(owner_.begin(), owner_.end(), std::uint16_t{0}); }
};

}   // namespace random_graphs
