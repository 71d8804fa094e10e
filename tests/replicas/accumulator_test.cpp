// SPDX-License-Identifier: MIT
// Conditional accumulators: the numbered cases of TensorFlow's behaviour, errors that change nothing, and TensorFlow's own traces.
#include <support/message_of.hpp>

#include <xgrad/replicas/accumulators/sparse_conditional_accumulator.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace std::chrono_literals;

namespace {
using numbers = std::vector<float>;
using ids = std::vector<std::int64_t>;
template<class T>
std::vector<T> all(std::span<T const> s) {
    return {s.begin(), s.end()};
}
template<class T>
std::vector<T> all(xg::dense_gradient<T> const& g) {
    return {g.begin(), g.end()};
}
/// An array of any shape.
struct block {
    std::vector<std::int64_t> extents;
    numbers values;
    block(std::vector<std::int64_t> shape, float value = 1) : extents(std::move(shape)) {
        std::size_t n = 1;
        for (auto e : extents) n *= static_cast<std::size_t>(e);
        values.assign(n, value);
    }
    std::vector<std::int64_t> const& shape() const { return extents; }
    std::size_t size() const { return values.size(); }
    float const* data() const { return values.data(); }
    float const* begin() const { return values.data(); }
    float const* end() const { return begin() + values.size(); }
};
using test::message_of;
}   // namespace

