// SPDX-License-Identifier: MIT
// All numbers of a trainer.
#pragma once

#include <xgrad/store/variable_store.hpp>

#include <cstddef>
#include <vector>

namespace test {
/// The variables of a trainer of floats, one after the other.
template<class Train>
std::vector<float> variables(Train const& train) {
    std::vector<float> all;
    for (auto const& v : train.store().variables()) {
        auto const* const first = static_cast<float const*>(v.data);
        all.insert(all.end(), first, first + v.size);
    }
    return all;
}
/// Of a trainer of floats whose slots are per element: variables, then slots.
template<class Train>
std::vector<float> state(Train const& train) {
    std::vector<float> all = variables(train);
    for (auto const& s : train.optimizer().all())
        for (int k = 0; k < s.slot_count; ++k) {
            auto const* const first = static_cast<float const*>(s.slots[k]);
            all.insert(all.end(), first, first + train.store().variables().at[s.variable].size);
        }
    return all;
}
/// The bytes of all variables.
inline std::vector<std::byte> bytes_of(xgrad::variable_store const& store) {
    std::vector<std::byte> all;
    for (auto const& v : store.variables()) {
        auto const* const first = static_cast<std::byte const*>(v.data);
        all.insert(all.end(), first, first + xgrad::part_of(v).bytes());
    }
    return all;
}
/// The bytes of all variables, slots of any type and scope, scalars of the rules, and the step.
template<class Train>
std::vector<std::byte> bytes_of(Train const& train) {
    std::vector<std::byte> all = bytes_of(train.store());
    auto const add = [&](void const* p, std::size_t bytes) {
        auto const* const first = static_cast<std::byte const*>(p);
        all.insert(all.end(), first, first + bytes);
    };
    for (auto const& s : train.optimizer().all())
        for (int k = 0; k < s.slot_count; ++k) {
            auto const part = xgrad::part_of(s, k, train.store().variables().at[s.variable]);
            add(part.data, part.bytes());
        }
    for (double const p : train.optimizer().powers) add(&p, sizeof p);
    add(&train.optimizer().global_step, sizeof(std::int64_t));
    return all;
}
}   // namespace test
