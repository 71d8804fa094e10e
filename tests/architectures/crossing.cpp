// SPDX-License-Identifier: MIT
// Hands a trainer to a function: TAKES defines it, otherwise this is the program that calls it.
#include "subject.hpp"

std::int64_t take(subject& train);

#ifdef TAKES
std::int64_t take(subject& train) { return train.global_step(); }
#else
int main() {
    auto train = regression::make();
    return static_cast<int>(take(train));
}
#endif