TEST_CASE("D1, D2: the mean or the sum of what has come, gradients computed at later steps among it") {
    for (auto [how, first, second] : {std::tuple{xg::reduction::mean, 15.f, 25.f}, {xg::reduction::sum, 30.f, 50.f}}) {
        xg::conditional_accumulator<float> sums({.shape = {1}, .reduction = how});
        CHECK(sums.apply_grad(numbers{10}, 0));
        CHECK(sums.apply_grad(numbers{20}, 0));
        CHECK(all(sums.take_grad(1)) == numbers{first});
        CHECK(sums.apply_grad(numbers{20}, 1));
        CHECK(sums.apply_grad(numbers{30}, 1));
        CHECK(all(sums.take_grad(1)) == numbers{second});
        CHECK(sums.global_step() == 2);
    }
}
TEST_CASE("D3, D15: what is stale is dropped, whatever its shape") {
    xg::conditional_accumulator<float> sums({.shape = {2}});
    sums.apply_grad(numbers{1, 2});
    sums.take_grad(1);
    CHECK_FALSE(sums.apply_grad(numbers{1, 2}, 0));
    CHECK_FALSE(sums.apply_grad(numbers{1, 2, 3}, 0));
    CHECK(sums.num_accumulated() == 0);
    xg::sparse_conditional_accumulator<float> rows({.shape = {2, 2}});
    rows.apply_grad(ids{0}, block{{1, 2}});
    rows.take_grad(1);
    CHECK_FALSE(rows.apply_grad(ids{7}, block{{3, 3}}, 0));
    CHECK(rows.num_accumulated() == 0);
}
TEST_CASE("D6: a take gets all that has come") {
    xg::conditional_accumulator<float> sums;
    sums.apply_grad(1.f);
    sums.apply_grad(2.f);
    CHECK(sums.num_accumulated() == 2);
    CHECK(all(sums.take_grad(2)) == numbers{1.5f});
    CHECK(sums.num_accumulated() == 0);
    for (float g : {1.f, 2.f, 3.f, 6.f}) sums.apply_grad(g, 1);
    auto const mean = sums.take_grad(2);
    CHECK(all(mean) == numbers{3});
    CHECK(mean.shape().empty());
    CHECK(sums.num_accumulated() == 0);
}
TEST_CASE("D7: a number below 1") {
    xg::conditional_accumulator<float> sums({.name = "w1"});
    sums.apply_grad(1.f);
    for (int n : {0, -1})
        CHECK(message_of<xg::value_error>([&] { sums.take_grad(n); }) ==
              "xgrad: accumulator \"w1\".take_grad(" + std::to_string(n) + "): the number of gradients must be positive");
    CHECK(sums.num_accumulated() == 1);
    CHECK(sums.global_step() == 0);
}
TEST_CASE("D9 to D11: TensorFlow's merge of indices as they come") {
    xg::sparse_conditional_accumulator<float> rows;
    rows.apply_grad(ids{2, 0}, numbers{1, 10});
    rows.apply_grad(ids{0, 2}, numbers{100, 1000});
    auto taken = rows.take_grad(1);
    CHECK(all(taken.indices()) == ids{0, 2, 0});
    CHECK(all(taken.values()) == numbers{100, 500.5f, 10});
    for (bool pair_first : {true, false}) {
        rows.apply_grad(pair_first ? ids{1, 1} : ids{1}, pair_first ? numbers{2, 4} : numbers{6}, 9);
        rows.apply_grad(pair_first ? ids{1} : ids{1, 1}, pair_first ? numbers{6} : numbers{2, 4}, 9);
        rows.take_grad(2, taken);
        CHECK(all(taken.indices()) == ids{1, 1});
        CHECK(all(taken.values()) == numbers{4, 4});
    }
}
TEST_CASE("sorting and summing first gives each row the mean over the gradients that had it") {
    xg::sparse_conditional_accumulator<float> rows({.sort_and_sum = true});
    rows.apply_grad(ids{2, 0, 2}, numbers{1, 10, 3});
    rows.apply_grad(ids{0, 1, 1}, numbers{100, 5, 6});
    auto const taken = rows.take_grad(2);
    CHECK(all(taken.indices()) == ids{0, 1, 2});
    CHECK(all(taken.values()) == numbers{55, 11, 4});
}
TEST_CASE("D13: the shape of the whole tensor as far as it is known") {
    auto const shape_of = [](xg::partial_shape const& declared, std::vector<std::int64_t> row) {
        xg::sparse_conditional_accumulator<float> rows({.shape = declared});
        row.insert(row.begin(), 1);
        rows.apply_grad(ids{0}, block{row});
        return all(rows.take_grad(1).dense_shape());
    };
    CHECK(shape_of({2, -1}, {2, 2, 2}) == ids{2, 2, 2, 2});
    CHECK(shape_of({-1, 2}, {2, 2, 3}) == ids{-1, 2, 2, 3});
    CHECK(shape_of({}, {4, 1, 1}) == ids{-1, 4, 1, 1});
}
TEST_CASE("D14 and the other refusals of slices: a sentence, and nothing has been changed") {
    xg::sparse_conditional_accumulator<float> rows({.name = "table", .shape = {2, 2, -1}});
    auto const start = std::string("xgrad: accumulator \"table\".apply_grad: ");
    auto const refused = [&]<class Error>(std::type_identity<Error>, auto const&... arguments) {
        auto const text = message_of<Error>([&] { rows.apply_grad(arguments...); });
        CHECK(text.starts_with(start));
        CHECK(rows.num_accumulated() == 0);
        return text.substr(start.size() < text.size() ? start.size() : 0);
    };
    constexpr std::type_identity<xg::shape_error> shape;
    block const good{{1, 2, 3}};
    CHECK(refused(shape, ids{0}, good, 0, xg::dense_shape{2, 2}) == "shape mismatch: expected at least rank 3, got the shape [2, 2]");
    CHECK(refused(shape, ids{0}, good, 0, xg::dense_shape{2, 3, 2}) == "shape mismatch: expected [2, 2, ?], got the shape [2, 3, 2]");
    CHECK(refused(std::type_identity<xg::value_error>{}, ids{3}, good) ==
          "shape mismatch: index 3 of slice 0 is not below 2, the first extent of the shape");
    CHECK(refused(shape, ids{0}, block{{1, 2}}) == "shape mismatch: expected rows of [2, 2, ?], got values [1, 2]");
    CHECK(refused(shape, ids{0}, block{{1, 3, 3}}) == "shape mismatch: expected rows of [2, 2, ?], got values [1, 3, 3]");
    CHECK(refused(shape, ids{0, 1}, good) == "there are 2 indices and 1 rows of values");
    std::int64_t const square[2][1]{{0}, {1}};
    CHECK(refused(shape, square, block{{2, 2, 3}}) == "indices must be a vector, but have rank 2");
    CHECK(refused(shape, ids{0}, 1.f) == "values must be rows, but are a number");
    CHECK(refused(std::type_identity<xg::value_error>{}, ids{0}, good, 0, xg::dense_shape{}, 1) == "there is no worker 1 among 1");
    rows.apply_grad(ids{0}, block{{1, 2, 3}, 5.f});
    CHECK(message_of<xg::shape_error>([&] {
        rows.apply_grad(ids{1}, block{{1, 2, 4}});
    }) == start + "shape mismatch: expected values [?, 2, 3] as those before, got [1, 2, 4]");
    CHECK(message_of<xg::shape_error>([&] {
        rows.apply_grad(ids{1}, block{{1, 2, 3, 1}});
    }) == start + "shape mismatch: expected values [?, 2, 3] as those before, got [1, 2, 3, 1]");
    CHECK(rows.num_accumulated() == 1);
    rows.apply_grad(std::vector<std::int32_t>{-1}, block{{1, 2, 3}, 7.f});   // TensorFlow does not look at negative ones
    auto const taken = rows.take_grad(2);
    CHECK(all(taken.indices()) == ids{-1, 0});
    CHECK(all(taken.values()) == numbers{7, 7, 7, 7, 7, 7, 5, 5, 5, 5, 5, 5});
    CHECK(all(taken.row(1)) == numbers(6, 5.f));
}
TEST_CASE("dense shapes: declared ones, and those of the gradients since the last take") {
    xg::conditional_accumulator<float> sums({.name = "w", .shape = {-1, 2}});
    CHECK(message_of<xg::shape_error>([&] {
        sums.apply_grad(block{{3, 3}});
    }) == "xgrad: accumulator \"w\".apply_grad: shape mismatch: expected [?, 2], got [3, 3]");
    CHECK(message_of<xg::shape_error>([&] {
        sums.apply_grad(block{{1, 1, 1, 1, 1, 1, 2}});
    }) == "xgrad: accumulator \"w\".apply_grad: shape mismatch: expected [?, 2], got of rank 7");
    sums.apply_grad(block{{3, 2}, 1.f});
    CHECK(message_of<xg::shape_error>([&] {
        sums.apply_grad(block{{4, 2}});
    }) == "xgrad: accumulator \"w\".apply_grad: shape mismatch: expected [3, 2], got [4, 2]");
    sums.apply_grad(block{{3, 2}, 2.f});
    auto mean = sums.take_grad(2);
    CHECK(all(mean.shape()) == ids{3, 2});
    CHECK(all(mean) == numbers(6, 1.5f));
    sums.apply_grad(block{{5, 2}, 4.f}, 1);   // after a take the first one says
    sums.take_grad(1, mean);
    CHECK(all(mean.shape()) == ids{5, 2});
    CHECK(all(mean) == numbers(10, 4.f));
    xg::conditional_accumulator<float> any;
    any.apply_grad(block{{0, 3}});
    CHECK(all(any.take_grad(1).shape()) == ids{0, 3});
    CHECK(message_of<xg::value_error>([] { xg::conditional_accumulator<float> none({.name = "n", .workers = 0}); }) ==
          "xgrad: accumulator \"n\": the number of workers must be positive, but is 0");
}
TEST_CASE("D17: a step that is set: backwards too, and what has come stays") {
    xg::conditional_accumulator<float> sums;
    sums.apply_grad(3.f);
    sums.set_global_step(10);
    CHECK(sums.num_accumulated() == 1);
    CHECK_FALSE(sums.apply_grad(4.f, 9));
    CHECK(all(sums.take_grad(1)) == numbers{3});
    CHECK(sums.global_step() == 11);
    sums.set_global_step(2);
    CHECK(sums.apply_grad(4.f, 2));
}
TEST_CASE("sums of several workers are added in their order, whatever the order of arrival") {
    for (int n : {1, 3, 64, 70}) {
        std::vector<numbers> gradients;
        numbers expected(7, 0.f);
        for (int w = 0; w < n; ++w) {
            numbers g;
            for (int i = 0; i < 7; ++i) g.push_back(static_cast<float>((w * 37 + i * 11) % 97) / 31.f);
            for (std::size_t i = 0; i < 7; ++i) expected[i] = w == 0 ? g[i] : expected[i] + g[i];
            gradients.push_back(g);
        }
        for (float& e : expected) e /= static_cast<float>(n);
        for (int turn : {1, n - 1}) {
            xg::conditional_accumulator<float> sums({.workers = n});
            for (int k = 0; k < n; ++k) {
                int const w = turn > 1 ? n - 1 - k : k;
                sums.apply_grad(gradients[static_cast<std::size_t>(w)], 0, w);
            }
            CHECK(all(sums.take_grad(n)) == expected);
        }
    }
    xg::sparse_conditional_accumulator<float> rows({.workers = 3});
    rows.apply_grad(ids{0, 4}, numbers{8, 2}, 0, {}, 2);
    rows.apply_grad(ids{4}, numbers{4}, 0, {}, 0);
    rows.apply_grad(ids{1}, numbers{1}, 0, {}, 2);
    auto const taken = rows.take_grad(3);
    CHECK(all(taken.indices()) == ids{0, 1, 4});
    CHECK(all(taken.values()) == numbers{8, 1, 3});
}
TEST_CASE("workers that join have sums behind those of the others, also in rounds that were there before") {
    auto const in_order = [](std::vector<float> const& all) {   // big and small, so that the order shows
        float sum = all[0];
        for (std::size_t k = 1; k < all.size(); ++k) sum += all[k];
        return sum / static_cast<float>(all.size());
    };
    xg::conditional_accumulator<float> sums({.shape = {1}, .workers = 2});
    xg::dense_gradient<float> out;
    auto const give = [&](float value, int worker) { CHECK(sums.apply_grad(std::vector<float>{value}, sums.global_step(), worker)); };
    std::vector<float> const values{1e8f, 1.f, -1e8f, 3.f};
    for (int workers = 2; workers <= 4; ++workers) {
        for (int round = 0; round < 3; ++round) {
            for (int k = workers - 1; k >= 0; --k) give(values[static_cast<std::size_t>(k)], k);
            sums.take_grad(workers, out);
            CHECK(out[0] == in_order({values.begin(), values.begin() + workers}));
        }
        CHECK(test::message_of<xg::value_error>([&] { sums.apply_grad(std::vector<float>{1}, 0, workers); }) ==
              "xgrad: accumulator \"gradient\".apply_grad: there is no worker " + std::to_string(workers) + " among " +
                  std::to_string(workers));
        CHECK(sums.add_worker() == workers);
    }
}
TEST_CASE("long gradients: whole batches and what is left") {
    for (std::int64_t n : {1, 15, 16, 63, 64, 65, 200, 1027}) {
        xg::conditional_accumulator<double> sums({.workers = 2});
        std::vector<double> a, b, mean;
        for (std::int64_t i = 0; i < n; ++i) {
            a.push_back(1.0 / static_cast<double>(i + 3));
            b.push_back(static_cast<double>(i * i) / 7);
            mean.push_back((a.back() + b.back() + b.back()) / 3);
        }
        sums.apply_grad(a, 0, 0);
        sums.apply_grad(b, 0, 0);
        sums.apply_grad(b, 0, 1);
        CHECK(all(sums.take_grad(3)) == mean);
    }
}

