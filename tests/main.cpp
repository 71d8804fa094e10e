// SPDX-License-Identifier: MIT
// The main function of every test program. Prints the name of a test case that hangs: ctest's limits end a program without a message.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

namespace {

char const* volatile running = "";   // a test case

extern "C" void say_what_hangs(int) {
    char const* const texts[] = {"\nxgrad: this test case does not end: ", running, "\n"};
    for (char const* text : texts)
        if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
    std::signal(SIGABRT, SIG_DFL);   // not of doctest, which would allocate
    std::abort();
}

struct time_limit : doctest::IReporter {
    explicit time_limit(doctest::ContextOptions const&) {}
    void test_run_start() override {
        char const* const seconds = std::getenv("XGRAD_TEST_SECONDS");
        std::signal(SIGALRM, say_what_hangs);
        ::alarm(seconds != nullptr ? static_cast<unsigned>(std::atoi(seconds)) : 600);
    }
    void test_case_start(doctest::TestCaseData const& test) override { running = test.m_name; }
    void test_case_reenter(doctest::TestCaseData const&) override {}
    void test_case_end(doctest::CurrentTestCaseStats const&) override {}
    void test_case_exception(doctest::TestCaseException const&) override {}
    void subcase_start(doctest::SubcaseSignature const&) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const&) override {}
    void log_message(doctest::MessageData const&) override {}
    void report_query(doctest::QueryData const&) override {}
    void test_case_skipped(doctest::TestCaseData const&) override {}
    void test_run_end(doctest::TestRunStats const&) override { ::alarm(0); }
};
REGISTER_LISTENER("time_limit", 1, time_limit);

}   // namespace
