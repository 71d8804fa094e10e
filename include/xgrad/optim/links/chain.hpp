// SPDX-License-Identifier: MIT
// chain(...): transforms and a rule become one rule. It makes one pass over parameter, gradient and slots.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/links/chain_layout.hpp>
#include <xgrad/optim/links/chain_order.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

XGRAD_NAMESPACE_BEGIN

namespace detail {
template<std::size_t I, class S>
struct link_scalars {
    S value;
};
template<class Indices, class T, class... L>
struct scalars_of_links;
template<std::size_t... I, class T, class... L>
struct scalars_of_links<std::index_sequence<I...>, T, L...> : link_scalars<I, typename L::template scalars<T>>... {};

template<class Link>
inline constexpr bool may_stop = requires(typename Link::template scalars<double> const& s) { Link::stops(s); };
template<class Link>
inline constexpr bool has_steps = requires(Link const& l, double const* p) { l.step_behind(std::int64_t{}, p); };
/// True if the link does nothing to rows that do not occur, although the chain visits all rows.
template<class Link>
inline constexpr bool leaves_absent_rows = Link::sparse == sparse_semantics::lazy && !requires { Link::bounds_all_rows; };
/// TensorFlow's name of the rule among the links.
template<class... L>
constexpr std::string_view tf_name_among() {
    std::string_view name;
    ((is_transform<L> ? void() : void(name = tf_name_of<L>())), ...);
    return name;
}
}   // namespace detail

/// The type of chain(...): a rule with the slots of all its links. Each link sees gradient and parameter as the earlier
/// links left them.
template<class... L>
class chained {
    using layout = detail::chain_layout<L...>;
    using links = std::index_sequence_for<L...>;
    template<std::size_t I>
    using link = std::tuple_element_t<I, std::tuple<L...>>;
    static constexpr typename layout::places at = layout::at;
    static constexpr bool reduces_all = layout::all > 0;
    static constexpr bool is_lazy = ((L::sparse == sparse_semantics::lazy) && ...);
    static constexpr bool idles = !is_lazy && ((detail::leaves_absent_rows<L> || moves_absent_rows<L>) || ...);
    // Whether a row that does not occur may still have a gradient at link I, because an earlier link kept one.
    template<std::size_t I>
    static constexpr bool has_kept_gradient() {
        bool const keeps[]{detail::keeps_gradients<L>...};
        return std::find(keeps, keeps + I, true) != keeps + I;
    }

    std::tuple<L...> links_;

public:
    explicit constexpr chained(L const&... l) : links_(l...) {}
    /// Returns a link, by type or by number, to change its hyper-parameters:
    /// `train.rule().get<xg::adam>().learning_rate = 1e-4`.
    template<class Link>
    Link& get() {
        return std::get<Link>(links_);
    }
    template<std::size_t I>
    link<I>& get() {
        return std::get<I>(links_);
    }

    float loss_scale_at(double const* p) const
        requires requires(link<0> const& first, double const* powers) { first.loss_scale_at(powers); }
    {
        return std::get<0>(links_).loss_scale_at(p + at.power[0]);
    }

    static constexpr std::string_view name = layout::name, tf_name = detail::tf_name_among<L...>();
    static constexpr auto slots = layout::slot_list;
    static constexpr auto reductions = layout::reduction_list;
    static constexpr int flops = (0 + ... + flops_of<L>);
    static constexpr bool conditional_members = true;
    static constexpr bool idle_is_linear = (xgrad::idle_is_linear<L> && ...);
    static constexpr dtype variable_type = std::max({dtype::literal, rule_variable_type<L>...});   // one link is a rule
    static constexpr sparse_semantics sparse = is_lazy ? sparse_semantics::lazy : sparse_semantics::exact;
    static constexpr bool keeps_gradients = (detail::keeps_gradients<L> || ...), slots_move_behind = (xgrad::slots_move_behind<L> || ...);

    double slot_init(int slot) const { return init_of(slot, links{}); }
    hyper_complaint complaint() const { return complaint_of(links{}); }
    bool has_functions() const {
        return std::apply([](L const&... l) { return (xgrad::has_functions(l) || ...); }, links_);
    }
    /// Turns each link into its form in the step that it sees.
    hyper_complaint settle_links(std::int64_t step, double const* p) { return settle_each(step, p, links{}); }

