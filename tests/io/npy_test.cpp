// SPDX-License-Identifier: MIT
// .npy files: exchange with NumPy and broken files.
#include <xgrad/io/npy.hpp>

#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>
#include <support/text.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace xgrad;

namespace {

float const f32[] = {1.5f, -2.25f, 3.0f, 0.0f, -0.0f, 1e-45f};
double const f64[] = {3.141592653589793, -std::numeric_limits<double>::infinity(), 1e300};
std::int32_t const i32[] = {INT32_MIN, INT32_MAX};
std::int64_t const i64[] = {INT64_MIN};
bool const booleans[] = {true, false, true};
std::int8_t const i8[] = {INT8_MIN, 1, INT8_MAX};
std::int16_t const i16[] = {INT16_MIN, 1, INT16_MAX};
std::uint8_t const u8[] = {0, 1, UINT8_MAX};
std::uint16_t const u16[] = {0, 1, UINT16_MAX};
std::uint32_t const u32[] = {0, 1, UINT32_MAX};
std::uint64_t const u64[] = {0, 1, UINT64_MAX};
float16 const f16[] = {float16(1.5f), float16(-65504.0f), float16(0x1p-24f), float16(0.0f), float16(-0.0f), float16(HUGE_VALF)};
bfloat16 const bf16[] = {bfloat16(1.5f), bfloat16(-0x1p127f), bfloat16(0x1p-133f)};

struct example {
    char const* name;
    dtype type;
    std::vector<std::int64_t> shape;
    void const* data;
};
std::vector<example> const examples = {{"f32", dtype::float32, {2, 3}, f32}, {"f64", dtype::float64, {3}, f64},
    {"i32", dtype::int32, {1, 2, 1}, i32}, {"i64", dtype::int64, {}, i64}, {"bool", dtype::boolean, {3}, booleans},
    {"empty", dtype::float32, {0, 4}, nullptr}, {"f16", dtype::float16, {2, 3}, f16}, {"bf16", dtype::bfloat16, {3}, bf16},
    {"int8", dtype::int8, {1, 3}, i8}, {"int16", dtype::int16, {1, 3}, i16}, {"uint8", dtype::uint8, {1, 3}, u8},
    {"uint16", dtype::uint16, {1, 3}, u16}, {"uint32", dtype::uint32, {1, 3}, u32}, {"uint64", dtype::uint64, {1, 3}, u64}};

std::string file_of(std::string const& header, std::string const& data = "") {
    std::string start("\x93NUMPY\1\0", 8);
    start += static_cast<char>(header.size() % 256);
    start += static_cast<char>(header.size() / 256);
    return start + header + data;
}
std::string error_of(std::string const& bytes) {
    temporary_folder const folder;
    write_bytes(folder.path / "x.npy", bytes);
    return test::message_of<io_error>([&] { read_npy(folder.path / "x.npy"); });
}
using test::contains;

}   // namespace

TEST_CASE("files of NumPy are read, and xgrad writes the same bytes") {
    char const* const kept = std::getenv("XGRAD_WRITTEN_FILES");
    temporary_folder const folder;
    for (example const& e : examples) {
        CAPTURE(e.name);
        auto const python = test_data("npy_numpy_" + std::string(e.name) + ".npy");
        npy_array const array = read_npy(python);
        CHECK(array.type() == e.type);
        CHECK(array.shape() == e.shape);
        if (e.data) CHECK(std::memcmp(array.data(), e.data, array.size() * size_of(e.type)) == 0);
        auto const written = (kept ? std::filesystem::path(kept) : folder.path) / ("written_" + std::string(e.name) + ".npy");
        write_npy(written, e.type, e.shape, e.data);
        CHECK(read_bytes(written) == read_bytes(python));
        CHECK(read_npy(written).shape() == e.shape);
    }
    CHECK(read_npy(test_data("npy_numpy_f32.npy")).values<float>()[1] == -2.25f);
    CHECK_THROWS_AS(read_npy(test_data("npy_numpy_f32.npy")).values<double>(), dtype_error);
    CHECK(static_cast<float>(read_npy(test_data("npy_numpy_bf16.npy")).values<bfloat16>()[1]) == -0x1p127f);
    CHECK_THROWS_AS(read_npy(test_data("npy_numpy_f16.npy")).values<bfloat16>(), dtype_error);
    CHECK(read_npy(test_data("npy_numpy_uint64.npy")).values<std::uint64_t>()[2] == UINT64_MAX);
    CHECK_THROWS_AS(read_npy(test_data("npy_numpy_uint8.npy")).values<std::int8_t>(), dtype_error);
}

TEST_CASE("spans") {
    temporary_folder const folder;
    std::int64_t const shape[] = {3, 2}, wrong[] = {4, 2};
    write_npy(folder.path / "a", std::span<float const>(f32), shape);
    CHECK(read_npy(folder.path / "a").shape() == std::vector<std::int64_t>{3, 2});
    CHECK_THROWS_AS(write_npy(folder.path / "a", std::span<float const>(f32), wrong), io_error);
    CHECK(read_npy(folder.path / "a").size() == 6);
}

TEST_CASE("broken files") {
    CHECK(contains(error_of(""), "too short"));
    CHECK(contains(error_of("not a NumPy file"), "not a .npy file"));
    CHECK(contains(error_of(std::string("\x93NUMPY\2\0\0\0\0\0", 12)), "version 2.0"));
    CHECK(contains(error_of(file_of("{}").substr(0, 11)), "truncated"));
    auto const header = [](char const* descr, char const* order, char const* shape) {
        return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
    };
    CHECK(error_of(file_of(header("<f4", "False", "(1,)"), "abcd")) == test::nothing_thrown);
    CHECK(error_of(file_of(header("|V2", "False", "(2,)"), "abcd")) == test::nothing_thrown);
    CHECK(contains(error_of(file_of(header("<f4", "False", "(1,)"), "abc")), "truncated"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(1,)"), "abcde")), "the file has 5"));
    CHECK(contains(error_of(file_of(header("<f4", "True", "(1,)"), "abcd")), "Fortran"));
    CHECK(contains(error_of(file_of(header("<f4", "Maybe", "(1,)"), "abcd")), "expected False"));
    CHECK(contains(error_of(file_of(header(">f4", "False", "(1,)"), "abcd")), "'>f4'"));
    CHECK(contains(error_of(file_of(header("|O", "False", "(1,)"), "abcd")), "'|O'"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(1)"), "abcd")), "expected ,"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(-1,)"), "abcd")), "not negative"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(1, 2 3)"), "abcd")), "expected )"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(9223372036854775808,)"))), "2^63 - 1"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(4294967296, 4294967296)"))), "too large"));
    CHECK(contains(error_of(file_of("{'descr': '<f4")), "inside a string"));
    CHECK(contains(error_of(file_of("{'descr': '<f4', 'shape': (1,)}", "abcd")), "must have"));
    CHECK(contains(error_of(file_of("{'shape': (1,), 'shape': (1,)}", "abcd")), "twice"));
    CHECK(contains(error_of(file_of("{'other': 1}", "abcd")), "no such key"));
    CHECK(contains(error_of(file_of(header("<f4", "False", "(1,)") + "x", "abcd")), "follows"));
    CHECK(contains(error_of(file_of(header("|b1", "False", "(2,)"), "\1\2")), "neither 0 nor 1"));
    std::string const good = read_bytes(test_data("npy_numpy_f32.npy"));
    for (std::size_t n = 0; n < good.size(); ++n) CHECK(contains(error_of(good.substr(0, n)), "/x.npy: "));
}
