// SPDX-License-Identifier: MIT
// Checkpoints: the same bits back, training that continues alike, every kind of difference, nothing changed on failure.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/sparse/vocabulary.hpp>
#include <xgrad/xgrad.hpp>

#include <support/message_of.hpp>
#include <support/temporary_folder.hpp>
#include <support/text.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace xg = xgrad;
using namespace xgrad::literals;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 6>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto w1 = xg::variable<"w1", float, 6, 9>;
constexpr auto b1 = xg::variable<"enc/b1", float, 9>;
constexpr auto table = xg::variable<"table", float, 20, 9>;
constexpr auto frozen = xg::non_trainable<"frozen", float, 9>;
constexpr auto hidden = xg::dropout<"drop">(xg::tanh(xg::matmul(x, w1) + b1) * frozen, 0.5_c) - xg::gather(table, ids);
constexpr auto loss = xg::mean(xg::square(hidden));
constexpr auto v = xg::variable<"v", double, 2>;
constexpr auto small = xg::sum(xg::square(v - 1_c));

auto make() {
    return xg::minimize(
        loss, xg::param_group(xg::ftrl{.learning_rate = .05, .l1 = .001}, table), xg::param_group(xg::adam{.learning_rate = .01}));
}

template<class Train>
float step(Train& train, int k) {
    std::vector<float> images(8 * 6);
    std::vector<std::int32_t> rows(8);
    for (std::size_t i = 0; i < images.size(); ++i) images[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(k) * 13) % 17) / 17;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int32_t>((i * 3 + static_cast<std::size_t>(k) * 5) % 20);
    return train(x = xg::array(images.data(), 8, 6), ids = rows);
}
// Everything a step depends on, as bytes.
std::string state_of(xg::variable_store const& store) {
    std::string bytes;
    auto const add = [&](void const* p, std::size_t n) { bytes.append(static_cast<char const*>(p), n); };
    auto const bytes_of = [](auto const& v) { return static_cast<std::size_t>(v.size) * xg::size_of(v.type); };
    for (auto const& v : store.variables()) add(v.data, bytes_of(v));
    for (auto const* o : store.optimizers()) {
        for (auto const& s : o->all())
            for (int k = 0; k < s.slot_count; ++k) add(s.slots[k], bytes_of(store.variables().at[s.variable]));
        add(o->powers.at, static_cast<std::size_t>(o->powers.count) * sizeof(double));
        add(&o->global_step, sizeof o->global_step);
    }
    add(&store.steps, sizeof store.steps);
    add(&store.seed, sizeof store.seed);
    return bytes;
}
using test::contains;

// What restore says, after checking that it changed nothing.
template<class Train, class... Flag>
std::string refusal(Train& train, std::filesystem::path const& path, Flag... flag) {
    std::string const before = state_of(train.store());
    std::string const message = test::message_of<xg::checkpoint_error>([&] { xg::restore(train, path, flag...); });
    CHECK(state_of(train.store()) == before);
    return message;
}
// A checkpoint with changes, for what save itself never writes.
template<class Change>
void rewrite(std::filesystem::path const& from, std::filesystem::path const& to, Change change) {
    xg::safetensors_file const file(from);
    std::vector<xg::tensor_record> tensors;
    for (auto const& t : file.tensors()) tensors.push_back({t.name, t.type, t.shape, t.data});
    auto metadata = file.metadata();
    change(tensors, metadata);
    xg::write_safetensors(to, tensors, metadata);
}

}   // namespace

