// SPDX-License-Identifier: MIT
// Safetensors: round trips, exchange with the Python package, and every kind of broken file.
#include <xgrad/io/safetensors.hpp>

#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>
#include <support/text.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>

using namespace xgrad;

namespace {

// The same arrays as tests/reference/safetensors_file.py.
float const f32[] = {1.5f, -2.25f, 3.0f, 0.0f, -0.0f, 1e-45f};
double const f64[] = {3.141592653589793, -std::numeric_limits<double>::infinity(), 1e300};
std::int32_t const i32[] = {INT32_MIN, INT32_MAX};
std::int64_t const i64[] = {INT64_MIN};
bool const booleans[] = {true, false, true};
std::int32_t const seven[] = {7};
std::string const odd_name = "na\"me/\\\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\n";

std::vector<tensor_record> example() {
    return {{"bool", dtype::boolean, {3}, booleans}, {"f32", dtype::float32, {2, 3}, f32}, {"i64", dtype::int64, {}, i64},
        {"i32", dtype::int32, {1, 2, 1}, i32}, {"f64", dtype::float64, {3}, f64}, {"empty", dtype::float32, {0, 4}, nullptr},
        {odd_name, dtype::int32, {1}, seven}};
}
std::map<std::string, std::string> const metadata = {
    {"step", "12"}, {"text", "quote \" back\\slash tab\t \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"}};

void check_example(safetensors_file const& file) {
    CHECK(file.metadata() == metadata);
    REQUIRE(file.tensors().size() == 7);
    for (tensor_record const& expected : example()) {
        stored_tensor const* const found = file.find(expected.name);
        REQUIRE(found != nullptr);
        CHECK(found->type == expected.type);
        CHECK(found->shape == expected.shape);
        if (expected.data) CHECK(std::memcmp(found->data, expected.data, found->bytes) == 0);
        CHECK(reinterpret_cast<std::uintptr_t>(found->data) % file_alignment == 0);
    }
    CHECK(file.find("f32")->size() == 6);
    CHECK(file.find("i64")->size() == 1);
    CHECK(file.find("empty")->size() == 0);
    CHECK(file.find("none") == nullptr);
    CHECK(file.find("f32")->values<float>()[1] == -2.25f);
    CHECK(file.find("bool")->values<bool>()[2]);
    CHECK_THROWS_AS(file.find("f32")->values<double>(), dtype_error);
}

std::string file_of(std::string const& header, std::string const& data = "") {
    std::uint64_t const length = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &length, 8);
    return bytes + header + data;
}

std::string error_of(std::string const& bytes) {
    temporary_folder const folder;
    write_bytes(folder.path / "x.safetensors", bytes);
    return test::message_of<io_error>([&] { safetensors_file const file(folder.path / "x.safetensors"); });
}
using test::contains;

}   // namespace

TEST_CASE("round trip") {
    temporary_folder const folder;
    auto const path = folder.path / "a.safetensors";
    write_safetensors(path, example(), metadata);
    check_example(safetensors_file(path));
    std::string const first = read_bytes(path);
    write_safetensors(path, example(), metadata);
    CHECK(read_bytes(path) == first);   // the same content gives the same bytes
    CHECK(folder.files() == 1);         // no temporary file is left
    std::uint64_t length = 0;
    std::memcpy(&length, first.data(), 8);
    CHECK(length % 8 == 0);
}