    template<class T>
    struct scalars : detail::scalars_of_links<links, T, L...> {
        bool absent = false;   // true for rows that do not occur
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* p, double const* reduced = nullptr) const {
        return prepare_links<T>(step, p, reduced, links{});
    }
    void advance_powers(double* p, std::int64_t step, double const* reduced = nullptr) const { advance_links(p, step, reduced, links{}); }

    template<class T, class V, class... Reduced>
        requires(sizeof...(Reduced) == (layout::stages > 0 ? 1 : 0))
    XGRAD_INLINE static void update(scalars<T> const& s, V& param, V grad, V* slot, Reduced const*... reduced) {
        run<T>(s, param, grad, slot, links{}, reduced...);
    }
    /// In an exact chain, lazy links do not touch the rows that do not occur.
    template<class T>
        requires(idles)
    static scalars<T> absent_row(scalars<T> s) {
        s.absent = true;
        make_absent(s, links{});
        return s;
    }
    /// The scalars for rows with a gradient. With a constant `absent` the compiler omits a branch per batch.
    template<class T>
        requires(idles)
    XGRAD_INLINE static scalars<T> present_row(scalars<T> s) {
        s.absent = false;
        return s;
    }
    template<class T>
        requires(layout::template keeps<per::row>())
    XGRAD_INLINE static void advance_row(scalars<T> const& s, T* slot, T const* reduced) {
        advance_numbers<per::row>(s, slot, reduced, links{});
    }
    template<class T>
        requires(layout::template keeps<per::column>())
    XGRAD_INLINE static void advance_column(scalars<T> const& s, T* slot, T* reduced) {
        advance_numbers<per::column>(s, slot, reduced, links{});
    }
    template<class T>
        requires(layout::template keeps<per::variable>())
    XGRAD_INLINE static void advance_variable(scalars<T> const& s, T* slot, T const* reduced) {
        advance_numbers<per::variable>(s, slot, reduced, links{});
    }
    template<class T, class V>
        requires(layout::stages == 1)
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        add_terms<T, false>(s, param, grad, slot, term, links{});
    }
    template<class T, class V>
        requires(layout::stages > 1)
    XGRAD_INLINE static void terms(scalars<T> const& s, V param, V grad, V const* slot, V const* reduced, V* term) {
        add_terms<T, false>(s, param, grad, slot, term, links{}, reduced);
    }
    template<class T, class V>
        requires(reduces_all)
    XGRAD_INLINE static void optimizer_terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        add_terms<T, true>(s, param, grad, slot, term, links{});
    }

