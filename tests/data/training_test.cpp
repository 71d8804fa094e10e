// SPDX-License-Identifier: MIT
// Batches in training: arrays of xtensor, batches bound to inputs, and a run that is saved inside an epoch and continues with the same
// batches.
#include <io/temporary_folder.hpp>
#include <support/message_of.hpp>

#include <xgrad/data/batches.hpp>
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>
#include <xgrad/xtensor.hpp>

#include <doctest/doctest.h>

#if __has_include(<xtensor/containers/xarray.hpp>)
#    include <xtensor/containers/xarray.hpp>
#    include <xtensor/views/xview.hpp>
#else
#    include <xtensor/xarray.hpp>
#    include <xtensor/xview.hpp>
#endif

#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto y = xg::input<"y", float, batch>;
constexpr auto w = xg::variable<"w", float, 3, 1>;
constexpr auto loss = xg::mean(xg::square(xg::squeeze<1>(xg::matmul(x, w)) - y));

struct fixture {
    xt::xarray<float> images = xt::xarray<float>::from_shape({50, 3});
    std::vector<float> labels = std::vector<float>(50);
    xg::batches_options const options{.size = 8, .seed = 11, .name = "rows"};
    temporary_folder const folder;
    std::string const path = (folder.path / "t.safetensors").string();
    fixture() {
        for (std::size_t i = 0; i < 150; ++i) images.data()[i] = static_cast<float>(i * i % 17) / 8 - 1;
        for (std::size_t i = 0; i < 50; ++i) labels[i] = static_cast<float>(i % 7) / 4;
    }
    template<class Train, class Batches>
    std::vector<float> steps(Train& train, Batches& from, int n) const {
        std::vector<float> losses;
        while (n-- > 0) {
            auto const [bx, by] = from.next();
            losses.push_back(train(x = bx, y = by));
        }
        return losses;
    }
};

}   // namespace

TEST_CASE_FIXTURE(fixture, "containers and views of xtensor, bound batch by batch") {
    xt::xtensor<float, 2> const fixed = images;
    auto const part = xt::view(images, xt::range(10, 50), xt::all());
    std::vector<float> const less(labels.begin() + 10, labels.end());
    xg::batches a{options, images, labels}, b{options, fixed, labels};
    xg::batches c{options, part, less}, d{options, xg::array(images.data() + 30, 40, 3), less};
    auto one = xg::minimize(loss, xg::adam{}), other = xg::minimize(loss, xg::adam{});
    CHECK(steps(one, a, 20) == steps(other, b, 20));
    CHECK(steps(one, c, 20) == steps(other, d, 20));
    auto const gaps = xt::view(images, xt::all(), xt::range(0, 2));
    CHECK_THROWS_AS((xg::batches{options, gaps, labels}), xg::binding_error);
}
TEST_CASE_FIXTURE(fixture, "saved inside of an epoch: the restored run has the batches and bits of the other one") {
    auto train = xg::minimize(loss, xg::adam{}), again = xg::minimize(loss, xg::adam{});
    xg::batches all{options, images, labels};
    steps(train, all, 9);
    CHECK(all.epoch() == 1);
    int step = 9;
    for (auto const& [bx, by] : all) {
        train(x = bx, y = by);
        if (++step == 12) {
            xg::save(train, path, {}, all);   // of the batch that follows
            break;
        }
    }
    auto const expected = steps(train, all, 20);
    xg::batches back{{.size = 8, .seed = 99, .name = "rows"}, images, labels};   // the seed is saved too
    back.at(1).next();                                                           // and an order of this epoch by another seed is forgotten
    xg::restore(again, path, back);
    CHECK(back.epoch() == 1);
    CHECK(back.batch() == 5);
    CHECK(back.numbers()[2] == 11);
    CHECK(steps(again, back, 20) == expected);
}
TEST_CASE_FIXTURE(fixture, "a file with a position, restored without batches, says where they go") {
    auto train = xg::minimize(loss, xg::adam{}), again = xg::minimize(loss, xg::adam{});
    xg::batches all{options, images, labels};
    xg::save(train, path, {}, all);
    std::string said;
    try {
        xg::restore(again, path);
    } catch (xg::checkpoint_error const& e) { said = e.what(); }
    CHECK(
        said.find("\"rows/position\" is int64[7] in the file and unknown here; keys, positions of batches and other state follow the path: "
                  "restore(owner, path, batches)") != std::string::npos);
}
TEST_CASE_FIXTURE(fixture, "positions of other batches are refused, and nothing changes") {
    auto train = xg::minimize(loss, xg::adam{});
    xg::batches all{options, images, labels};
    steps(train, all, 3);
    xg::save(train, path, {}, all);
    auto const refused = [&](xg::batches_options const& other, auto const& in, auto const& out) {
        xg::batches b{other, in, out};
        b.at(4, 2);
        auto const before = b.numbers();
        std::string const what = test::message_of<xg::checkpoint_error>([&] { xg::restore(train, path, b); });
        CHECK(b.numbers() == before);
        return what.find(
                   "\"rows/position\" in the file is not a position in batches of this size, this number of rows and this kind of order") !=
               std::string::npos;
    };
    CHECK(refused({.size = 9, .seed = 11, .name = "rows"}, images, labels));
    CHECK(refused({.size = 8, .shuffle = false, .name = "rows"}, images, labels));
    CHECK(refused({.size = 8, .drop_last = true, .name = "rows"}, images, labels));
    CHECK(refused({.size = 8, .name = "rows"}, xg::array(images.data(), 49, 3), xg::array(labels.data(), 49)));
    std::vector<std::int64_t> numbers(7);
    auto const mine = all.numbers();
    auto const taken = [&](std::size_t at, std::int64_t value) {
        numbers.assign(mine.begin(), mine.end());
        numbers[at] = value;
        bool const was = all.assign(numbers);
        if (!was) CHECK(all.numbers() == mine);
        all.assign(mine);
        return was;
    };
    CHECK(taken(0, 5));
    CHECK(taken(1, 6));
    CHECK_FALSE(taken(0, -1));
    CHECK_FALSE(taken(1, -1));
    CHECK_FALSE(taken(1, 7));
    CHECK_FALSE(all.assign(std::span(mine).first(6)));
}
