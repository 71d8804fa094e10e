// SPDX-License-Identifier: MIT
// The places of the slots and reductions of each link among those of the chain.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/optim/rule.hpp>

#include <utility>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The link multiplies a gradient by a number. Single slices and their sum get the same factor.
template<class Link>
inline constexpr bool scales_gradients = requires { Link::scales_gradients; };
/// The link has slots of a variable that are not per element.
template<class Link>
inline constexpr bool keeps_numbers = rule_slots<Link>.count_of(per::element) != slot_count<Link>;

/// Whether a link of the second kind comes after one of the first kind.
template<std::size_t N>
constexpr bool comes_after(bool const (&first)[N], bool const (&second)[N]) {
    bool any = false, wrong = false;
    for (std::size_t k = 0; k < N; ++k) {
        wrong = wrong || (any && second[k]);
        any = any || first[k];
    }
    return wrong;
}

/// Slots of a variable come first, link by link, then slots of the optimizer. Reductions have the same order.
template<class... L>
struct chain_layout {
    static constexpr std::size_t links = sizeof...(L);
    static constexpr int slots = (0 + ... + slot_count<L>), powers = (0 + ... + power_count<L>);
    static constexpr int own = (0 + ... + own_reductions<L>), all = (0 + ... + optimizer_reductions<L>);
    struct places {
        int slot[links], power[links], own[links], all[links], stage[links];
    };
    /// 1 if the first stage moves slots that are not per element and that no reductions of their link move. Later
    /// reductions then see them like the update.
    static constexpr int first_stage = comes_after({(keeps_numbers<L> && own_reductions<L> == 0)...}, {(own_reductions<L> > 0)...}) ? 1 : 0;
    static constexpr places at = [] {
        int const slot[]{slot_count<L>...}, power[]{power_count<L>...}, own_count[]{own_reductions<L>...},
            all_count[]{optimizer_reductions<L>...};
        int const stages[]{(own_reductions<L> > 0 ? reduction_stages<L> : 0)...};
        places p{}, next{};
        next.stage[0] = first_stage;
        for (std::size_t k = 0; k < links; ++k) {
            p.slot[k] = std::exchange(next.slot[0], next.slot[0] + slot[k]);
            p.power[k] = std::exchange(next.power[0], next.power[0] + power[k]);
            p.own[k] = std::exchange(next.own[0], next.own[0] + own_count[k]);
            p.all[k] = std::exchange(next.all[0], next.all[0] + all_count[k]);
            p.stage[k] = std::exchange(next.stage[0], next.stage[0] + stages[k]);
        }
        return p;
    }();
    /// Stages of the reductions of one variable. Those of a link come after those of the earlier links.
    static constexpr int stages = (first_stage + ... + (own_reductions<L> > 0 ? reduction_stages<L> : 0));
    /// The last link with reductions of one variable, or with `of_all` over all variables; -1 if there is no such link.
    static constexpr int last_that_reduces(bool of_all) {
        int const counts[]{(of_all ? optimizer_reductions<L> : own_reductions<L>)...};
        int last = -1;
        for (int k = 0; k < static_cast<int>(links); ++k)
            if (counts[k] > 0) last = k;
        return last;
    }
    template<per Scope>
    static constexpr bool keeps() {
        return ((rule_slots<L>.count_of(Scope) > 0) || ...);
    }
    /// `chain(clip_by_value,adam)`.
    static constexpr auto name_text = [] {
        constexpr std::size_t length = (L::name.size() + ...) + links + 6;
        std::array<char, length> text{};
        std::size_t n = 0;
        auto const add = [&](std::string_view part) {
            for (char c : part) text[n++] = c;
        };
        add("chain");
        std::size_t k = 0;
        ((add(k++ == 0 ? "(" : ","), add(L::name)), ...);
        add(")");
        return text;
    }();
    static constexpr std::string_view name{name_text.data(), name_text.size()};

private:
    template<class Info, std::size_t... I>
    static constexpr std::array<Info, sizeof...(I)> filled(Info const& with, std::index_sequence<I...>) {
        return {(static_cast<void>(I), with)...};
    }
    template<int N, class Info>
    static constexpr auto list_of(Info const& with) {
        return filled(with, std::make_index_sequence<static_cast<std::size_t>(N)>{});
    }
    static constexpr auto declared_slots = [] {
        auto list = list_of<slots + powers>(slot_info(""));
        std::size_t n = 0;
        auto const add = [&](declared_list<slot_info> const& infos, bool of_optimizer) {
            for (slot_info const& s : infos)
                if ((s.scope == per::optimizer) == of_optimizer) list[n++] = s;
        };
        (add(rule_slots<L>, false), ...);
        (add(rule_slots<L>, true), ...);
        return list;
    }();
    /// A repeated name gets a number, as in TensorFlow.
    struct numbered {
        char text[48]{};
        int length = 0;
    };
    static constexpr auto slot_names = [] {
        auto names = list_of<slots + powers>(numbered{});
        for (std::size_t k = 0; k < names.size(); ++k) {
            int twins = 0;
            for (std::size_t i = 0; i < k; ++i) twins += declared_slots[i].name == declared_slots[k].name;
            for (char c : declared_slots[k].name) names[k].text[names[k].length++] = c;
            if (twins == 0) continue;
            names[k].text[names[k].length++] = '_';
            names[k].text[names[k].length++] = static_cast<char>('0' + twins);
        }
        return names;
    }();

public:
    static constexpr auto slot_list = [] {
        auto list = declared_slots;
        for (std::size_t k = 0; k < list.size(); ++k)
            list[k].name = std::string_view(slot_names[k].text, static_cast<std::size_t>(slot_names[k].length));
        return list;
    }();
    static constexpr auto reduction_list = [] {
        auto list = list_of<own + all>(reduction_info(per::variable));
        std::size_t n = 0, link = 0;
        bool const scales[]{scales_gradients<L>...};
        bool as_it_is = true;   // true while the earlier links treat single slices like their sum
        auto const add = [&](declared_list<reduction_info> const& infos, bool of_optimizer) {
            for (reduction_info const& r : infos)
                if ((r.scope == per::optimizer) == of_optimizer) {
                    list[n] = r;
                    list[n].each_slice = r.each_slice && as_it_is;
                    list[n++].stage += of_optimizer ? 0 : at.stage[link];
                }
            as_it_is = as_it_is && scales[link];
            ++link;
        };
        (add(rule_reductions<L>, false), ...);
        link = 0;
        as_it_is = true;
        (add(rule_reductions<L>, true), ...);
        return list;
    }();
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