TEST_CASE("a checkpoint gives the same bits back, and training goes on alike") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors";
    auto train = make();
    train.initialize(xg::glorot_uniform{.seed = 11});
    train.assign(frozen, std::vector<float>(9, 0.75f));
    for (int k = 0; k < 4; ++k) step(train, k);
    xg::save(train, path, {{"note", "after four \"steps\" \xc3\xa4"}, {"empty", ""}});
    CHECK(folder.files() == 1);
    std::string const saved = state_of(train.store());

    auto again = make();
    again.initialize(xg::glorot_uniform{.seed = 5});
    step(again, 9);
    auto const metadata = xg::restore(again, path);
    CHECK(metadata == std::map<std::string, std::string>{{"note", "after four \"steps\" \xc3\xa4"}, {"empty", ""}});
    CHECK(state_of(again.store()) == saved);
    CHECK(again.global_step() == 4);
    CHECK(again.store().seed == 11);
    for (int k = 4; k < 9; ++k) CHECK(step(train, k) == step(again, k));   // dropout draws the same numbers
    CHECK(state_of(train.store()) == state_of(again.store()));

    // the same state gives the same file, over an old one too
    auto const other = folder.path / "b.safetensors";
    xg::save(train, other);
    std::string const bytes = read_bytes(other);
    xg::save(again, other);
    CHECK(read_bytes(other) == bytes);
    CHECK(folder.files() == 2);
}

TEST_CASE("A8 names of tensors are TensorFlow's") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors";
    auto train = make();
    xg::save(train, path);
    xg::safetensors_file const file(path);
    std::vector<std::string> names;
    for (auto const& t : file.tensors()) names.push_back(t.name);
    CHECK(names == std::vector<std::string>{"beta1_power", "beta2_power", "enc/b1", "enc/b1/Adam", "enc/b1/Adam_1", "frozen", "global_step",
                       "table", "table/Ftrl", "table/Ftrl_1", "w1", "w1/Adam", "w1/Adam_1"});
    CHECK(file.find("w1/Adam_1")->shape == std::vector<std::int64_t>{6, 9});
    CHECK(file.find("beta1_power")->values<double>()[0] == 0.9);
    CHECK(file.metadata().at("xgrad.rule.table") == "Ftrl");
    CHECK(file.metadata().count("xgrad.rule.frozen") == 0);

    // two Adams, and a variable that already has the name of a slot: numbered as TensorFlow does
    constexpr auto a = xg::variable<"a", float, 2>;
    constexpr auto taken = xg::variable<"a/Adam", float, 2>;
    auto two = xg::minimize(xg::sum(a * taken), xg::param_group(xg::adam{}, a), xg::param_group(xg::adam{.beta1 = .5}, taken));
    xg::save(two, path);
    xg::safetensors_file const second(path);
    CHECK(second.find("a/Adam")->values<float>()[0] == 0.0f);
    for (char const* name : {"a/Adam_1", "a/Adam_2", "a/Adam/Adam", "a/Adam/Adam_1", "beta1_power", "beta1_power_1", "beta2_power_1"})
        CHECK(second.find(name) != nullptr);
    CHECK(second.find("beta1_power_1")->values<double>()[0] == 0.5);
    CHECK_NOTHROW(xg::restore(two, path));
}