TEST_CASE("integers of all sizes are written and read") {
    std::int8_t const i8[] = {INT8_MIN, INT8_MAX};
    std::int16_t const i16[] = {INT16_MIN, INT16_MAX};
    std::uint8_t const u8[] = {0, UINT8_MAX};
    std::uint16_t const u16[] = {0, UINT16_MAX};
    std::uint32_t const u32[] = {0, UINT32_MAX};
    std::uint64_t const u64[] = {0, UINT64_MAX};
    tensor_record const tensors[] = {{"I8", dtype::int8, {2}, i8}, {"I16", dtype::int16, {2}, i16}, {"U8", dtype::uint8, {2}, u8},
        {"U16", dtype::uint16, {2}, u16}, {"U32", dtype::uint32, {2}, u32}, {"U64", dtype::uint64, {2}, u64}};
    temporary_folder const folder;
    write_safetensors(folder.path / "x", tensors);
    safetensors_file const file(folder.path / "x");
    for (tensor_record const& t : tensors) {
        auto const* const found = file.find(t.name);
        REQUIRE(found != nullptr);
        CHECK(found->type == t.type);
        CHECK(found->file_type == t.name);
        CHECK(std::memcmp(found->data, t.data, 2 * size_of(t.type)) == 0);
    }
    CHECK(file.find("U16")->values<std::uint16_t>()[1] == 65535);
    CHECK_THROWS_AS(file.find("U8")->values<std::int8_t>(), dtype_error);
}

TEST_CASE("empty files") {
    temporary_folder const folder;
    write_safetensors(folder.path / "a", {});
    CHECK(safetensors_file(folder.path / "a").tensors().empty());
    write_safetensors(folder.path / "a", {}, {{"k", ""}});
    CHECK(safetensors_file(folder.path / "a").metadata().at("k").empty());
    CHECK(error_of(file_of("{}")) == test::nothing_thrown);
    CHECK(error_of(file_of("{\"__metadata__\":{}}  ")) == test::nothing_thrown);
}

TEST_CASE("a file of the Python package is read") { check_example(safetensors_file(test_data("safetensors_python.safetensors"))); }

TEST_CASE("a state_dict of PyTorch is read, and what PyTorch is to read is the same") {
    // tests/reference/safetensors_torch.py checks the folder of the variable; without it the test only writes.
    bfloat16 const weight[] = {
        bfloat16(1.5f), bfloat16(-0.0f), bfloat16(0x1p-133f), bfloat16(-0x1p127f), bfloat16(HUGE_VALF), bfloat16(3.140625f)};
    float16 const bias[] = {float16(1.5f), float16(-65504.0f), float16(0x1p-24f)};
    float const single[] = {0.1f, 1e-45f};
    std::int64_t const tracked[] = {(std::int64_t{1} << 40) + 1};
    tensor_record const tensors[] = {{"layer.0.weight", dtype::bfloat16, {2, 3}, weight}, {"layer.0.bias", dtype::float16, {3}, bias},
        {"layer.1.weight", dtype::float32, {2, 1}, single}, {"num_batches_tracked", dtype::int64, {}, tracked},
        {"index", dtype::int32, {1, 2}, i32}, {"mask", dtype::boolean, {2}, booleans}};
    char const* const kept = std::getenv("XGRAD_WRITTEN_FILES");
    temporary_folder const folder;
    auto const written = (kept ? std::filesystem::path(kept) : folder.path) / "written_torch.safetensors";
    write_safetensors(written, tensors);
    for (auto const& path : {test_data("safetensors_torch.safetensors"), written}) {
        safetensors_file const file(path);
        REQUIRE(file.tensors().size() == std::size(tensors));
        for (tensor_record const& expected : tensors) {
            CAPTURE(expected.name);
            stored_tensor const* const found = file.find(expected.name);
            REQUIRE(found != nullptr);
            CHECK(found->type == expected.type);
            CHECK(found->shape == expected.shape);
            CHECK(std::memcmp(found->data, expected.data, found->bytes) == 0);
        }
    }
    CHECK(safetensors_file(test_data("safetensors_torch.safetensors")).metadata().at("format") == "pt");
}

