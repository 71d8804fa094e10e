// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <xgrad/core/error.hpp>

#include <limits>
#include <string>

using namespace xgrad;

TEST_CASE("a message is its parts one behind the other, numbers in decimal") {
    std::string const name = "weights";
    CHECK(message({"a \"", name, "\" b ", 0, " ", -7, " ", std::int64_t{1234567890123}}) == "a \"weights\" b 0 -7 1234567890123");
    CHECK(message({std::numeric_limits<std::int64_t>::min(), " ", std::numeric_limits<std::int64_t>::max()}) ==
          "-9223372036854775808 9223372036854775807");
    CHECK(message({}).empty());
    message_text text;
    text.add({"one"});
    text.add({""});
    text.add({", ", 2});
    CHECK(text.view() == "one, 2");
    CHECK(std::string(text.c_str()) == "one, 2");
}

TEST_CASE("what a file calls a tensor neither ends a message nor moves a cursor") {
    std::string const name("a\0b\x1b[31m\x7f\xc3\xa4", 11);
    try {
        raise_parts<error>({"tensor \"", name, "\" does not fit"});
    } catch (error const& e) { CHECK(std::string(e.what()) == "tensor \"a?b?[31m?\xc3\xa4\" does not fit"); }
    CHECK(message({name, 1}) == "a?b?[31m?\xc3\xa4"
                                "1");
}
TEST_CASE("long messages grow") {
    message_text text;
    std::string expected;
    for (int i = 0; i < 1000; ++i) {
        text.add({"part ", i, ";"});
        expected += "part " + std::to_string(i) + ";";
    }
    CHECK(text.view() == expected);
}

#if XGRAD_EXCEPTIONS
TEST_CASE("what is raised carries the message") {
    CHECK_THROWS_WITH_AS(raise_parts<shape_error>({"axis ", 3}), "axis 3", shape_error);
    CHECK_THROWS_WITH_AS(raise<value_error>(std::string("value")), "value", value_error);
    CHECK_THROWS_WITH_AS(raise<binding_error>("binding"), "binding", binding_error);
}
#endif
