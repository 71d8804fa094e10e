// SPDX-License-Identifier: MIT
// Arrays converted, padded, rotated, repeated and transposed, each next to a hand-written loop.
#include "hand/arrays.hpp"
#include "operations.hpp"

#include <xgrad/all.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using bench::operation;
using bench::read;
using floats = hand::buffer<float>;

void image(bench::suite& suite) {
    constexpr int n = 224 * 224 * 3;
    constexpr auto x = xg::input<"x", std::uint8_t, 224, 224, 3>;
    hand::buffer<std::uint8_t> bytes(n);
    for (int i = 0; i < n; ++i) bytes[i] = static_cast<std::uint8_t>(hand::uniform(1, 0, std::uint64_t(i)) * 256);
    floats y(n);
    xg::function f{xg::cast<float>(x) * 0.0039215686_c};
    operation(
        suite, "cast of an image of bytes to float, scaled", 1e-6, y, [&] { return f(x = xg::array(read(bytes), 224, 224, 3)); },
        [&] { hand::floats_of_bytes(bytes, y, 0.0039215686f, n); });
}
template<int M, int N>
void shapes(bench::suite& suite) {
    constexpr auto x = xg::input<"x", float, M, N>;
    floats const values = bench::numbers(M * N, 1);
    std::string const size = std::to_string(M) + " x " + std::to_string(N);
    auto const row = [&](std::string const& name, floats const& y, auto const& e, auto const& theirs) {
        xg::function f{e};
        operation(
            suite, name + ", " + size, 0, y, [&] { return f(x = xg::array(read(values), M, N)); }, theirs);
    };
    floats same(M * N), wider((M + 2) * (N + 2)), twice(M * N * 2);
    row("pad<1, 1> of both axes", wider, xg::pad<1, 1, 0>(xg::pad<1, 1, 1>(x)), [&] { hand::padded(values, wider, M, N, 1); });
    row("roll<5, 1>", same, xg::roll<5, 1>(x), [&] { hand::rotated_rows(values, same, M, N, 5); });
    row("tile<2, 1>", twice, xg::tile<2, 1>(x), [&] { hand::repeated_rows(values, twice, M, N, 2); });
    row("transpose", same, xg::transpose(x), [&] { hand::transposed_matrix(values, same, M, N); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "Arrays of other types and shapes");
    image(suite);
    shapes<64, 64>(suite);
    shapes<256, 256>(suite);
    shapes<1024, 1024>(suite);
    return suite.finish();
}
