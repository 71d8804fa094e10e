// SPDX-License-Identifier: MIT
// All numbers of a trainer of floats.
#pragma once

#include <vector>

namespace test {
/// Variables, then slots.
template<class Train>
std::vector<float> state(Train const& train) {
    std::vector<float> all;
    auto const add = [&](auto const& v, void* p) { all.insert(all.end(), static_cast<float*>(p), static_cast<float*>(p) + v.size); };
    for (auto const& v : train.store().variables()) add(v, v.data);
    for (auto const& s : train.optimizer().all())
        for (int k = 0; k < s.slot_count; ++k) add(train.store().variables().at[s.variable], s.slots[k]);
    return all;
}
}   // namespace test
