// SPDX-License-Identifier: MIT
// The runner with the bodies of its functions: sizes, memory and addresses. With XGRAD_COMPILED they are in the library xgrad::compiled.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/run/runner_checks.hpp>
#include <xgrad/run/runner_class.hpp>
#include <xgrad/run/runner_results.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#if XGRAD_COMPILED != 1
XGRAD_NAMESPACE_BEGIN

XGRAD_COLD XGRAD_HOST void runner::add_dim(dim_info const& d) {
    if (find_size(dims_, d) == nullptr) dims_.push({&d, -1});
}
XGRAD_COLD XGRAD_HOST void runner::collect_dims() {
    for (int i = 0; i < plan_.polynomial_count; ++i)
        for (int k = 0; k < plan_.polynomials[i].count; ++k)
            for (auto const* d : plan_.polynomials[i].terms[k].dims)
                if (d != nullptr) add_dim(*d);
    for (runner const* body : bodies_)
        for (bound_size const& d : body->dims_) add_dim(*d.info);
    sequence<bound_size> same(dims_);
    trial_.swap(same);
    sequence<leaf_info const*> holders(dims_.count, nullptr);
    for (variable_dim const& d : variable_dims_of(plan_)) holders.at[find_size(dims_, *d.info) - dims_.begin()] = d.variable;
    holders_.swap(holders);
}
XGRAD_RARE XGRAD_HOST std::size_t runner::evaluate() {
    double most = 0, bytes = 0;
    for (int i = 0; i < plan_.polynomial_count; ++i) {
        double const value = rough_extent_at(plan_.polynomials[i], dims_, 0);
        most = value > most ? value : most;
    }
    for (int i = 0; i < plan_.block_count; ++i) bytes += rough_extent_at(plan_.block_bytes[i], dims_, 0) + 64;
    if (most > 0x1p62 || bytes > 0x1p62) return std::numeric_limits<std::size_t>::max();
    for (int i = 0; i < plan_.polynomial_count; ++i) values_.at[i] = extent_at(plan_.polynomials[i], dims_, 0);
    std::int64_t at = 0;
    for (int i = 0; i < plan_.block_count; ++i) {
        block_at_.at[i] = at;
        at += (std::max(extent_at(plan_.block_bytes[i], dims_, 0), std::int64_t{0}) + 63) / 64 * 64;
    }
    return static_cast<std::size_t>(at);
}
XGRAD_RARE XGRAD_HOST void runner::size_steps() {
    for (int i = 0; i < plan_.step_count; ++i) {
        planner::plan_step const& s = plan_.steps[i];
        step_arguments& a = steps_.at[i];
        for (int d = 0; d < max_rank - 1; ++d) a.extent[d] = value(s.extent[d]);
        a.inner = value(s.inner);
        a.last = a.extent[2];
        a.panels = has_fixed_factor(i) ? panel_use::make : panel_use::alone;
        for (int k = 0; k < s.param_count; ++k) {
            planner::parameter const& p = plan_.params[s.first_param + k];
            params_.at[s.first_param + k] = p.is_size ? static_cast<double>(value(p.size)) : p.value;
        }
        for (int k = s.first_operand, end = k + s.operand_count; k < end; ++k) operands_.at[k].inner = value(plan_.operands[k].inner);
    }
}
XGRAD_RARE XGRAD_HOST std::size_t runner::scratch_of_step(int i) const {
    planner::plan_step const& s = plan_.steps[i];
    std::size_t n = kernel_scratch(plan_, i, steps_.at[i]);
    for (int k = 0; k < s.operand_count; ++k) n += scratch_of(plan_.operands[s.first_operand + k]);
    return padded(n);
}
XGRAD_RARE XGRAD_HOST std::size_t runner::scratch_bytes() {
    size_steps();
    std::size_t own = 0;
    shared_scratch_ = 0;
    for (int i = 0; i < plan_.step_count; ++i)
        if (std::size_t const n = scratch_of_step(i); has_fixed_factor(i)) own += n;
        else shared_scratch_ = std::max(shared_scratch_, n);
    steps_scratch_ = shared_scratch_ + own;
    return steps_scratch_ + share_groups(nullptr);
}
// Sparse updates group the indices of a call by row. Several updates may have the same indices, such as those of two tables that one
// input looks up. Then the first update groups them in memory that it gets here, and the others read the groups there.
// An update whose indices no other update uses groups them in its scratch memory.
XGRAD_RARE XGRAD_HOST std::size_t runner::share_groups(runner& of, std::byte* memory) {
    runtime_plan const& plan = of.plan_;
    using where = planner::step_operand::where;
    auto const indices = [&](int i) -> planner::step_operand const& { return plan.operands[plan.steps[i].first_operand + 1]; };
    auto const by_rows = [&](int i) {
        planner::plan_step const& s = plan.steps[i];
        return s.updates_rows() && (indices(i).base == where::input || indices(i).base == where::buffer);
    };
    auto const same = [&](int i, int j) {
        planner::step_operand const &a = indices(i), &b = indices(j);
        return by_rows(j) && a.base == b.base && a.index == b.index && of.value(a.offset) == of.value(b.offset) &&
               plan.steps[i].index_type == plan.steps[j].index_type && of.steps_.at[i].extent[0] == of.steps_.at[j].extent[0];
    };
    std::size_t bytes = 0;
    for (int i = 0; i < plan.step_count; ++i) {
        step_arguments& a = of.steps_.at[i];
        a.groups = nullptr;
        a.grouped = false;
        if (!by_rows(i)) continue;
        int first = 0, next = i + 1;
        while (first < i && !same(i, first)) ++first;
        while (next < plan.step_count && !same(i, next)) ++next;
        if (first < i) {
            a.groups = of.steps_.at[first].groups;
            a.grouped = a.groups != nullptr;
        } else if (next < plan.step_count) {
            if (memory != nullptr) a.groups = memory + bytes;
            bytes += 64 + padded(kernel_scratch(plan, i, a));   // each has a header before it
        }
    }
    return bytes;
}
XGRAD_RARE XGRAD_HOST void runner::lay_out() {
    size_steps();
    patches_.clear();
    for (runner* body : bodies_) body->lay_out();
    if (results_.wanted) choose_results();
    std::byte* own = scratch_.data() + shared_scratch_;
    for (int i = 0; i < plan_.step_count; ++i) {
        planner::plan_step const& s = plan_.steps[i];
        step_arguments& a = steps_.at[i];
        std::byte* scratch = has_fixed_factor(i) ? std::exchange(own, own + scratch_of_step(i)) : scratch_.data();
        for (int k = 0; k < s.operand_count; ++k) {
            planner::step_operand const& o = plan_.operands[s.first_operand + k];
            operand_argument& t = operands_.at[s.first_operand + k];
            for (int d = 0; d < max_rank - 1; ++d) t.stride[d] = value(o.stride[d]);
            std::int64_t const bytes = value(o.offset) * static_cast<std::int64_t>(size_of(o.type));
            if (o.base == planner::step_operand::where::input) patches_.push({s.first_operand + k, o.index, bytes});
            else t.data = address(o, bytes);
            if (results_.takes(o)) results_.patches.push({s.first_operand + k, results_.array_of[o.index], bytes});
            if (o.base == planner::step_operand::where::scratch) {
                t.data = scratch;
                scratch += scratch_of(o);
            }
        }
        a.scratch = scratch;
    }
    share_groups(scratch_.data() + steps_scratch_);
    laid_out_ = true;
}
XGRAD_RARE XGRAD_HOST bool runner::make_room(bool grow) {
    std::size_t const need = evaluate(), scratch = scratch_bytes();
    for (runner* body : bodies_)
        if (body->take_sizes(dims_); !body->make_room(grow)) return false;
    bool const more = need > arena_.size(), more_scratch = scratch > scratch_.size();
    if (!grow && (more || more_scratch)) return false;
    aligned_buffer<std::byte> new_arena(more ? need : 0), new_scratch(more_scratch ? scratch : 0);
    if (more) arena_.swap(new_arena);
    if (more_scratch) scratch_.swap(new_scratch);
    return true;
}
XGRAD_COLD XGRAD_HOST void runner::connect() {
    for (int i = 0; i < dims_.count; ++i) {
        if (holders_.at[i] == nullptr) continue;
        std::int64_t &next = trial_.at[i].size, &now = dims_.at[i].size;
        next = store_->size_of_dimension(*dims_.at[i].info);
        now = now < 0 ? next : now;   // the last result keeps its shape until a call succeeds
    }
    for (runner* body : bodies_)
        if (body->store_ != nullptr) body->connect();
    if (store_ != nullptr) generation_ = store_->generation();
    laid_out_ = false;
    for (int i = 0; i < plan_.step_count; ++i) {
        step_arguments& a = steps_.at[i];
        a.bad_index = &bad_index_;
        a.fault = &fault_;
        a.random = &random;
        if (!planner::facts_of(plan_.steps[i].kind).updates_variable || written_ == nullptr) continue;
        stored_variable const& v = *variables_.at[plan_.steps[i].variable];
        void* const* const slots = written_->find(static_cast<int>(&v - store_->variables().begin()))->slots;
        for (step_arguments* of : {&a, &a - plan_.steps[i].joined_to}) {
            of->parameter = v.data;
            of->rule_slots = slots;
        }
    }
}
XGRAD_COLD XGRAD_HOST runner::runner(runtime_plan const& plan)
    : plan_(plan), steps_(plan.step_count, {}), operands_(plan.operand_count, {}), params_(plan.param_count, 0),
      values_(plan.polynomial_count, 0), block_at_(plan.block_count, 0), patches_(plan.operand_count) {
    for (auto const* make = plan.regions; *make != nullptr; ++make) {
        bodies_.push(new runner((*make)()));
        bodies_.last()->want_results();
    }
    collect_dims();
    for (int i = 0; i < plan.step_count; ++i) {
        step_arguments& a = steps_.at[i];
        a.operands = operands_.at + plan.steps[i].first_operand;
        a.params = params_.at + plan.steps[i].first_param;
        a.names = plan.stream_names + plan.steps[i].first_operand;
        a.kernel = plan.kernels[plan.kernel_of[i]].run;
        a.bodies = bodies_.at + plan.steps[i].first_body;
    }
}
XGRAD_COLD XGRAD_HOST runner::~runner() {}
XGRAD_COLD XGRAD_HOST void runner::borrow(variable_store const& store) {
    for (runner* body : bodies_) body->borrow(store);
    for (int i = 0; i < plan_.variable_count; ++i) variables_.push(&stored_as(plan_.variables[i], plan_, store));
    if (plan_.variable_count > 0) store_ = &store;
    connect();
    bool told = true;   // all sizes are known: the forms that do not allocate need no reserve()
    for (int i = 0; i < dims_.count; ++i) told = told && holders_.at[i] != nullptr;
    if (told) reserve(nullptr, 0);
}
XGRAD_COLD XGRAD_HOST void runner::set_scalars(int group, dtype type, void const* scalars) {
    for (int i = 0; i < plan_.step_count; ++i)
        if (planner::facts_of(plan_.steps[i].kind).updates_variable && plan_.steps[i].group == group && plan_.steps[i].type == type) {
            steps_.at[i].scalars = scalars;
            steps_.at[i - plan_.steps[i].joined_to].scalars = scalars;   // of the product that it runs in
        }
}
XGRAD_HOST status runner::bind(array_ref const* in, std::uint64_t const* given, bool grow, array_ref const* out) {
    if (status const s = follow(); !s) return s;
    if (status const s = check(in, given); !s) return s;
    if (out != nullptr)
        if (status const s = check_results(in, out); !s) return s;
    bool same = laid_out_;
    for (int i = 0; same && i < dims_.count; ++i) same = dims_.at[i].size == trial_.at[i].size;
    if (!same) {
        trial sizes(*this);
        if (status const s = check_extents(); !s) return s;
        if (!make_room(grow)) return {status_code::capacity_exceeded, {}};
        sizes.keep = true;
        for (int i = 0; i < dims_.count; ++i)
            if (holders_.at[i] != nullptr) trial_.at[i].size = dims_.at[i].size;
        lay_out();
    }
    for (auto const& p : patches_) operands_.at[p.operand].data = static_cast<std::byte*>(const_cast<void*>(in[p.input].data)) + p.bytes;
    if (out != nullptr || results_.lent) point_results(out);
    bad_index_ = false;
    if constexpr (XGRAD_CHECKS != 0) {
        if (!called_ && grow && store_ != nullptr) warn_of_zeros();   // without grow: a real-time call, which must not spend time on it
        if (grow && !warned_ && plan_.warn_of_numbers != nullptr) warned_ = plan_.warn_of_numbers(plan_, in);
    }
    called_ = true;
    return {};
}
XGRAD_COLD XGRAD_HOST void runner::reserve(dim_size const* sizes, int count) {
    if (status const s = follow(); !s) fail(s);
    for (int i = 0; i < trial_.count; ++i)
        if (holders_.at[i] == nullptr) trial_.at[i].size = 0;
    for (int k = 0; k < count; ++k) {
        bool known = false;
        for (int i = 0; i < trial_.count; ++i) {
            bound_size& d = trial_.at[i];
            if (d.info->hash != sizes[k].hash) continue;
            known = true;
            if (sizes[k].size < 0)
                raise_parts<value_error>({"xgrad: reserve: the dimension \"", d.info->name, "\" cannot have ", sizes[k].size, " elements"});
            if (holders_.at[i] != nullptr && sizes[k].size != d.size)
                raise_parts<shape_error>(
                    {"xgrad: reserve: the dimension \"", d.info->name, "\" has ", d.size, " elements in the variables"});
            d.size = sizes[k].size;
        }
        if (!known)
            raise_parts<binding_error>({"xgrad: reserve: the program has not all of these named dimensions; it has ",
                detail::names_text(trial_, [](bound_size const& d) { return d.info->name; })});
    }
    trial const wanted(*this);
    if (constexpr std::size_t most = std::size_t{1} << 47; evaluate() > most) {   // more bytes than a process can have
        message_text text;
        text.add({"xgrad: reserve: no machine has enough memory for"});
        for (int k = 0; k < count; ++k)
            for (bound_size const& d : dims_)
                if (d.info->hash == sizes[k].hash) text.add({k == 0 ? " " : ", ", d.info->name, " = ", d.size});
        raise<value_error>(text.c_str());
    }
    make_room(true);
}
[[noreturn]] XGRAD_COLD XGRAD_HOST void runner::fail(status const& s) {
    for (int i = 0; i < dims_.count; ++i)
        if (holders_.at[i] != nullptr && dims_.at[i].info->name == found_.dimension) found_.variable = holders_.at[i]->name;
    raise_status(s, found_);
}
XGRAD_COLD XGRAD_HOST status runner::follow_growth() {
    if (store_->replaced) return {status_code::replaced_owner, {}};
    if (char const* const run = store_->run(); run != nullptr && !detail::store_visit::allows(*store_, store_access::read))
        return {status_code::in_run, run};
    store_->bring_back();
    if (store_->generation() == generation_) return {};
    if (status const s = check_growth(plan_, *store_); !s) return s;
    return connect(), status{};
}

XGRAD_NAMESPACE_END
#endif
#include <xgrad/config/macros_end.hpp>
