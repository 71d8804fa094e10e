// SPDX-License-Identifier: MIT
// A model as a header. The written text equals exported_model.hpp in this folder, which is compiled here and gives the same bits.
#include <xgrad/io/export_header.hpp>
#include <xgrad/xgrad.hpp>

#include "exported_model.hpp"
#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>

#include <doctest/doctest.h>

#include <support/trainer_state.hpp>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

namespace xg = xgrad;

namespace {

constexpr auto w = xg::variable<"hidden/w", float, 2, 3>;
constexpr auto keyword = xg::variable<"float", double, 3>;
constexpr auto collision = xg::variable<"hidden_w", float>;
constexpr auto digits = xg::non_trainable<"2 \"ways\"", std::int32_t, 2>;
constexpr auto large = xg::non_trainable<"/large", std::int64_t, 2>;
constexpr auto truth = xg::non_trainable<"truth", bool, 3>;
constexpr auto low = xg::variable<"low", xg::bfloat16, 2>;
constexpr auto half = xg::variable<"half", xg::float16, 2>;
constexpr auto i8 = xg::non_trainable<"i8", std::int8_t, 2>;
constexpr auto i16 = xg::non_trainable<"i16", std::int16_t, 2>;
constexpr auto u8 = xg::non_trainable<"u8", std::uint8_t, 2>;
constexpr auto u16 = xg::non_trainable<"u16", std::uint16_t, 2>;
constexpr auto u32 = xg::non_trainable<"u32", std::uint32_t, 2>;
constexpr auto u64 = xg::non_trainable<"u64", std::uint64_t, 2>;

void fill(auto& v) {
    constexpr double none = std::numeric_limits<double>::infinity();
    v.assign(w, xg::array(std::vector<float>{1.5f, -0.0f, 1e-45f, 0.1f, -std::numeric_limits<float>::max(), 3}.data(), 2, 3));
    v.assign(keyword, std::vector<double>{-none, 0.1, std::numeric_limits<double>::denorm_min()});
    v.assign(collision, 2.0f);
    v.assign(digits, std::vector<std::int32_t>{INT32_MIN, 7});
    v.assign(large, std::vector<std::int64_t>{INT64_MIN, INT64_MAX});
    bool const truths[]{true, false, true};
    v.assign(truth, truths);
    v.assign(low, std::vector<xg::bfloat16>{xg::bfloat16(1.0f), xg::bfloat16(-3.0f)});
    v.assign(half, std::vector<xg::float16>{xg::float16(0.5f), xg::float16(65504.0f)});
    v.assign(i8, std::vector<std::int8_t>{INT8_MIN, INT8_MAX});
    v.assign(i16, std::vector<std::int16_t>{INT16_MIN, INT16_MAX});
    v.assign(u8, std::vector<std::uint8_t>{0, UINT8_MAX});
    v.assign(u16, std::vector<std::uint16_t>{0, UINT16_MAX});
    v.assign(u32, std::vector<std::uint32_t>{0, UINT32_MAX});
    v.assign(u64, std::vector<std::uint64_t>{0, UINT64_MAX});
}

}   // namespace

TEST_CASE("what is written is compiled and restored to the bit") {
    xg::variables model{w, keyword, collision, digits, large, truth, low, half, i8, i16, u8, u16, u32, u64},
        again{w, keyword, collision, digits, large, truth, low, half, i8, i16, u8, u16, u32, u64};
    fill(model);
    temporary_folder const folder;
    bool const update = std::getenv("XGRAD_UPDATE_EXPECTED") != nullptr;
    auto const kept = std::filesystem::path(XGRAD_TEST_DATA).parent_path() / "io/exported_model.hpp";
    auto const written = update ? kept : folder.path / "model.hpp";
    xg::export_header(model, written.string(), "exported");
    CHECK(read_bytes(written) == read_bytes(kept));
    xg::restore(again, exported::tensors);
    CHECK(test::bytes_of(again.store()) == test::bytes_of(model.store()));
    static_assert(exported::hidden_w[0] == 1.5f && exported::hidden_w[3] == 0.1f && exported::v_float[1] == 0.1);
    static_assert(sizeof exported::truth == 3 && exported::low[0] == 0x3f80);
    CHECK(std::signbit(exported::hidden_w[1]));
}
TEST_CASE("restored into trainers; what differs is listed, and nothing is changed") {
    auto train = xg::minimize(xg::sum(w) + collision, xg::adam{});
    xg::restore(train, exported::tensors);
    CHECK(train.value(w)(0, 0) == 1.5f);
    CHECK(train.value(collision)() == 2);

    constexpr auto other = xg::variable<"hidden/w", float, 3, 2>;
    constexpr auto wide = xg::variable<"hidden_w", double>;
    constexpr auto missing = xg::variable<"missing", float>;
    xg::variables wrong{other, wide, missing};
    auto const before = test::bytes_of(wrong.store());
    std::string const text = test::message_of<xg::checkpoint_error>([&] { xg::restore(wrong, exported::tensors); });
    CHECK(text.find("\"hidden/w\" is float[3, 2] here and float[2, 3] in the header") != text.npos);
    CHECK(text.find("\"hidden_w\" is double[] here and float[] in the header") != text.npos);
    CHECK(text.find("\"missing\" is float[] here and missing in the header") != text.npos);
    CHECK(test::bytes_of(wrong.store()) == before);
}
TEST_CASE("names that C++ does not take") {
    xg::variables model{w};
    temporary_folder const folder;
    for (char const* const name : {"", "9", "a b", "class", "_x", "a__b", "x::y"})
        CHECK_THROWS_AS(xg::export_header(model, (folder.path / "x.hpp").string(), name), xg::io_error);
    CHECK(std::filesystem::is_empty(folder.path));
    CHECK_THROWS_AS(xg::export_header(model, (folder.path / "nowhere/x.hpp").string(), "x"), xg::io_error);
    using xg::detail::word_for;
    CHECK(word_for("a//b.c", {}) == "a_b_c");
    CHECK(word_for("___", {}) == "v_");
    CHECK(word_for("x", {"x", "x_1"}) == "x_2");
    CHECK(word_for("äöü", {}) == "v_");
    CHECK(word_for("_hidden", {}) == "hidden");
}
