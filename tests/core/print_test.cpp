// SPDX-License-Identifier: MIT
// Arrays as text and as containers.
#include <xgrad/core/arrays/array.hpp>
#include <xgrad/core/arrays/half.hpp>
#include <xgrad/data/batches.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <numeric>
#include <sstream>
#include <vector>

namespace xg = xgrad;

template<class T>
static std::string text(T const& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}
template<class T = float>
static std::vector<T> count_to(int n) {
    std::vector<T> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), T(0));
    return numbers;
}

TEST_CASE("arrays are printed as NumPy prints them") {
    auto const a = count_to(24);
    CHECK(text(xg::array(a.data(), 3)) == "[0, 1, 2]");
    CHECK(text(xg::array(a.data(), 2, 3)) == "[[0, 1, 2],\n [3, 4, 5]]");
    CHECK(text(xg::array(a.data(), 2, 2, 2)) == "[[[0, 1],\n  [2, 3]],\n\n [[4, 5],\n  [6, 7]]]");
    CHECK(text(xg::array(a.data(), 1, 1)) == "[[0]]");
    CHECK(text(xg::array(a.data() + 7)) == "7");
    float const numbers[] = {0.5f, -1e-8f, 1e20f};
    CHECK(text(xg::array(numbers, 3)) == "[0.5, -1e-08, 1e+20]");
}
TEST_CASE("numbers of a byte are numbers, and those of 16 bits too") {
    std::int8_t const bytes[] = {65, -1};
    CHECK(text(xg::array(bytes, 2)) == "[65, -1]");
    bool const truths[] = {true, false};
    CHECK(text(xg::array(truths, 2)) == "[1, 0]");
    xg::bfloat16 const halves[] = {xg::bfloat16(1.5f)};
    CHECK(text(xg::array(halves, 1)) == "[1.5]");
}
TEST_CASE("of more than 1000 elements the ends are shown") {
    auto const a = count_to(3000);
    CHECK(text(xg::array(a.data(), 1001)) == "[0, 1, 2, ..., 998, 999, 1000]");
    CHECK(text(xg::array(a.data(), 1000)).find("...") == std::string::npos);
    CHECK(text(xg::array(a.data(), 2, 600)) == "[[0, 1, 2, ..., 597, 598, 599],\n [600, 601, 602, ..., 1197, 1198, 1199]]");
    CHECK(text(xg::array(a.data(), 1000, 2)) == "[[0, 1],\n [2, 3],\n [4, 5],\n ...,\n [1994, 1995],\n [1996, 1997],\n [1998, 1999]]");
    CHECK(text(xg::array(a.data(), 0, 5)) == "[] of shape [0, 5]");
}
TEST_CASE("batches are printed too") {
    auto const a = count_to(6);
    xg::batches all{{.size = 2, .shuffle = false}, xg::array(a.data(), 3, 2)};
    auto const [b] = all.next();
    CHECK(text(b) == "[[0, 1],\n [2, 3]]");
}
TEST_CASE("all elements in a container") {
    auto const a = count_to(6);
    std::vector<float> const copy = xg::array(a.data(), 2, 3);
    CHECK(copy == a);
    std::deque<float> const others = xg::array(a.data(), 2);
    CHECK(others == std::deque<float>{0, 1});
    static_assert(!std::is_convertible_v<xg::tensor_view<float, 1>, std::vector<double>>);
}