TEST_CASE("every difference is listed, and nothing is changed") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors", changed = folder.path / "b.safetensors";
    auto train = make();
    train.initialize(xg::glorot_uniform{.seed = 11});
    step(train, 0);
    xg::save(train, path);
    auto other = make();
    other.initialize(xg::glorot_uniform{.seed = 12});

    SUBCASE("missing, unknown, other shape, other element type, all in one message") {
        std::vector<double> const wide(20 * 9);
        std::vector<float> const extra(3);
        rewrite(path, changed, [&](auto& tensors, auto&) {
            std::erase_if(tensors, [](auto const& t) { return t.name == "w1/Adam_1" || t.name == "beta2_power"; });
            for (auto& t : tensors) {
                if (t.name == "w1") t.shape = {9, 6};
                if (t.name == "table") t.type = xg::dtype::float64, t.data = wide.data();
            }
            tensors.push_back({"w9", xg::dtype::float32, {3}, extra.data()});
        });
        std::string const message = refusal(other, changed);
        CHECK(contains(message, changed.string()));
        CHECK(contains(message, "\"w1/Adam_1\" is float[6, 9] here and missing in the file"));
        CHECK(contains(message, "\"beta2_power\" is double[] here and missing in the file"));
        CHECK(contains(message, "\"w1\" is float[6, 9] here and float[9, 6] in the file"));
        CHECK(contains(message, "\"table\" is float[20, 9] here and double[20, 9] in the file"));
        CHECK(contains(message, "\"w9\" is float[3] in the file and unknown here"));
        CHECK(!contains(message, "variables_only"));   // which would be refused, too
    }
    SUBCASE("another rule") {
        auto sgd = xg::minimize(loss, xg::gradient_descent{});
        std::string const message = refusal(sgd, path);
        CHECK(contains(message, "(restore(owner, path, xgrad::variables_only) takes the variables and leaves optimizer, step and seed)"));
        CHECK(contains(message, "variable \"w1\" is trained by the rule GradientDescent here and by the rule Adam in the file"));
        CHECK(contains(message, "variable \"table\" is trained by the rule GradientDescent here and by the rule Ftrl in the file"));
        CHECK(contains(message, "\"w1/Adam\" is float[6, 9] in the file and unknown here"));
        // slots of the same names and shapes do not hide another rule
        rewrite(path, changed, [](auto&, auto& metadata) { metadata["xgrad.rule.w1"] = "Nadam"; });
        CHECK(contains(refusal(other, changed), "\"w1\" is trained by the rule Adam here and by the rule Nadam in the file"));
        rewrite(path, changed, [](auto&, auto& metadata) { metadata.erase("xgrad.rule.w1"); });
        CHECK(contains(refusal(other, changed), "\"w1\" is trained by the rule Adam here and by no rule in the file"));
    }
    SUBCASE("rules that share TensorFlow's name and slots") {
        auto adam = xg::minimize(loss, xg::adam{});
        auto lazy_adam = xg::minimize(loss, xg::lazy_adam{});
        auto lazy = xg::minimize(loss, xg::lazy{xg::adam{}});
        adam.initialize(xg::glorot_uniform{.seed = 11});
        step(adam, 0);
        xg::save(adam, path);
        CHECK(xg::safetensors_file(path).metadata().at("xgrad.kind.w1") == "adam (exact)");
        CHECK(contains(refusal(lazy_adam, path), "variable \"w1\" is trained by lazy_adam (lazy) here and by adam (exact) in the file"));
        CHECK(contains(refusal(lazy, path), "variable \"table\" is trained by adam (lazy) here and by adam (exact) in the file"));
        // a file that does not say is taken by TensorFlow's name
        rewrite(path, changed,
            [](auto&, auto& metadata) { std::erase_if(metadata, [](auto const& m) { return m.first.starts_with("xgrad.kind."); }); });
        xg::restore(lazy_adam, changed);
        CHECK(state_of(lazy_adam.store()) == state_of(adam.store()));
        xg::save(lazy_adam, path);
        CHECK(xg::safetensors_file(path).metadata().at("xgrad.kind.w1") == "lazy_adam (lazy)");
        CHECK_NOTHROW(xg::restore(lazy_adam, path));
    }
    SUBCASE("seed and version") {
        for (char const* seed : {"", "-1", "1x", " 1", "18446744073709551616", "01"}) {
            rewrite(path, changed, [&](auto&, auto& metadata) { metadata["xgrad.seed"] = seed; });
            CHECK(contains(refusal(other, changed), *seed != 0 ? "which is not a seed" : "have no \"xgrad.seed\""));
        }
        rewrite(path, changed, [](auto&, auto& metadata) { metadata["xgrad.checkpoint"] = "2"; });
        CHECK(contains(refusal(other, changed), "version \"2\""));
        rewrite(path, changed, [](auto&, auto& metadata) { metadata.clear(); });
        CHECK(contains(refusal(other, changed), "was not written by xgrad::save"));
        std::int64_t const minus = -1;
        rewrite(path, changed, [&](auto& tensors, auto&) {
            for (auto& tensor : tensors)
                if (tensor.name == "global_step") tensor.data = &minus;
        });
        CHECK(contains(refusal(other, changed), "\"global_step\" is negative in the file"));
        rewrite(path, changed, [](auto&, auto& metadata) { metadata["xgrad.seed"] = "18446744073709551615"; });
        xg::restore(other, changed);
        CHECK(other.store().seed == ~std::uint64_t{0});
    }
    SUBCASE("variables without a trainer") {
        xg::variables all{loss};
        all.initialize(xg::glorot_uniform{.seed = 1});
        CHECK(contains(refusal(all, path), "\"w1/Adam\" is float[6, 9] in the file and unknown here"));
        std::uint64_t const seed = all.store().seed;
        CHECK(xg::restore(all, path, xg::variables_only).empty());
        CHECK(std::memcmp(all.value(w1).data(), train.value(w1).data(), 6 * 9 * 4) == 0);
        CHECK(std::memcmp(all.value(table).data(), train.value(table).data(), 20 * 9 * 4) == 0);
        CHECK(all.store().steps == 0);
        CHECK(all.store().seed == seed);
        xg::save(all, changed);   // variables have separate checkpoints
        xg::variables copy{loss};
        CHECK_NOTHROW(xg::restore(copy, changed));
        CHECK(state_of(copy.store()) == state_of(all.store()));
        CHECK(contains(refusal(other, changed), "missing in the file"));
    }
}