namespace {
template<class T>
std::vector<T> read(std::istream& in, std::size_t n) {
    std::vector<T> v;
    for (std::string word; v.size() < n && in >> word;) v.push_back(static_cast<T>(std::strtod(word.c_str(), nullptr)));
    REQUIRE(v.size() == n);
    return v;
}
/// One event of a trace; returns whether there was something to compare.
template<class T>
void replay(std::istream& line, std::size_t length, xg::conditional_accumulator<T>& sums) {
    std::string event, equals;
    std::int64_t number = 0, count = -1;
    line >> event >> number;
    if (event == "step") return sums.set_global_step(number);
    if (event == "apply") {
        auto const g = read<T>(line, length);
        sums.apply_grad(g, number);
        line >> equals >> count;
        CHECK(sums.num_accumulated() == count);
        return;
    }
    line >> equals;
    CHECK(all(sums.take_grad(number, {.timeout = 0s})) == read<T>(line, length));
}
template<class T>
void replay(std::istream& line, std::size_t length, xg::sparse_conditional_accumulator<T>& sums) {
    std::string event, equals;
    std::int64_t number = 0, count = -1;
    std::size_t n = 0;
    line >> event >> number;
    if (event == "step") return sums.set_global_step(number);
    if (event == "apply") {
        line >> n;
        auto const indices = read<std::int64_t>(line, n);
        auto const values = read<T>(line, n * length);
        sums.apply_grad(indices, xg::array(values.data(), n, length), number);
        line >> equals >> count;
        CHECK(sums.num_accumulated() == count);
        return;
    }
    line >> equals >> n;
    auto const taken = sums.take_grad(number, {.timeout = 0s});
    CHECK(all(taken.indices()) == read<std::int64_t>(line, n));
    CHECK(all(taken.values()) == read<T>(line, n * length));
}
template<class A>
std::function<void(std::istream&)> machine(std::size_t length, xg::reduction how) {
    return [length, sums = std::make_shared<A>(typename A::options_type{.reduction = how})](
               std::istream& line) { replay(line, length, *sums); };
}
}   // namespace
TEST_CASE("TensorFlow's traces, to the bit") {
    std::ifstream file(XGRAD_TEST_DATA "/accumulators.txt");
    std::function<void(std::istream&)> event;
    int traces = 0, events = 0;
    for (std::string text; std::getline(file, text);) {
        std::istringstream line(text);
        if (text[0] != 'd' && !text.starts_with("sp")) {
            ++events;
            CAPTURE(text);
            event(line);
            continue;
        }
        std::string kind, type, reduction;
        std::size_t length = 0;
        line >> kind >> type >> reduction >> length;
        auto const how = reduction == "mean" ? xg::reduction::mean : xg::reduction::sum;
        if (kind == "dense" && type == "float") event = machine<xg::conditional_accumulator<float>>(length, how);
        else if (kind == "dense") event = machine<xg::conditional_accumulator<double>>(length, how);
        else if (type == "float") event = machine<xg::sparse_conditional_accumulator<float>>(length, how);
        else event = machine<xg::sparse_conditional_accumulator<double>>(length, how);
        ++traces;
    }
    CHECK(traces == 48);
    CHECK(events > 900);
}
TEST_CASE("a worker that is removed: what it has given counts, and it gives nothing more") {
    xg::conditional_accumulator<float> sums({.name = "w", .workers = 2});
    sums.apply_grad(std::vector<float>{1, 2}, 0, 0);
    sums.apply_grad(std::vector<float>{3, 6}, 0, 1);
    sums.remove_worker(1);
    auto const refused = "xgrad: accumulator \"w\".apply_grad: worker 1 has been removed";
    CHECK(test::message_of<xg::value_error>([&] { sums.apply_grad(std::vector<float>{1, 2}, 0, 1); }) == refused);
    CHECK(sums.take_grad(2)[1] == 4);
    CHECK(test::message_of<xg::value_error>([&] { sums.apply_grad(std::vector<float>{1, 2}, 1, 1); }) == refused);
    CHECK(sums.add_worker() == 2);
    sums.apply_grad(std::vector<float>{5, 6}, 1, 2);
    sums.remove_worker(0);
    CHECK(sums.take_grad(1)[0] == 5);
    CHECK_THROWS_AS(sums.remove_worker(0), xg::value_error);
}