private:
    template<std::size_t... I>
    hyper_complaint complaint_of(std::index_sequence<I...>) const {
        hyper_complaint wrong;
        static_cast<void>(((wrong = check_of(std::get<I>(links_)), wrong.empty()) && ...));
        return wrong;
    }
    template<std::size_t... I>
    hyper_complaint settle_each(std::int64_t step, double const* p, std::index_sequence<I...>) {
        hyper_complaint wrong;
        static_cast<void>(((wrong = settle_one<I>(step, p + at.power[I]), wrong.empty()) && ...));
        return wrong;
    }
    template<std::size_t I>
    hyper_complaint settle_one(std::int64_t& step, double const* p) {
        link<I>& l = std::get<I>(links_);
        hyper_complaint const wrong = settle(l, step, p);
        if constexpr (detail::has_steps<link<I>>)
            if (wrong.empty()) step = l.step_behind(step, p);
        return wrong;
    }
    template<class T, std::size_t... I>
    static void make_absent(scalars<T>& s, std::index_sequence<I...>) {
        (make_link_absent<I>(s), ...);
    }
    template<std::size_t I, class T>
    static void make_link_absent(scalars<T>& s) {
        if constexpr (moves_absent_rows<link<I>> && !has_kept_gradient<I>()) {
            auto& own = static_cast<detail::link_scalars<I, typename link<I>::template scalars<T>>&>(s).value;
            own = link<I>::absent_row(own);
        }
    }
    // Whether link I does nothing to this row.
    template<std::size_t I, class T>
    XGRAD_INLINE static bool passes([[maybe_unused]] scalars<T> const& s) {
        if constexpr (idles && detail::leaves_absent_rows<link<I>> && !has_kept_gradient<I>()) return s.absent;
        else return false;
    }
    template<std::size_t... I>
    double init_of(int slot, std::index_sequence<I...>) const {
        double found = 0;
        (find_init<I>(slot, found), ...);
        return found;
    }
    template<std::size_t I>
    void find_init(int slot, double& found) const {
        constexpr int own = slot_count<link<I>>, powers = power_count<link<I>>;
        int const of_variable = slot - at.slot[I], of_optimizer = slot - layout::slots - at.power[I];
        if (of_variable >= 0 && of_variable < own) found = slot_init_of(std::get<I>(links_), of_variable);
        if (of_optimizer >= 0 && of_optimizer < powers) found = slot_init_of(std::get<I>(links_), own + of_optimizer);
    }
    template<class T, std::size_t... I>
    scalars<T> prepare_links(std::int64_t step, double const* p, double const* reduced, std::index_sequence<I...>) const {
        return {{{prepare_and_count<T, I>(step, p + at.power[I], reduced)}...}, false};   // the braces fix the order
    }
    template<class T, std::size_t I>
    auto prepare_link(std::int64_t step, double const* p, [[maybe_unused]] double const* reduced) const {
        link<I> const& l = std::get<I>(links_);
        if constexpr (optimizer_reductions<link<I>> > 0) {
            if (reduced != nullptr) return l.template prepare<T>(step, p, reduced + at.all[I]);
        }
        return l.template prepare<T>(step, p);
    }
    // `step` becomes the step of the later links.
    template<class T, std::size_t I>
    auto prepare_and_count(std::int64_t& step, double const* p, double const* reduced) const {
        auto const s = prepare_link<T, I>(step, p, reduced);
        if constexpr (detail::has_steps<link<I>>) step = std::get<I>(links_).step_behind(step, p);
        return s;
    }
    template<std::size_t... I>
    void advance_links(double* p, std::int64_t step, double const* reduced, std::index_sequence<I...>) const {
        static_cast<void>((advance_link<I>(p + at.power[I], step, reduced) && ...));
    }
    // Whether the later links are advanced, too.
    template<std::size_t I>
    bool advance_link(double* p, std::int64_t& step, double const* reduced) const {
        link<I> const& l = std::get<I>(links_);
        bool continues = true;
        if constexpr (detail::may_stop<link<I>>) continues = !link<I>::stops(prepare_link<double, I>(step, p, reduced));
        std::int64_t later_step = step;   // of the later links
        if constexpr (detail::has_steps<link<I>>) later_step = l.step_behind(step, p);
        if constexpr (optimizer_reductions<link<I>> > 0) advance_powers_of(l, p, step, reduced + at.all[I]);
        else advance_powers_of(l, p, step);
        step = later_step;
        return continues;
    }
    template<std::size_t I, class S>
    XGRAD_INLINE static bool stops_at([[maybe_unused]] S const& s) {
        if constexpr (detail::may_stop<link<I>>) return link<I>::stops(s);
        else return false;
    }
    template<per Scope, class T, class Reduced, std::size_t... I>
    XGRAD_INLINE static void advance_numbers(scalars<T> const& s, T* slot, Reduced* reduced, std::index_sequence<I...>) {
        static_cast<void>(((advance_numbers_of<Scope, I>(s, slot + at.slot[I], reduced + at.own[I]), !stops_at<I>(of<I, T>(s))) && ...));
    }
    template<per Scope, std::size_t I, class T, class Reduced>
    XGRAD_INLINE static void advance_numbers_of(scalars<T> const& s, T* slot, Reduced* reduced) {
        if constexpr (rule_slots<link<I>>.count_of(Scope) > 0) {
            auto const& own = of<I, T>(s);
            if constexpr (Scope == per::row) {
                if (!passes<I>(s)) link<I>::advance_row(own, slot, reduced);
            } else if constexpr (Scope == per::column) link<I>::advance_column(own, slot, reduced);
            else link<I>::advance_variable(own, slot, reduced);
        }
    }

    template<std::size_t I, class T>
    XGRAD_INLINE static auto const& of(scalars<T> const& s) {
        return static_cast<detail::link_scalars<I, typename link<I>::template scalars<T>> const&>(s).value;
    }
    template<class T, std::size_t I, class V, class... Reduced>
    XGRAD_INLINE static void run_link(scalars<T> const& s, V& param, V& grad, V* slot, Reduced const*... reduced) {
        if (passes<I>(s)) return;
        if constexpr (own_reductions<link<I>> > 0) link<I>::update(of<I, T>(s), param, grad, slot + at.slot[I], (reduced + at.own[I])...);
        else link<I>::update(of<I, T>(s), param, grad, slot + at.slot[I]);
    }
    template<class T, std::size_t I, class V>
    XGRAD_INLINE static void begin_link(scalars<T> const& s, V param, V* slot) {
        if constexpr (requires { link<I>::begin(of<I, T>(s), param, slot); })
            if (!passes<I>(s)) link<I>::begin(of<I, T>(s), param, slot + at.slot[I]);
    }
    template<class T, class V, std::size_t... I, class... Reduced>
    XGRAD_INLINE static void run(scalars<T> const& s, V& param, V grad, V* slot, std::index_sequence<I...>, Reduced const*... reduced) {
        (begin_link<T, I>(s, param, slot), ...);
        static_cast<void>(((run_link<T, I>(s, param, grad, slot, reduced...), !stops_at<I>(of<I, T>(s))) && ...));
    }
    // The contribution of an element to the reductions of the links. Each link sees the element as the earlier links
    // left it.
    template<class T, bool OfAll, class V, std::size_t... I, class... Reduced>
    XGRAD_INLINE static void add_terms(
        scalars<T> const& s, V param, V grad, V const* slot, V* term, std::index_sequence<I...>, Reduced const*... reduced) {
        V own[layout::slots == 0 ? 1 : layout::slots];
        for (int k = 0; k < layout::slots; ++k) own[k] = slot[k];
        (begin_link<T, I>(s, param, own), ...);
        (add_terms_of<T, OfAll, I>(s, param, grad, own, term, reduced...), ...);
    }
    template<class T, bool OfAll, std::size_t I, class V, class... Reduced>
    XGRAD_INLINE static void add_terms_of(scalars<T> const& s, V& param, V& grad, V* slot, V* term, Reduced const*... reduced) {
        constexpr int last = layout::last_that_reduces(OfAll), here = static_cast<int>(I);
        auto const& own = of<I, T>(s);
        V const* const mine = slot + at.slot[I];
        if constexpr (OfAll && optimizer_reductions<link<I>> > 0) link<I>::optimizer_terms(own, param, grad, mine, term + at.all[I]);
        if constexpr (!OfAll && own_reductions<link<I>> > 0) {
            if constexpr (reduction_stages<link<I>> == 1) link<I>::terms(own, param, grad, mine, term + at.own[I]);
            else link<I>::terms(own, param, grad, mine, (reduced + at.own[I])..., term + at.own[I]);
        }
        if constexpr (here < last) run_link<T, I>(s, param, grad, slot, reduced...);
    }
};

/// Makes one rule of several links: transforms, a rule, transforms.
///
///     minimize(loss, chain(clip_by_global_norm(1), decoupled_decay{0.01}, adam{}, ema{0.999}))
///
/// * A step runs the links on each element in the given order, in one loop. Transforms before the rule change the
///   gradient, transforms after it change the new value.
/// * The result can be used like any rule. Its slots are those of the links, in the same order; repeated names get a
///   number.
/// * A table with indexed slices is moved exactly if one of the links is exact, else lazily. `lazy{chain(...)}` moves
///   only the rows that occur.
template<class... L>
[[nodiscard("chain(links...) is a rule, an argument of minimize; alone it does nothing")]] constexpr auto chain(L const&... links) {
    if constexpr (detail::explain_chain<L...>()) return chained<L...>(links...);
    else return detail::refused_rule{};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