TEST_CASE("variables_only takes the variables and leaves the rest") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors";
    auto train = make();
    train.initialize(xg::glorot_uniform{.seed = 11});
    step(train, 0);
    xg::save(train, path, {{"k", "v"}});
    auto sgd = xg::minimize(loss, xg::momentum{});
    sgd.initialize(xg::glorot_uniform{.seed = 3});
    step(sgd, 1);
    step(sgd, 2);
    std::vector<float> const slot(sgd.slot(w1, "momentum").begin(), sgd.slot(w1, "momentum").end());
    CHECK(xg::restore(sgd, path, xg::variables_only) == std::map<std::string, std::string>{{"k", "v"}});
    CHECK(std::memcmp(sgd.value(w1).data(), train.value(w1).data(), 6 * 9 * 4) == 0);
    CHECK(std::memcmp(sgd.value(b1).data(), train.value(b1).data(), 9 * 4) == 0);
    CHECK(std::memcmp(sgd.slot(w1, "momentum").data(), slot.data(), 6 * 9 * 4) == 0);
    CHECK(sgd.global_step() == 2);
    CHECK(sgd.store().seed == 3);
    // one that is missing or of another shape is an error here too
    auto two = xg::minimize(loss + xg::cast<float>(small), xg::gradient_descent{});
    std::string const message = refusal(two, path, xg::variables_only);
    CHECK(contains(message, "\"v\" is double[2] here and missing in the file"));
    CHECK(!contains(message, "w1"));
}

TEST_CASE("variables_as takes what it names, also from a file with element types that xgrad does not have") {
    temporary_folder folder;
    auto const path = folder.path / "python.safetensors";
    // As torch.nn.Linear(6, 9) and a mask of bytes are saved by Python: the weight is [out, in].
    std::vector<float> weight(9 * 6);
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = static_cast<float>(i);
    std::string const header = R"({"fc.mask":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[216,224]},)"
                               R"("fc.weight":{"dtype":"F32","shape":[9,6],"data_offsets":[0,216]}})";
    std::uint64_t const length = header.size();
    std::string bytes(reinterpret_cast<char const*>(&length), sizeof length);
    bytes += header;
    bytes.append(reinterpret_cast<char const*>(weight.data()), weight.size() * sizeof(float));
    bytes += "01010101";
    std::ofstream(path, std::ios::binary) << bytes;

    auto train = make();
    xg::restore(train, path, xg::variables_as{{"w1", xg::transposed("fc.weight")}});
    bool right = true;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 9; ++j) right = right && train.value(w1)(i, j) == weight[static_cast<std::size_t>(j * 6 + i)];
    CHECK(right);

    std::string const hint = refusal(train, path, xg::variables_as{{"w1", "fc.weight"}});
    CHECK(contains(hint, "\"w1\" is float[6, 9] here and float[9, 6] in the file"));
    CHECK(contains(hint, "xgrad::variables_as{{\"w1\", xgrad::transposed(\"fc.weight\")}}) takes it transposed"));
    CHECK(contains(refusal(train, path, xg::variables_as{{"w1", "fc.mask"}}), "F8_E4M3[8] in the file"));
    CHECK(contains(refusal(train, path, xg::variables_as{{"enc/b1", xg::transposed("fc.mask")}}), "only a matrix can be taken transposed"));
    CHECK(contains(test::message_of<xg::checkpoint_error>([] {
        xg::variables_as const twice{{"w1", "a"}, {"w1", "b"}};
    }),
        "the variable \"w1\" is named twice, as \"a\" and as \"b\""));
    // a matrix that the file has as it is here
    auto const same = folder.path / "same.safetensors";
    xg::tensor_record const record{"w", xg::dtype::float32, {6, 9}, weight.data()};
    xg::write_safetensors(same, std::span(&record, 1));
    CHECK(contains(refusal(train, same, xg::variables_as{{"w1", xg::transposed("w")}}), "it needs no xgrad::transposed"));
}

