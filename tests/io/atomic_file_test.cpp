// SPDX-License-Identifier: MIT
// A file is replaced whole or not at all, whatever fails.
#include <xgrad/io/atomic_file.hpp>

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <thread>
#include <vector>

using namespace xgrad;

TEST_CASE("the new file appears at commit") {
    temporary_folder const folder;
    auto const path = folder.path / "a";
    write_bytes(path, "old");
    {
        atomic_file file(path);
        file.write("new", 3);
        CHECK(read_bytes(path) == "old");
        file.commit();
        CHECK(read_bytes(path) == "new");
    }
    CHECK(read_bytes(path) == "new");
    CHECK(folder.files() == 1);
}

TEST_CASE("without commit the old file stays") {
    temporary_folder const folder;
    write_bytes(folder.path / "a", "old");
    {
        atomic_file file(folder.path / "a");
        file.write("new", 3);
    }
    CHECK(read_bytes(folder.path / "a") == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("a folder that is missing is told, with what to do") {
    temporary_folder const folder;
    std::string const path = folder.path / "run" / "a";
    CHECK_THROWS_WITH_AS(atomic_file{path},
        (path + ": cannot create a temporary file next to it: No such file or directory; make its folder first").c_str(), io_error);
}

TEST_CASE("two writers do not share a temporary file, and what is none stays") {
    temporary_folder const folder;
    char const* const others[] = {
        "a.tmp0", ".xgrad_1_2.tmp", "a.xgrad_1.tmp", "a.xgrad_01_2.tmp", "a.xgrad_1_2.tmp.gz", "a.xgrad_1_18446744073709551616.tmp"};
    for (char const* name : others) write_bytes(folder.path / name, "of somebody");
    std::filesystem::create_directory(folder.path / "a.xgrad_1_2.tmp");
    std::filesystem::create_symlink("a.tmp0", folder.path / "a.xgrad_1_3.tmp");
    write_bytes(folder.path / "b.xgrad_1_2.tmp", "of a killed process");
    atomic_file one(folder.path / "a"), two(folder.path / "a");
    CHECK(folder.files() == std::size(others) + 4);   // without the one of the killed process
    one.write("one", 3);
    two.write("two", 3);
    one.commit();
    CHECK(read_bytes(folder.path / "a") == "one");
    two.commit();
    CHECK(read_bytes(folder.path / "a") == "two");
    for (char const* name : others) CHECK(read_bytes(folder.path / name) == "of somebody");
    CHECK(folder.files() == std::size(others) + 3);
}

TEST_CASE("however many writers are killed, the next one leaves nothing of them, and nothing of a living one is lost") {
    temporary_folder const folder;
    auto const path = folder.path / "a";
    std::string const data(200000, 'x');
    atomic_file living(folder.path / "living");
    living.write("whole", 5);
    std::size_t most = 0;
    for (int round = 0; round < 150; ++round) {
        pid_t const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {   // writes until it is killed, sometimes immediately and sometimes in the middle
            ::alarm(60);    // in case the parent has died
            for (;;) {
                atomic_file file(path);
                file.write(data.data(), data.size());
                if (round % 3 == 0) ::raise(SIGKILL);
                file.commit();
            }
        }
        if (round % 3 != 0) {
            ::usleep(static_cast<unsigned>(round * 7919 % 5000));
            ::kill(child, SIGKILL);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WIFSIGNALED(status));
        most = std::max(most, folder.files());
        CHECK((!std::filesystem::exists(path) || std::filesystem::file_size(path) == data.size()));
    }
    CHECK(most >= 2);   // left over, with the one of the living process
    CHECK(most <= 3);   // and by the last one killed alone: its temporary, the file
    atomic_file(path).commit();
    living.commit();
    CHECK(read_bytes(folder.path / "living") == "whole");
    CHECK(folder.files() == 2);
}

TEST_CASE("many threads write one file") {
    temporary_folder const folder;
    auto const path = folder.path / "a";
    std::vector<std::thread> threads;
    for (char c = 'a'; c < 'e'; ++c)
        threads.emplace_back([&path, c] {
            std::string const data(5000, c);
            for (int k = 0; k < 50; ++k) {
                atomic_file file(path);
                file.write(data.data(), data.size());
                file.commit();
            }
        });
    for (auto& t : threads) t.join();
    std::string const bytes = read_bytes(path);
    CHECK(bytes == std::string(5000, bytes.at(0)));
    CHECK(folder.files() == 1);
}

TEST_CASE("a full disk leaves the old file") {
    // A limit on the size of files makes the writes fail as on a full disk, for root too.
    temporary_folder const folder;
    write_bytes(folder.path / "a", "old");
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    auto const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit const small{10000, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    std::string const data(1 << 20, 'x');
    std::string const message = message_of<io_error>([&] {
        atomic_file file(folder.path / "a");
        file.write(data.data(), data.size());
        file.commit();
    });
    std::string const late = message_of<io_error>([&] {   // the failure shows in the flush only
        atomic_file file(folder.path / "a");
        for (int i = 0; i < 11; ++i) file.write(data.data(), 1000);
        file.commit();
    });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    CHECK(message.find("cannot write") != std::string::npos);
    CHECK(late.find("cannot write") != std::string::npos);
    CHECK(read_bytes(folder.path / "a") == "old");
    CHECK(folder.files() == 1);
}

TEST_CASE("no place for the file") {
    temporary_folder const folder;
    CHECK_THROWS_AS(atomic_file(folder.path / "none" / "a"), io_error);
    write_bytes(folder.path / "file", "");
    CHECK_THROWS_AS(atomic_file(folder.path / "file" / "a"), io_error);
    std::filesystem::create_directories(folder.path / "folder" / "inner");
    CHECK_THROWS_AS(atomic_file(folder.path / "folder"), io_error);
    CHECK(folder.files() == 2);
}

TEST_CASE("what is no file is not replaced by one") {
    temporary_folder const folder;
    auto const pipe = folder.path / "pipe", link = folder.path / "link";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_symlink(pipe, link);
    for (auto const& path : {pipe, link})
        CHECK(message_of<io_error>([&] { atomic_file file(path); }) == path.string() + ": is not a regular file");
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(std::filesystem::is_symlink(link));
    CHECK(folder.files() == 2);
}

TEST_CASE("a symbolic link is replaced, its target stays") {
    temporary_folder const folder;
    write_bytes(folder.path / "target", "old");
    std::filesystem::create_symlink(folder.path / "target", folder.path / "link");
    atomic_file file(folder.path / "link");
    file.write("new", 3);
    file.commit();
    CHECK(read_bytes(folder.path / "link") == "new");
    CHECK(read_bytes(folder.path / "target") == "old");
    CHECK(!std::filesystem::is_symlink(folder.path / "link"));
}

TEST_CASE("a folder that may not be written to") {
    if (::geteuid() == 0) return;   // root may write everywhere
    temporary_folder const folder;
    write_bytes(folder.path / "a", "old");
    std::filesystem::permissions(folder.path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    CHECK_THROWS_AS(atomic_file(folder.path / "a"), io_error);
    CHECK(read_bytes(folder.path / "a") == "old");
    std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all);
}