TEST_CASE("checksums: of header and tensors, or of neither") {
    detail::crc32 sum;   // 0xcbf43926 is the check value of this CRC: that of "123456789"
    sum.add("1234", 4);
    sum.add("56789", 5);
    CHECK(sum.value() == 0xcbf43926u);
    CHECK(detail::crc32_of("123456789123456789123456789123456789", 36) == 0x3e29169cu);
    temporary_folder const folder;
    write_safetensors(folder.path / "a", example(), metadata);
    std::string const bytes = read_bytes(folder.path / "a");
    CHECK(error_of(bytes) == test::nothing_thrown);
    auto const renamed = [&](std::string const& from, std::string const& to) {
        std::string other = bytes;
        other.replace(other.find(from), from.size(), to);
        return error_of(other);
    };
    CHECK(contains(renamed("xgrad.crc32.header", "other.crc32.header"), "one is missing"));
    CHECK(contains(renamed("xgrad.crc32.tensors", "other.crc32.tensors"), "the header is damaged: its checksum"));
    CHECK(contains(renamed("\"step\":\"12\"", "\"step\":\"13\""), "the header is damaged: its checksum"));
    std::string other = bytes;   // both gone: a file by someone else, as far as anybody knows
    for (std::string const key : {"xgrad.crc32.header", "xgrad.crc32.tensors"}) other[other.find(key)] = 'o';
    CHECK(error_of(other) == test::nothing_thrown);
    other.back() = static_cast<char>(other.back() ^ 1);
    CHECK(error_of(other) == test::nothing_thrown);
    // a header that another writer has set anew
    std::string const header = R"({"__metadata__":{"xgrad.crc32.header": "00000000","xgrad.crc32.tensors":""}})";
    CHECK(contains(error_of(file_of(header)), "one is missing or has another form"));
    CHECK(contains(test::message_of<io_error>([&] {
        write_safetensors(folder.path / "a", {}, {{"xgrad.crc32.header", ""}});
    }),
        "checksums, which xgrad writes itself"));
}

TEST_CASE("what Python is to read") {
    // tests/reference/safetensors_file.py checks this folder; without the variable the test only writes.
    char const* const kept = std::getenv("XGRAD_WRITTEN_FILES");
    temporary_folder const folder;
    std::filesystem::path const path = kept ? std::filesystem::path(kept) : folder.path;
    write_safetensors(path / "written.safetensors", example(), metadata);
    check_example(safetensors_file(path / "written.safetensors"));
}

TEST_CASE("tensors that are not aligned in the file are aligned in memory") {
    std::string const header =
        R"({"b":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]},"d":{"dtype":"F64","shape":[1],"data_offsets":[1,9]}})";
    double const value = 2.5;
    std::string data(9, '\1');
    std::memcpy(data.data() + 1, &value, 8);
    temporary_folder const folder;
    write_bytes(folder.path / "a", file_of(header, data));
    safetensors_file const file(folder.path / "a");
    CHECK(reinterpret_cast<std::uintptr_t>(file.find("d")->data) % file_alignment == 0);
    CHECK(file.find("d")->values<double>()[0] == 2.5);
}

TEST_CASE("escapes of JSON") {
    std::string const header = R"({"__metadata__":{"a\u0041\n\/":"\ud83d\ude00 \u20AC \u00e4 \b\f\r\t\"\\"}})";
    temporary_folder const folder;
    write_bytes(folder.path / "a", file_of(header));
    CHECK(safetensors_file(folder.path / "a").metadata().at("aA\n/") == "\xf0\x9f\x98\x80 \xe2\x82\xac \xc3\xa4 \b\f\r\t\"\\");
}

TEST_CASE("white space is allowed where JSON allows it") {
    CHECK(error_of(file_of("{ \"a\" :\n{ \"shape\" : [ 1 , 1 ] ,\t\"data_offsets\" : [ 0 , 4 ] , \"dtype\" : \"F32\" } }   ", "abcd")) ==
          test::nothing_thrown);
}

TEST_CASE("files that are no files") {
    temporary_folder const folder;
    CHECK(contains(test::message_of<io_error>([&] { safetensors_file const f(folder.path / "none"); }), "there is no such file"));
    CHECK(contains(test::message_of<io_error>([&] { safetensors_file const f(folder.path); }), "is not a regular file"));
}