TEST_CASE("files that are cut, empty or missing are refused, and nothing is changed") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors", cut = folder.path / "cut.safetensors";
    auto train = xg::minimize(small, xg::adam{});
    train();
    xg::save(train, path);
    std::string const bytes = read_bytes(path), before = state_of(train.store());
    for (std::size_t n = 0; n < bytes.size(); n += n + 9 < bytes.size() ? 7 : 1) {
        write_bytes(cut, std::string_view(bytes).substr(0, n));
        CHECK_THROWS_AS(xg::restore(train, cut), xg::io_error);
        CHECK_THROWS_AS(xg::restore(train, cut, xg::variables_only), xg::io_error);
    }
    CHECK_THROWS_AS(xg::restore(train, folder.path / "none"), xg::io_error);
    CHECK_THROWS_AS(xg::restore(train, folder.path), xg::io_error);
    CHECK(state_of(train.store()) == before);
    CHECK_NOTHROW(xg::restore(train, path));
}

TEST_CASE("every bit counts: what is flipped in a checkpoint is found, named, and restored nowhere") {
    temporary_folder const folder;
    auto const path = folder.path / "a.safetensors", flipped = folder.path / "flipped.safetensors";
    auto train = xg::minimize(small, xg::adam{});
    train();
    xg::save(train, path, {{"note", "x"}});
    std::string const before = state_of(train.store());
    std::string bytes = read_bytes(path);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    // as they are in the file: eight bytes for each number of 64 bits
    char const* const names[] = {"v", "v", "v/Adam", "v/Adam", "v/Adam_1", "v/Adam_1", "beta1_power", "beta2_power", "global_step"};
    REQUIRE(bytes.size() == 8 + length + 8 * std::size(names));
    std::size_t accepted = 0, unnamed = 0, changed = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        auto const flip = [&] { bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8); };
        flip();
        write_bytes(flipped, bytes);
        flip();
        bool const data = bit / 8 >= 8 + length;
        std::string const name = data ? std::string("tensor \"") + names[bit / 64 - 1 - length / 8] + "\" is damaged" : "";
        for (bool const only : {false, true}) {
            std::string const said = test::message_of<xg::io_error>([&] {
                if (only) xg::restore(train, flipped, xg::variables_only);
                else xg::restore(train, flipped);
            });
            accepted += said.empty();
            unnamed += !contains(said, name) || !contains(said, flipped.string());
        }
        changed += state_of(train.store()) != before;
    }
    CHECK(accepted == 0);
    CHECK(unnamed == 0);
    CHECK(changed == 0);
    CHECK(xg::restore(train, path).size() == 1);   // checksums are no metadata of the caller
}

