// SPDX-License-Identifier: MIT
// Hands an object of xgrad to a function: TAKES defines it, otherwise this is the program that calls it.
#include "subject.hpp"

int take(subject const& object);

#ifdef TAKES
int take(subject const& object) { return static_cast<int>(object.what()[0]); }
#else
int main() { return take(subject("a")) == 'a' ? 0 : 1; }
#endif