TEST_CASE("broken lengths") {
    CHECK(contains(error_of(""), "is 0 bytes long"));
    CHECK(contains(error_of("1234567"), "is 7 bytes long"));
    CHECK(contains(error_of(std::string(8, '\xff')), "limit"));
    CHECK(contains(error_of(file_of("{}").substr(0, 9)), "truncated"));
    std::string huge = file_of("{}");
    huge[4] = 1;   // 2^32 + 2 bytes of header
    CHECK(contains(error_of(huge), "limit"));
}

TEST_CASE("broken headers name the byte") {
    struct row {
        char const* header;
        char const* sentence;
    };
    std::string const t = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])";
    row const rows[] = {
        {"", "begin with '{'"},
        {" {}", "begin with '{'"},
        {"[]", "begin with '{'"},
        {"{", "expected a string, found the end of the header"},
        {"{}x", "only spaces may"},
        {"{}\n", "only spaces may"},
        {"{\"a\"}", "byte 12: expected ':', found '}'"},
        {"{\"a\":1}", "byte 13: expected '{', found '1'"},
        {"{\"a\":{}}", "has no \"dtype\""},
        {R"({"a":{"dtype":"F32"}})", "has no \"shape\""},
        {R"({"a":{"dtype":"F32","shape":[]}})", "has no \"data_offsets\""},
        {R"({"a":{"dtype":"F128","shape":[],"data_offsets":[0,1]}})", "dtype \"F128\", which is not an element type"},
        {R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "\"dtype\" twice"},
        {R"({"a":{"dtype":"F32","shape":[1],"shape":[1],"data_offsets":[0,4]}})", "\"shape\" twice"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"data_offsets":[0,4]}})", "\"data_offsets\" twice"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":0}})", "has \"x\""},
        {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", "not negative, found '-'"},
        {R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", "fraction"},
        {R"({"a":{"dtype":"F32","shape":[1e0],"data_offsets":[0,4]}})", "exponent"},
        {R"({"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}})", "begin with 0"},
        {R"({"a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,4]}})", "2^63 - 1"},
        {R"({"a":{"dtype":"F32","shape":[99999999999999999999999],"data_offsets":[0,4]}})", "2^63 - 1"},
        {R"({"a":{"dtype":"F32","shape":[1,],"data_offsets":[0,4]}})", "whole number"},
        {R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", "whole number"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", "expected ','"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})", "expected ']'"},
        {R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,4]}})", "expected a string"},
        {R"({"a":{"dtype":"F32","shape":null,"data_offsets":[0,4]}})", "expected '['"},
        {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},})", "expected a string"},
        {R"({"__metadata__":{"a":"b","a":"c"}})", "is there twice"},
        {R"({"__metadata__":{},"__metadata__":{}})", "header twice"},
        {R"({"__metadata__":{"a":1}})", "expected a string"},
        {R"({"__metadata__":{"a":{"b":"c"}}})", "expected a string"},
        {R"({"__metadata__":[]})", "expected '{'"},
        {R"({"__metadata__":{"\x":""}})", "no such escape"},
        {R"({"__metadata__":{"\u12g4":""}})", "four hexadecimal"},
        {R"({"__metadata__":{"\u12)", "four hexadecimal"},
        {R"({"__metadata__":{"\ud800":""}})", "surrogate"},
        {R"({"__metadata__":{"\udc00":""}})", "surrogate"},
        {R"({"__metadata__":{"\ud800\u0041":""}})", "surrogate"},
        {R"({"__metadata__":{"a)", "ends inside a string"},
        {R"({"__metadata__":{"a\)", "ends inside a string"},
        {"{\"\x01\":{}}", "control character"},
        {"{\"\xff\":{}}", "UTF-8"},
        {"{\"\xc0\x80\":{}}", "UTF-8"},
        {"{\"\xed\xa0\x80\":{}}", "UTF-8"},
        {"{\"\xf4\x90\x80\x80\":{}}", "UTF-8"},
        {"{\"\xe2\x82\":{}}", "UTF-8"},
    };
    for (row const& r : rows) {
        CAPTURE(r.header);
        std::string const message = error_of(file_of(r.header, "abcd"));
        CAPTURE(message);
        CHECK(contains(message, r.sentence));
        CHECK(contains(message, "x.safetensors: byte "));
    }
    CHECK(contains(error_of(file_of("{\"a\":{" + t + "},\"a\":{" + t + "}}", "abcd")), "tensor \"a\" is in the header twice"));
    CHECK(contains(error_of(file_of(std::string(100000, '{'))), "expected a string"));   // depth is no danger
    CHECK(contains(error_of(file_of("{\"a\":" + std::string(100000, '['))), "expected '{'"));
}