TEST_CASE("a save that fails leaves the old file and no other") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors";
    auto train = xg::minimize(small, xg::adam{});
    xg::save(train, path);
    std::string const bytes = read_bytes(path);
    train();
    CHECK(contains(test::message_of<xg::io_error>([&] { xg::save(train, path, {{"xgrad.seed", "1"}}); }), "reserved for xgrad"));
    CHECK(contains(test::message_of<xg::io_error>([&] { xg::save(train, path, {{"bad", "\xff"}}); }), "UTF-8"));
    CHECK_THROWS_AS(xg::save(train, folder.path / "no" / "a.safetensors"), xg::io_error);
    CHECK(read_bytes(path) == bytes);
    CHECK(folder.files() == 1);
    std::filesystem::create_directory(folder.path / "d");   // a folder cannot be replaced
    CHECK_THROWS_AS(xg::save(train, folder.path / "d"), xg::io_error);
    CHECK(folder.files() == 2);
    auto const& constant = train;
    xg::save(constant, path);
    CHECK(read_bytes(path) != bytes);
}

TEST_CASE("integer variables and numbers of rank 0 are saved") {
    temporary_folder folder;
    auto const path = folder.path / "a.safetensors";
    constexpr auto scale = xg::variable<"scale", double>;
    constexpr auto counts = xg::non_trainable<"counts", std::int64_t, 3>;
    constexpr auto total = xg::sum(scale * xg::cast<double>(counts));
    xg::variables all{total};
    all.value(scale)[0] = 0.1;
    all.assign(counts, std::vector<std::int64_t>{1, -2, std::int64_t{1} << 62});
    xg::save(all, path);
    xg::variables copy{total};
    xg::restore(copy, path);
    CHECK(state_of(copy.store()) == state_of(all.store()));
    CHECK(copy.value(counts)[2] == std::int64_t{1} << 62);
}

TEST_CASE("variables with named dimensions: their sizes are saved, and must be those of the file") {
    static constexpr xg::dim features{"features"};
    constexpr auto rows = xg::variable<"rows", float, features, 3>;
    constexpr auto lookup = xg::mean(xg::square(xg::gather(rows, ids) - 1_c));
    auto const at = std::vector<std::int32_t>{0, 4, 4, 2};
    temporary_folder const folder;
    std::string const path = (folder.path / "m.safetensors").string();
    xg::random_uniform const how{.seed = 7};
    auto train = xg::minimize(lookup, xg::lazy_adam{.learning_rate = .1}, features = 5);
    train.initialize(how);
    for (int k = 0; k < 3; ++k) train(ids = at);
    xg::save(train, path);
    CHECK(xg::saved_size(path, features) == 5);
    CHECK_THROWS_AS(xg::saved_size(path, batch), xg::checkpoint_error);

    auto same = xg::minimize(lookup, xg::lazy_adam{.learning_rate = .1}, features = xg::saved_size(path, features));
    xg::restore(same, path);
    CHECK(same(ids = at) == train(ids = at));
    CHECK(same.slot(rows, "m")(4, 1) == train.slot(rows, "m")(4, 1));

    auto small = xg::minimize(lookup, xg::lazy_adam{.learning_rate = .1}, features = 4);
    std::string said;
    try {
        xg::restore(small, path);
    } catch (xg::checkpoint_error const& e) { said = e.what(); }
    CHECK(said.find("the dimension \"features\" has 4 elements here and 5 in the file") != std::string::npos);
    CHECK(said.find("\"rows\" is float[4, 3] here and float[5, 3] in the file") != std::string::npos);
    CHECK(small.value(rows)(3, 2) == 0);
    small.grow(features = 5, how);
    xg::restore(small, path);
    CHECK(small.store().steps == 3);
    CHECK(small.value(rows)(1, 2) == train.value(rows)(1, 2));   // a row that is never looked up
    train.grow(features = 8, how);
    xg::save(train, path);
    CHECK(xg::saved_size(path, features) == 8);
    CHECK_THROWS_AS(xg::restore(small, path), xg::checkpoint_error);
}

