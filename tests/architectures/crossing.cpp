// SPDX-License-Identifier: MIT
// Hands an object of xgrad to a function: TAKES defines it, otherwise this is the program that calls it.
#include "subject.hpp"

std::int64_t take(subject& owner);

#ifdef TAKES
std::int64_t take(subject& owner) { return owner.store().steps; }
#else
int main() {
    auto owner = make_subject();
    return static_cast<int>(take(owner));
}
#endif