TEST_CASE("offsets that do not fit") {
    auto const one = [](char const* shape, char const* offsets) {
        return std::string(R"({"a":{"dtype":"F32","shape":)") + shape + R"(,"data_offsets":)" + offsets + "}}";
    };
    CHECK(error_of(file_of(one("[1]", "[0,4]"), "abcd")) == test::nothing_thrown);
    CHECK(contains(error_of(file_of(one("[1]", "[0,4]"), "abc")), "truncated"));
    CHECK(contains(error_of(file_of(one("[1]", "[0,4]"), "abcde")), "1 bytes follow"));
    CHECK(contains(error_of(file_of(one("[1]", "[0,8]"), "abcdefgh")), "needs 4 bytes"));
    CHECK(contains(error_of(file_of(one("[1]", "[4,0]"), "abcd")), "needs 4 bytes"));
    CHECK(contains(error_of(file_of(one("[1]", "[4,8]"), "abcdefgh")), "gap"));
    CHECK(contains(error_of(file_of(one("[4294967296,4294967296]", "[0,0]"))), "too large"));
    CHECK(contains(error_of(file_of(one("[4294967296,0,4294967296]", "[0,0]"))), "too large"));
    CHECK(contains(error_of(file_of(one("[2305843009213693952]", "[0,0]"))), "too large"));
    CHECK(contains(error_of(file_of(one("[2305843009213693951]", "[0,9223372036854775804]"), "abcd")), "truncated"));
    CHECK(contains(error_of(file_of(one("[1]", "[9223372036854775804,9223372036854775807]"), "abcd")), "needs 4 bytes"));
    auto const two = [](char const* first, char const* second) {
        return std::string(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":)") + first +
               R"(},"b":{"dtype":"F32","shape":[1],"data_offsets":)" + second + "}}";
    };
    CHECK(error_of(file_of(two("[4,8]", "[0,4]"), "abcdefgh")) == test::nothing_thrown);
    CHECK(contains(error_of(file_of(two("[0,4]", "[0,4]"), "abcd")), "overlap"));
    CHECK(contains(error_of(file_of(two("[0,4]", "[2,6]"), "abcdef")), "overlap"));
    CHECK(contains(error_of(file_of(two("[0,4]", "[5,9]"), "abcdefghi")), "gap"));
    std::string const twice =
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})";
    CHECK(contains(error_of(file_of(twice, "abcdefgh")), "\"a\" is in the header twice"));
    CHECK(contains(error_of(file_of(R"({"a":{"dtype":"BOOL","shape":[2],"data_offsets":[0,2]}})", "\1\2")), "neither 0 nor 1"));
}

