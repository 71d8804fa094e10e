// SPDX-License-Identifier: MIT
// The accumulator for one update of a plan, dense or sparse, of the update's type.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/accumulators/conditional_accumulator.hpp>
#include <xgrad/run/gradient_ref.hpp>
#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>
#include <xgrad/replicas/sync/sync_options.hpp>
#include <xgrad/replicas/sync/update_steps.hpp>

#include <cstring>
#include <variant>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The sums of the workers for update `number` of `updates`, and the last result taken from them: the mean, or what the options select.
class update_accumulator {
    template<class T>
    struct dense {
        using element = T;
        static constexpr bool has_rows = false;
        conditional_accumulator<T> sums;
        dense_gradient<T> taken{};
        dense(std::string_view name, sync_options const& o) : sums({.name = name, .reduction = o.reduction, .workers = o.workers}) {}
    };
    template<class T>
    struct rows {
        using element = T;
        static constexpr bool has_rows = true;
        sparse_conditional_accumulator<T> sums;
        sparse_gradient<T> taken{};
        rows(std::string_view name, sync_options const& o)
            : sums({.name = name, .reduction = o.reduction, .workers = o.workers, .sort_and_sum = o.sort_and_sum}) {}
    };
    update_steps& updates_;
    int number_;
    std::variant<std::monostate, dense<float>, dense<double>, rows<float>, rows<double>> of_;

    // Calls f with the accumulator in use.
    template<class F, class Self>
    static auto visit(F const& f, Self& self) {
        switch (self.of_.index()) {
        case 1: return f(*std::get_if<1>(&self.of_));
        case 2: return f(*std::get_if<2>(&self.of_));
        case 3: return f(*std::get_if<3>(&self.of_));
        }
        return f(*std::get_if<4>(&self.of_));
    }

public:
    update_accumulator(
        update_steps& updates, int number, std::string_view name, sync_options options, bool by_rule, std::int64_t global_step)
        : updates_(updates), number_(number) {
        if (!by_rule) options.reduction = reduction::mean;   // assigned state is always averaged
        bool const is_double = updates.step(number).type == dtype::float64;
        if (updates.step(number).sparse)
            if (is_double) of_.emplace<4>(name, options);
            else of_.emplace<3>(name, options);
        else if (is_double) of_.emplace<2>(name, options);
        else of_.emplace<1>(name, options);
        visit([&](auto& a) { a.sums.set_global_step(global_step); }, *this);
    }
    update_accumulator(update_accumulator const&) = delete;

    /// Adds the gradient of a worker for this update; returns whether it counts.
    bool apply(gradient_ref const& g, std::int64_t local_step, int worker) {
        return visit(
            [&](auto& a) {
                using kind = std::remove_reference_t<decltype(a)>;
                auto const* const values = static_cast<typename kind::element const*>(g.values);
                if constexpr (kind::has_rows) {
                    auto const add = [&](auto const* indices) {
                        return a.sums.apply_grad(
                            array(indices, g.rows), array(values, g.rows, updates_.row_length(number_)), local_step, {}, worker);
                    };
                    return updates_.step(number_).index_type == dtype::int32 ? add(static_cast<std::int32_t const*>(g.indices))
                                                                             : add(static_cast<std::int64_t const*>(g.indices));
                } else return a.sums.apply_grad(array(values, updates_.elements(number_)), local_step, worker);
            },
            *this);
    }
    /// Like take_grad of the accumulator. The result is kept for move().
    void take(std::int64_t required, wait_options const& options) {
        visit([&](auto& a) { a.sums.take_grad(required, a.taken, options); }, *this);
    }
    /// Allocates scratch memory for move(); `room` is that of the thread that will call it. Throws std::bad_alloc.
    void make_room(update_room& room) {
        visit(
            [&](auto& a) {
                using kind = std::remove_reference_t<decltype(a)>;
                using T = typename kind::element;
                if constexpr (kind::has_rows) {
                    auto const indices = a.taken.indices();
                    auto const n = static_cast<std::int64_t>(indices.size());
                    updates_.give_rows<T>(number_, a.taken.values().data(), indices.data(), n);
                    updates_.make_room<T>(number_, room, n);
                } else updates_.make_room<T>(number_, room);
            },
            *this);
    }
    /// Makes the update with the result that was taken.
    void move(update_room const& room) {
        visit(
            [&](auto& a) {
                using kind = std::remove_reference_t<decltype(a)>;
                using T = typename kind::element;
                if constexpr (kind::has_rows) updates_.sparse(number_, room, 0, updates_.table_rows(number_));
                else
                    updates_.dense<T>(number_, room, 0, updates_.elements(number_), [&](T* to, std::int64_t first, std::int64_t n) {
                        std::memcpy(to, a.taken.data() + first, static_cast<std::size_t>(n) * sizeof(T));
                    });
            },
            *this);
    }
    void add_worker() {
        visit([](auto& a) { a.sums.add_worker(); }, *this);
    }
    void remove_worker(int k) {
        visit([k](auto& a) { a.sums.remove_worker(k); }, *this);
    }
    std::int64_t num_accumulated() const {
        return visit([](auto const& a) { return a.sums.num_accumulated(); }, *this);
    }
    std::int64_t global_step() const {
        return visit([](auto const& a) { return a.sums.global_step(); }, *this);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
