// SPDX-License-Identifier: MIT
// A folder of checkpoints: which are written, which are kept, and which exist however often the run is killed.
#include <xgrad/exec/variables.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/ops/ops.hpp>

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace xg = xgrad;

namespace {

constexpr auto v = xg::variable<"v", double, 2>;

// Counts steps as a trainer does, and each depends on the one before; without the trainer, which costs the compiler most of it.
struct model {
    xg::variables<decltype(v)> all{v};

    xg::variable_store& store() { return all.store(); }
    void step() {
        auto const now = all.value(v);
        now[0] = now[0] * .9 + 1;
        now[1] = now[0] - now[1] / 3;
        ++store().steps;
    }
    std::pair<std::pair<double, double>, std::int64_t> state() { return {{all.value(v)[0], all.value(v)[1]}, store().steps}; }
};
bool contains(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

}   // namespace

TEST_CASE("a saver keeps the last checkpoints of a run") {
    temporary_folder const folder;
    std::string const run = (folder.path / "run").string();
    CHECK(xg::latest_checkpoint(run).empty());
    std::ofstream(run + ".txt") << "a file";
    CHECK_THROWS_AS(xg::latest_checkpoint(run + ".txt"), xg::io_error);
    model train;
    {
        xg::saver saver(run, {.max_to_keep = 2, .every_steps = 3});
        CHECK(xg::latest_checkpoint(run).empty());
        write_bytes(run + "/model-99.safetensors.bak", "");   // what is none of its files
        write_bytes(run + "/model-099.safetensors", "");
        write_bytes(run + "/other-99.safetensors", "");
        std::string saved;
        CHECK(!saver.save_if_due(train));
        for (int k = 1; k <= 13; ++k) {
            train.step();
            if (saver.save_if_due(train, {{"k", std::to_string(k)}})) saved += std::to_string(k) + " ";
            CHECK(!saver.save_if_due(train));
        }
        CHECK(saved == "3 6 9 12 ");
        CHECK(xg::latest_checkpoint(run) == run + "/model-12.safetensors");
        CHECK(std::filesystem::exists(run + "/model-9.safetensors"));
        CHECK(!std::filesystem::exists(run + "/model-6.safetensors"));
        CHECK(std::distance(std::filesystem::directory_iterator(run), {}) == 5);
        CHECK(saver.save(train) == run + "/model-13.safetensors");
        CHECK(saver.save(train) == run + "/model-13.safetensors");   // once more, in its place
        CHECK(xg::latest_checkpoint(run + "/") == run + "/model-13.safetensors");
    }
    model again;
    again.step();
    xg::saver saver(run, {.every_steps = 3});
    CHECK(contains(message_of<xg::io_error>([&] { saver.save(again); }), "model-1.safetensors: is not saved: the folder has"));
    CHECK(xg::restore(again, xg::latest_checkpoint(run)).empty());
    CHECK(again.state() == train.state());
    again.step(), again.step();   // the third step after the folder's last one
    CHECK(!saver.save_if_due(again));
    again.step();
    CHECK(saver.save_if_due(again));
    CHECK(xg::latest_checkpoint(run) == run + "/model-16.safetensors");

    xg::saver often(run, {.name = "timed", .max_to_keep = 0, .every_seconds = 1e-9}), seldom(run, {.name = "never", .every_seconds = 1e9});
    for (int k = 0; k < 7; ++k) {
        again.step();
        CHECK(often.save_if_due(again));
        CHECK(!seldom.save_if_due(again));
    }
    CHECK(xg::latest_checkpoint(run, "timed") == run + "/timed-23.safetensors");
    CHECK(std::filesystem::exists(run + "/timed-17.safetensors"));
    CHECK(xg::latest_checkpoint(run, "never").empty());
    CHECK_THROWS_AS(xg::saver(run, {.max_to_keep = -1}), xg::value_error);
    CHECK_THROWS_AS(xg::saver(run, {.name = "a/b"}), xg::value_error);
    CHECK_THROWS_AS(xg::saver(run, {.every_steps = -1}), xg::value_error);
    CHECK_THROWS_AS(xg::saver((folder.path / "no" / "run").string()), xg::io_error);
}

TEST_CASE("however often a run is killed while it saves, its latest checkpoint is whole") {
    temporary_folder const folder;
    std::string const run = folder.path.string();
    model train;
    for (unsigned round = 0; round < 40; ++round) {
        std::string const before = xg::latest_checkpoint(run);
        pid_t const child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {   // continues from the latest one and saves each step until it is killed
            ::alarm(60);    // in case the parent has died
            xg::saver saver(run, {.max_to_keep = 3});
            if (auto const last = xg::latest_checkpoint(run); !last.empty()) xg::restore(train, last);
            for (;;) {
                train.step();
                saver.save(train);
            }
        }
        int status = 0;
        while (xg::latest_checkpoint(run) == before && ::waitpid(child, &status, WNOHANG) == 0) ::usleep(100);
        ::usleep(round * 7919 % 3000);
        ::kill(child, SIGKILL);
        if (status == 0) ::waitpid(child, &status, 0);
        REQUIRE(WIFSIGNALED(status));   // nothing else has ended it
    }
    // as one that was never killed
    model steady;
    xg::restore(train, xg::latest_checkpoint(run));
    while (steady.store().steps < train.store().steps) steady.step();
    CHECK(train.state() == steady.state());
    CHECK(train.store().steps >= 40);
    train.step();
    xg::saver(run, {.max_to_keep = 3}).save(train);
    CHECK(folder.files() == 3);
    for (auto const& entry : std::filesystem::directory_iterator(folder.path)) CHECK(entry.path().extension() == ".safetensors");
}

TEST_CASE("variables are taken from tensors of other names, the others stay") {
    temporary_folder const folder;
    auto const path = folder.path / "a.safetensors";
    double const first[] = {1, 2}, second[] = {3, 4};
    float const single[] = {5, 6};
    xg::tensor_record const tensors[] = {{"encoder.weight", xg::dtype::float64, {2}, first}, {"w", xg::dtype::float64, {2}, second},
        {"single", xg::dtype::float32, {2}, single}, {"long", xg::dtype::float64, {2, 1}, second}};
    xg::write_safetensors(path, tensors, {{"made by", "hand"}});
    constexpr auto w = xg::variable<"w", double, 2>;
    xg::variables all{v * w};
    all.store().steps = 7;
    auto const values = [&] { return std::vector<double>{all.value(v)[0], all.value(v)[1], all.value(w)[0], all.value(w)[1]}; };
    CHECK(xg::restore(all, path, xg::variables_as{{"v", "encoder.weight"}}).at("made by") == "hand");
    CHECK(values() == std::vector<double>{1, 2, 0, 0});
    CHECK(all.store().steps == 7);
    xg::restore(all, path, xg::variables_as{{"v", "w"}, {"w", "w"}});   // one tensor for two
    CHECK(values() == std::vector<double>{3, 4, 3, 4});
    auto const refused = [&](xg::variables_as const& chosen) {
        return message_of<xg::checkpoint_error>([&] { xg::restore(all, path, chosen); });
    };
    CHECK(contains(
        refused({{"v", "encoder.weight"}, {"w", "none"}}), "\"w\" is double[2] here and missing in the file, where it is called \"none\""));
    CHECK(contains(refused({{"v", "encoder.weight"}, {"w", "single"}}), "\"w\" is double[2] here and float[2] in the file"));
    CHECK(contains(refused({{"v", "encoder.weight"}, {"w", "long"}}), "\"w\" is double[2] here and double[2, 1] in the file"));
    CHECK(contains(refused({{"v", "encoder.weight"}, {"u", "w"}}), "there is no variable \"u\" here"));
    CHECK(contains(refused({{"v", "encoder.weight"}, {"w", ""}}), "\"w\" has no name in the file"));
    CHECK(contains(refused({}), "variables_as{} names no variables, so nothing would be restored"));
    CHECK(contains(message_of<xg::io_error>([&] { xg::restore(all, ""); }), "the path of the file is empty"));
    CHECK(contains(message_of<xg::io_error>([&] { xg::save(all, ""); }), "the path of the file is empty"));
    // a file of another tool: no seed and rules are asked for, and the call that takes its tensors is named
    std::string const foreign = message_of<xg::checkpoint_error>([&] { xg::restore(all, path); });
    CHECK(contains(foreign, "the file was not written by xgrad::save"));
    CHECK(contains(foreign, "\"encoder.weight\" is double[2] in the file and unknown here"));
    CHECK(contains(foreign, "(restore(owner, path, xgrad::variables_as{{\"v\", \"its name in the file\"}}) takes variables"));
    for (char const* noise : {"xgrad.seed", "variables_only", "global_step", "no rule"}) CHECK(!contains(foreign, noise));
    CHECK(contains(message_of<xg::checkpoint_error>([&] { xg::restore(all, path, xg::variables_only); }), "variables_as{{\"v\""));
    xg::variables alone{w};   // all names are those of the file
    CHECK(contains(message_of<xg::checkpoint_error>([&] { xg::restore(alone, path); }), "xgrad::variables_only) takes the variables"));
    xg::variables empty{xg::sum(xg::input<"x", double, 2>)};
    CHECK(contains(message_of<xg::checkpoint_error>([&] { xg::restore(empty, path, xg::variables_only); }), "the owner has no variables"));
    CHECK(values() == std::vector<double>{3, 4, 3, 4});   // nothing has been changed
}