TEST_CASE("element types of the format that xgrad does not compute with are read as bytes") {
    temporary_folder const folder;
    auto const path = folder.path / "x.safetensors";
    std::string const header =
        R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"mask":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[4,7]},)"
        R"("tiny":{"dtype":"F4","shape":[2],"data_offsets":[7,8]}})";
    write_bytes(path, file_of(header, "abcdxyzw"));
    safetensors_file const file(path);
    CHECK(file.find("a")->file_type == "F32");
    CHECK(file.find("a")->values<float>().size() == 1);
    auto const* const mask = file.find("mask");
    REQUIRE(mask != nullptr);
    CHECK(mask->type == dtype::literal);
    CHECK(mask->file_type == "F8_E4M3");
    CHECK(mask->size() == 3);
    CHECK(mask->bytes == 3);
    CHECK(std::memcmp(mask->data, "xyz", 3) == 0);
    CHECK(contains(test::message_of<dtype_error>([&] { (void)mask->values<float>(); }),
        "tensor \"mask\" holds F8_E4M3, which is not an element type of xgrad"));
    CHECK(file.find("tiny")->bytes == 1);
    // their sizes are checked too
    CHECK(contains(error_of(file_of(R"({"a":{"dtype":"U16","shape":[3],"data_offsets":[0,4]}})", "abcd")), "needs 6 bytes"));
    CHECK(
        contains(error_of(file_of(R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}})", "a")), "does not fill whole bytes with F4"));
}

TEST_CASE("every truncation of a good file is refused") {
    std::string const good = read_bytes(test_data("safetensors_python.safetensors"));
    temporary_folder const folder;
    for (std::size_t n = 0; n < good.size(); ++n) {
        write_bytes(folder.path / "x", std::string_view(good).substr(0, n));
        CHECK_THROWS_AS(safetensors_file(folder.path / "x"), io_error);
    }
}

TEST_CASE("random damage gives io_error or a consistent file, never anything else") {
    std::string const good = read_bytes(test_data("safetensors_python.safetensors"));
    temporary_folder const folder;
    std::mt19937 generator(1);
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string bytes = good;
        for (unsigned k = 0; k < 1 + generator() % 3; ++k) {
            std::size_t const at = generator() % 512;
            switch (generator() % 4) {
            case 0: bytes[at] = static_cast<char>(generator()); break;
            case 1: bytes.erase(at, 1 + generator() % 4); break;
            case 2: bytes.insert(at, 1, "{}[]\",:0919\\u"[generator() % 13]); break;
            default: bytes[at] = "{}[]\",:0919\\u"[generator() % 13];
            }
        }
        write_bytes(folder.path / "x", bytes);
        try {
            safetensors_file const file(folder.path / "x");
            std::size_t total = 0;
            for (stored_tensor const& t : file.tensors()) total += t.bytes;
            CHECK(total <= bytes.size());
        } catch (io_error const&) { ++refused; }
    }
    CHECK(refused > 2000);
}

TEST_CASE("what cannot be written") {
    temporary_folder const folder;
    auto const path = folder.path / "a";
    write_bytes(path, "old");
    auto const error = [&](std::vector<tensor_record> const& tensors, std::map<std::string, std::string> const& extra = {}) {
        return test::message_of<io_error>([&] { write_safetensors(path, tensors, extra); });
    };
    tensor_record const a{"a", dtype::float32, {2, 3}, f32};
    CHECK(contains(error({a, a}), "two tensors are called \"a\""));
    CHECK(contains(error({{"__metadata__", dtype::float32, {6}, f32}}), "__metadata__"));
    CHECK(contains(error({{"\xff", dtype::float32, {6}, f32}}), "UTF-8"));
    CHECK(contains(error({a}, {{"k", "\xff"}}), "UTF-8"));
    CHECK(contains(error({{"a", dtype::literal, {6}, f32}}), "dtype"));
    CHECK(contains(error({{"a", dtype::float32, {-1}, f32}}), "negative"));
    CHECK(contains(error({{"a", dtype::float32, {INT64_MAX, 2}, f32}}), "too large"));
    CHECK(contains(error({{"a", dtype::float32, {6}, nullptr}}), "no data"));
    char const bad[] = {0, 2};
    CHECK(contains(error({{"a", dtype::boolean, {2}, bad}}), "neither 0 nor 1"));
    CHECK(read_bytes(path) == "old");
    CHECK(folder.files() == 1);
}
