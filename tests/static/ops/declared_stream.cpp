// SPDX-License-Identifier: MIT
// A stream that is only declared, with a type of the library: one may ask whether it can be printed.
#include <iosfwd>

#include <xgrad/xgrad.hpp>

template<class A>
concept Prints = requires(std::ostream& out, A const& a) { out << a; };
template<class A>
concept Reads = requires(std::istream& in, A& a) { in >> a; };
static_assert(!Prints<xgrad::fixed_string<3>> && !Reads<xgrad::fixed_string<3>>);
