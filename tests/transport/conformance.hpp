// SPDX-License-Identifier: MIT
// What every transport does. Each function is called by all ranks, each with its own transport; it throws what is wrong.
#pragma once

#include <xgrad/transport/collectives.hpp>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace test {
namespace xg = xgrad;
using namespace std::chrono_literals;

inline void require(bool right, char const* what) {
    if (!right) throw std::runtime_error(what);
}
#define REQUIRE_HERE(x) ::test::require(x, #x)
/// Guards against hangs only.
inline xg::wait_options in_time() { return {.timeout = 60s}; }

template<class T>
void send_number(T& t, int to, int tag, std::int64_t x) {
    xg::send(t, to, tag, std::as_bytes(std::span(&x, 1)));
}
template<class T>
std::int64_t receive_number(T& t, int from, int tag, xg::received* who = nullptr) {
    thread_local xg::message_buffer buffer;
    auto const r = xg::receive(t, from, tag, buffer, in_time());
    require(r.bytes == sizeof(std::int64_t), "eight bytes");
    std::int64_t x;
    std::memcpy(&x, buffer.data(), sizeof x);
    if (who != nullptr) *who = r;
    return x;
}

/// Messages of one sender and tag come in order; tags and senders do not disturb each other; any rank and any tag take each message once.
template<class T>
void first_in_first_out(T& t) {
    constexpr int count = 50;
    for (int to = 0; to < t.size(); ++to)
        for (int k = 0; k < count; ++k)
            for (int tag = 0; tag < 3; ++tag) send_number(t, to, tag, t.rank() * 1000 + k);
    for (int from = t.size(); from-- > 0;)   // the last one first
        for (int k = 0; k < count; ++k) {
            xg::received who{};
            REQUIRE_HERE(receive_number(t, from, 2, &who) == from * 1000 + k);
            REQUIRE_HERE(who.from == from && who.tag == 2);
        }
    std::vector<int> next(static_cast<std::size_t>(t.size()), 0), tagged(next);
    for (int k = 0; k < count * t.size(); ++k) {
        xg::received who{};
        auto const x = receive_number(t, xg::any_rank, 1, &who);
        REQUIRE_HERE(who.tag == 1);
        REQUIRE_HERE(x == who.from * 1000 + next[static_cast<std::size_t>(who.from)]++);
    }
    for (int k = 0; k < count; ++k) {   // from itself, because others may be ahead
        xg::received who{};
        auto const x = receive_number(t, t.rank(), xg::any_tag, &who);
        REQUIRE_HERE(who.tag == 0 && x == t.rank() * 1000 + k);
    }
    for (int k = 0; k < count * (t.size() - 1); ++k) {
        xg::received who{};
        auto const x = receive_number(t, xg::any_rank, 0, &who);
        REQUIRE_HERE(x == who.from * 1000 + tagged[static_cast<std::size_t>(who.from)]++);
    }
}
/// Sizes from nothing on, in several parts.
template<class T>
void sizes(T& t) {
    int const to = (t.rank() + 1) % t.size(), from = (t.rank() + t.size() - 1) % t.size();
    xg::message_buffer buffer;
    for (std::size_t n : {0u, 1u, 63u, 4096u, 70000u, 5000000u}) {
        std::vector<std::byte> bytes(n);
        for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>((i * 7 + static_cast<std::size_t>(t.rank())) % 251);
        std::span<std::byte const> const all(bytes);
        std::span<std::byte const> const parts[] = {all.first(n / 3), {}, all.subspan(n / 3)};
        t.send(to, 5, parts);
        std::fill(bytes.begin(), bytes.end(), std::byte{1});   // it has been copied
        auto const r = xg::receive(t, from, 5, buffer, in_time());
        REQUIRE_HERE(r.bytes == n && r.from == from);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < n; ++i) wrong += buffer[i] != static_cast<std::byte>((i * 7 + static_cast<std::size_t>(from)) % 251);
        REQUIRE_HERE(wrong == 0);
    }
}
/// Waits end, and report the waiting rank and what it waited for.
template<class T>
void waits_end(T& t) {
    xg::message_buffer buffer;
    std::string const me = "xgrad: rank " + std::to_string(t.rank()) + ": receive: ";
    auto const text = [&](auto const& f) -> std::string {
        try {
            f();
        } catch (xg::error const& e) { return e.what(); }
        return "nothing";
    };
    REQUIRE_HERE(!t.try_receive(xg::any_rank, 7, buffer, {.timeout = 0ns}));
    REQUIRE_HERE(text([&] { xg::receive(t, 0, 7, buffer, {.timeout = 1ms}); }) == me + "nothing has come from rank 0 (tag 7) in time");
    std::stop_source stop;
    std::jthread const other([&] {
        std::this_thread::sleep_for(2ms);
        stop.request_stop();
    });
    REQUIRE_HERE(text([&] { xg::receive(t, xg::any_rank, 7, buffer, {.stop = stop.get_token()}); }) ==
                 me + "nothing has come from any rank (tag 7) before a stop was requested");
    std::string const none = "there is no rank " + std::to_string(t.size()) + " among " + std::to_string(t.size());
    REQUIRE_HERE(text([&] { xg::receive(t, t.size(), 7, buffer); }) == me + none);
    REQUIRE_HERE(text([&] { send_number(t, t.size(), 7, 1); }) == "xgrad: rank " + std::to_string(t.rank()) + ": send: " + none);
}
/// Two threads of a rank, each with a separate tag.
template<class T>
void two_threads(T& t) {
    int const to = (t.rank() + 1) % t.size(), from = (t.rank() + t.size() - 1) % t.size();
    auto const talk = [&](int tag) {
        for (int k = 0; k < 100; ++k) {
            send_number(t, to, tag, k);
            REQUIRE_HERE(receive_number(t, from, tag) == k);
        }
    };
    std::exception_ptr failed;
    {
        std::jthread const other([&] {
            try {
                talk(8);
            } catch (...) { failed = std::current_exception(); }
        });
        talk(9);
    }
    if (failed != nullptr) std::rethrow_exception(failed);
}
/// Sums are bitwise equal to a loop over the ranks; every root; sizes that differ.
template<class T>
void collectives(T& t) {
    xg::collectives all(t);
    auto const element = [](int rank, std::size_t i) {
        return static_cast<float>(rank * 37 + static_cast<int>(i) % 91 - 40) / 7.f * (i % 3 == 1 ? 1e4f : 1.f);
    };
    for (int root = 0; root < t.size(); ++root)
        for (std::size_t n : {0u, 1u, 1000u}) {
            std::vector<float> values(n), copy(n);
            for (std::size_t i = 0; i < n; ++i) copy[i] = values[i] = element(t.rank(), i);
            all.reduce(root, std::span(values), in_time());
            for (std::size_t i = 0; t.rank() == root && i < n; ++i) {
                float sum = element(0, i);
                for (int k = 1; k < t.size(); ++k) sum += element(k, i);
                REQUIRE_HERE(values[i] == sum);
            }
            REQUIRE_HERE(t.rank() == root || values == copy);
            std::vector<std::int32_t> sent(n, t.rank() == root ? root + 5 : -1);
            all.broadcast(root, std::as_writable_bytes(std::span(sent)), in_time());
            for (auto const x : sent) REQUIRE_HERE(x == root + 5);
            all.barrier(in_time());
        }
    if (t.size() == 1) return;
    // One rank has another number of elements: the root reports it.
    std::vector<double> values(t.rank() == 1 ? 3 : 2);
    try {
        all.reduce(0, std::span(values), in_time());
        REQUIRE_HERE(t.rank() != 0);
    } catch (xg::shape_error const& e) {
        REQUIRE_HERE(std::string(e.what()) == "xgrad: rank 0: reduce: rank 1 has sent 24 bytes, and 16 are expected");
    }
    xg::message_buffer rest;   // what the root has left there
    while (t.try_receive(xg::any_rank, xg::any_tag, rest, {.timeout = 200ms})) {}
}
template<class T>
void conform(T& t) {
    first_in_first_out(t);
    sizes(t);
    two_threads(t);
    collectives(t);
    waits_end(t);
}

/// Calls work(k) in a thread for each rank and throws what one of them throws.
template<class Work>
void on_ranks(int ranks, Work const& work) {
    std::vector<std::exception_ptr> failed(static_cast<std::size_t>(ranks));
    {
        std::vector<std::jthread> threads;
        for (int k = 0; k < ranks; ++k)
            threads.emplace_back([&, k] {
                try {
                    work(k);
                } catch (...) { failed[static_cast<std::size_t>(k)] = std::current_exception(); }
            });
    }
    for (auto const& f : failed)
        if (f != nullptr) std::rethrow_exception(f);
}

}   // namespace test
