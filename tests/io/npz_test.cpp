// SPDX-License-Identifier: MIT
// .npz files: exchange with NumPy and broken files.
#include <xgrad/io/npz.hpp>

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

using namespace xgrad;

namespace {

// Those of tests/reference/safetensors_file.py.
float const f32[] = {1.5f, -2.25f, 3.0f, 0.0f, -0.0f, 1e-45f};
double const f64[] = {3.141592653589793, -std::numeric_limits<double>::infinity(), 1e300};
std::int32_t const i32[] = {INT32_MIN, INT32_MAX};
std::int64_t const i64[] = {INT64_MIN};
bool const booleans[] = {true, false, true};
float16 const f16[] = {float16(1.5f), float16(-65504.0f), float16(0x1p-24f), float16(0.0f), float16(-0.0f), float16(HUGE_VALF)};
std::vector<tensor_record> const examples = {{"f32", dtype::float32, {2, 3}, f32}, {"f64", dtype::float64, {3}, f64},
    {"i32", dtype::int32, {1, 2, 1}, i32}, {"i64", dtype::int64, {}, i64}, {"bool", dtype::boolean, {3}, booleans},
    {"layer/ä€", dtype::float16, {2, 3}, f16}, {"none", dtype::float32, {0, 4}, nullptr}};

void check_examples(npz_file const& file) {
    CHECK(file.arrays().size() == examples.size());
    for (tensor_record const& e : examples) {
        CAPTURE(e.name);
        npy_array const* const array = file.find(e.name);
        REQUIRE(array != nullptr);
        CHECK(array->type() == e.type);
        CHECK(array->shape() == e.shape);
        if (e.data != nullptr) CHECK(std::memcmp(array->data(), e.data, array->size() * size_of(e.type)) == 0);
    }
    CHECK(file.find("f3") == nullptr);
}
std::string error_of(std::string const& bytes) {
    temporary_folder const folder;
    write_bytes(folder.path / "x.npz", bytes);
    return message_of<io_error>([&] { npz_file file(folder.path / "x.npz"); });
}
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }
std::string changed(std::string bytes, std::size_t at, char c) {
    bytes[at] = c;
    return bytes;
}

}   // namespace

TEST_CASE("archives of NumPy are read, and what xgrad writes is read again") {
    char const* const kept = std::getenv("XGRAD_WRITTEN_FILES");
    temporary_folder const folder;
    check_examples(npz_file(test_data("npz_numpy.npz")));
    auto const written = (kept ? std::filesystem::path(kept) : folder.path) / "written.npz";
    write_npz(written, examples);
    check_examples(npz_file(written));
    write_npz(folder.path / "again.npz", examples);
    CHECK(read_bytes(written) == read_bytes(folder.path / "again.npz"));
    write_npz(folder.path / "none.npz", {});
    CHECK(npz_file(folder.path / "none.npz").arrays().empty());
}

TEST_CASE("what cannot be written leaves the file as it was") {
    temporary_folder const folder;
    auto const path = folder.path / "a.npz";
    write_npz(path, examples);
    auto const error = [&](tensor_record const& t) {
        tensor_record const all[] = {examples[0], t};
        return message_of<io_error>([&] { write_npz(path, all); });
    };
    CHECK(contains(error({"", dtype::float32, {}, f32}), "1 to 65000 bytes, not 0"));
    CHECK(contains(error({std::string(65001, 'x'), dtype::float32, {}, f32}), "not 65001"));
    CHECK(contains(error(examples[0]), "'f32' twice"));
    CHECK(contains(error({"w", dtype::float32, {-1}, f32}), "a.npz: 'w': an array of float[-1] cannot be written"));
    CHECK(contains(error({"w", dtype::float32, {1}, nullptr}), "cannot be written"));
    check_examples(npz_file(path));
    CHECK(folder.files() == 1);
}

TEST_CASE("broken archives") {
    CHECK(contains(error_of(""), "too short"));
    CHECK(contains(error_of(std::string(100, 'x')), "not a zip archive"));
    CHECK(contains(error_of(read_bytes(test_data("npz_numpy_compressed.npz"))), "'f32.npy' is compressed"));
    std::string const numpy = read_bytes(test_data("npz_numpy.npz"));
    temporary_folder const folder;
    write_npz(folder.path / "a.npz", std::span(examples).subspan(0, 2));
    std::string const own = read_bytes(folder.path / "a.npz");
    // a comment after the end is allowed
    std::string commented = numpy + "PK\5\6 hi";
    commented[numpy.size() - 2] = 7;
    CHECK(error_of(commented).empty());
    CHECK(contains(error_of(numpy + "x"), "not a zip archive"));
    auto const name = own.find("f32.npy", own.find("PK\1\2"));
    CHECK(contains(error_of(changed(own, name - 46 + 8, 1)), "'f32.npy' is encrypted"));
    CHECK(contains(error_of(changed(own, name, 'g')), "'g32.npy' is not where the directory says"));
    CHECK(contains(error_of(changed(own, own.find("PK\5\6") + 4, 1)), "several files"));
    std::string other = own;
    for (auto at = other.find("f32.npy"); at != std::string::npos; at = other.find("f32.npy")) other.replace(at, 7, "f32.txt");
    CHECK(contains(error_of(other), "'f32.txt' is not a .npy file"));
    std::string same = own;
    for (auto at = same.find("f64.npy"); at != std::string::npos; at = same.find("f64.npy")) same.replace(at, 3, "f32");
    CHECK(contains(error_of(same), "has 'f32' twice"));
    // Fields that say nothing: dates, versions, attributes, comments. All else is noticed, or changes no array.
    for (std::string const* good : {&own, &numpy}) {
        for (std::size_t n = 0; n < good->size(); ++n) CHECK_FALSE(error_of(good->substr(0, n)).empty());
        std::size_t refused = 0;
        for (std::size_t k = 0; k < good->size(); ++k)
            for (int bit = 0; bit < 8; bit += XGRAD_SANITIZED ? 4 : 1) {
                write_bytes(folder.path / "b.npz", changed(*good, k, static_cast<char>((*good)[k] ^ (1 << bit))));
                try {
                    npz_file const file(folder.path / "b.npz");
                    for (npz_entry const& a : file.arrays())   // a name may have changed in both places only by two flips
                        for (tensor_record const& e : examples)
                            if (e.name == a.name) {
                                REQUIRE((a.array.type() == e.type && a.array.shape() == e.shape));
                                if (e.data != nullptr) REQUIRE(std::memcmp(a.array.data(), e.data, a.array.size() * size_of(e.type)) == 0);
                            }
                    std::size_t const all = good == &own ? 2 : examples.size();
                    REQUIRE(file.arrays().size() == all);
                } catch (io_error const&) { ++refused; }
            }
        CHECK(refused > good->size());
    }
}