TEST_CASE("a table that grows with its vocabulary: saved together, restored together") {
    static constexpr xg::dim features{"features"};
    constexpr auto rows = xg::variable<"rows", float, features, 3>;
    constexpr auto lookup = xg::mean(xg::square(xg::gather(rows, ids) - 1_c));
    xg::random_uniform const how{.seed = 7};
    auto const make = [lookup](std::int64_t n) { return xg::minimize(lookup, xg::adagrad{.learning_rate = .1}, features = n); };
    temporary_folder const folder;
    std::string const path = (folder.path / "m.safetensors").string();
    xg::vocabulary words{"words"};
    auto train = make(2);
    train.initialize(how);
    auto large = make(8);   // as if all keys had been known
    large.initialize(how);
    std::vector<std::int64_t> const seen[]{{7, -7, 7, 7}, {1'000'000'007, 7, 0, -7}, {0, 5, 6, 7}};
    for (auto const& keys : seen) {
        auto const at = words.lookup_or_insert(keys);
        if (words.size() > train.value(rows).shape(0)) train.grow(features = 2 * train.value(rows).shape(0), how);
        REQUIRE(words.size() <= train.value(rows).shape(0));
        CHECK(train(ids = at) == large(ids = at));
    }
    CHECK(words.size() == 6);
    CHECK(train.value(rows).shape(0) == 8);
    xg::save(train, path, {{"note", "hello"}}, words);

    auto again = make(xg::saved_size(path, features));
    xg::vocabulary back{"words"}, other{"others"};
    back.lookup_or_insert(99);
    CHECK_THROWS_AS(xg::restore(again, path), xg::checkpoint_error);          // keys that nothing takes
    CHECK_THROWS_AS(xg::restore(again, path, other), xg::checkpoint_error);   // keys that are not there
    auto small = make(4);
    CHECK_THROWS_AS(xg::restore(small, path, back), xg::checkpoint_error);
    CHECK(back.keys() == std::vector<std::int64_t>{99});   // nothing has been changed
    CHECK(xg::restore(again, path, back).at("note") == "hello");
    CHECK(back.keys() == words.keys());
    CHECK(back.lookup(1'000'000'007) == 2);
    CHECK(!back.contains(99));
    auto const at = back.lookup_or_insert(std::vector<std::int64_t>{5, -7});
    CHECK(again(ids = at) == train(ids = at));
    CHECK_THROWS_AS(xg::save(train, path, {}, words, back), xg::io_error);
    xg::variables serve{lookup, features = 8};
    CHECK(xg::restore(serve, path, xg::variables_only).size() == 1);
}

TEST_CASE("a schedule with a memory is saved beside the variables, and refused where it is none") {
    constexpr auto v = xg::variable<"v", double>;
    constexpr auto seen = xg::input<"seen", double>;
    xg::reduce_on_plateau plateau{.learning_rate = 1, .factor = 0.5, .patience = 1}, back = plateau, other{.label = "other"};
    auto train = xg::minimize(xg::square(v - seen), xg::adam{.learning_rate = plateau.schedule()});
    auto again = xg::minimize(xg::square(v - seen), xg::adam{.learning_rate = back.schedule()});
    for (double const value : {3.0, 4.0, 5.0, 2.0, 6.0}) {
        train(seen = value);
        plateau.observe(value);
    }
    CHECK(plateau.learning_rate == 0.5);
    temporary_folder const folder;
    std::string const path = (folder.path / "m.safetensors").string();
    xg::save(train, path, {}, plateau);
    CHECK_THROWS_AS(xg::restore(again, path, other), xg::checkpoint_error);
    CHECK_THROWS_AS(xg::restore(again, path), xg::checkpoint_error);
    CHECK(back.learning_rate == 1);
    xg::restore(again, path, back);
    CHECK(back.numbers() == plateau.numbers());
    for (double const value : {7.0, 8.0, 1.0}) {
        plateau.observe(value);
        back.observe(value);
        CHECK(train(seen = value) == again(seen = value));
    }
    CHECK(back.learning_rate == 0.25);
    auto const kept = back.numbers();
    auto const nan = std::bit_cast<std::int64_t>(std::numeric_limits<double>::quiet_NaN());
    for (std::vector<std::int64_t> const& wrong :
        {std::vector<std::int64_t>{}, {0, 0, 0}, {nan, 0, 0, 0}, {0, nan, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}, {0, 0, 1ll << 40, 0}})
        CHECK(!back.assign(wrong));
    CHECK(back.numbers() == kept);
}
