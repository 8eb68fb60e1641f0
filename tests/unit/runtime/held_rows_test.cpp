// Arrays that several processes have rows of: read, digested and written by parts, here by threads.
#include "runtime/runs/held_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

#include "runtime/hdf5/file.hpp"
#include "runtime/runs/digest_in_turn.hpp"
#include "runtime/runs/inputs.hpp"
#include "runtime/runs/outputs.hpp"
#include "support/thread_ranks.hpp"
#include "unit/runtime/sample_programs.hpp"
#include "unit/runtime/scratch.hpp"

namespace kasc::runtime {
namespace {

/// `act(communicator)` by so many.
void together(int ranks, const std::function<void(Communicator&)>& act) {
    const auto all = std::make_shared<test::ThreadRanks>();
    std::vector<std::thread> others;
    const auto run = [&](int rank) {
        test::ThreadRank own(all, rank, ranks);
        act(own);
    };
    for (int rank = 1; rank < ranks; ++rank) others.emplace_back(run, rank);
    run(0);
    for (std::thread& other : others) other.join();
}

/// Near-equal parts.
HeldRows part_of(std::uint64_t rows, const Communicator& processes) {
    const auto ranks = static_cast<std::uint64_t>(processes.ranks()),
               rank = static_cast<std::uint64_t>(processes.rank());
    const std::uint64_t first = rows * rank / ranks;
    return {first, rows * (rank + 1) / ranks - first};
}

class HeldRowsTest : public ScratchTest {};

TEST_F(HeldRowsTest, RowsAreReadWhereTheyBelong) {
    std::vector<float> u(7 * 5 * 3), T(35);
    std::iota(u.begin(), u.end(), 0.0F);
    std::iota(T.begin(), T.end(), 200.0F);
    T[3 * 5 + 1] = NAN;
    ASSERT_TRUE(write_hdf5("in.h5", {{"u", {7, 5, 3}, u}, {"T", {7, 5}, T}}, {}).empty());
    ProgramInterface program = flow_program();
    program.inputs.resize(4);  // the words of u, and T
    const auto surveyed = survey_inputs("in.h5", program, {});
    ASSERT_TRUE(surveyed) << render_text(surveyed.diagnostics);
    // The words of u together, then one with other rows.
    for (const HeldRows& of_y : {HeldRows{2, 3}, HeldRows{0, 7}}) {
        const auto loaded = load_inputs(*surveyed.value, program, std::vector<bool>(4, true),
                                        {HeldRows{2, 3}, of_y, HeldRows{2, 3}, HeldRows{3, 1}});
        ASSERT_TRUE(loaded) << render_text(loaded.diagnostics);
        for (std::size_t word = 0; word < 3; ++word) {
            const ArrayView& array = loaded->arrays.at(word);
            EXPECT_EQ(array.shape, (Shape{7, 5}));
            for (std::size_t i = 10; i < 25; ++i)
                EXPECT_EQ(array.values[i], static_cast<double>(3 * i + word)) << word << " " << i;
            EXPECT_EQ(array.values[30], word == 1 && of_y.rows == 7 ? 91 : 0);  // nobody has touched it
        }
        EXPECT_EQ(loaded->arrays.at(3).values[15], 215);
        ASSERT_EQ(loaded.diagnostics.size(), 1U);
        EXPECT_EQ(loaded.diagnostics[0].message, "1 of 5 values of 'T' are not finite, the first at [3, 1]");
    }
    // Whoever has no rows reads one, and there is room for all.
    const auto none = load_inputs(*surveyed.value, program, {false, false, false, true}, {{}, {}, {}, HeldRows{7, 0}});
    ASSERT_TRUE(none);
    EXPECT_EQ(none->arrays.at(3).values.size(), 35U);
}

TEST_F(HeldRowsTest, ADigestIsThatOfOne) {
    std::vector<std::byte> bytes(1000);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte{static_cast<unsigned char>(i * i % 251)};
    const std::string whole = digest_text(bytes.data(), bytes.size());
    for (const int ranks : {1, 2, 3, 8}) {
        together(ranks, [&](Communicator& processes) {
            const HeldRows own = part_of(bytes.size(), processes);
            const Digest digest =
                digest_in_turn(&processes, [&](Digest& d) { d.add(bytes.data() + own.first, own.rows); });
            EXPECT_EQ(digest.text(), whole) << processes.rank();
        });
    }
}

/// Cells that lie together, of which some words may be rank 0's alone; more processes than rows.
TEST_F(HeldRowsTest, TheFileOfSeveralIsThatOfOne) {
    const ProgramInterface program = flow_program();
    const std::vector<long long> extents{40, 5};
    const std::size_t outputs_in_all = program.outputs.size();
    const auto fill = [&](Outputs& outputs, std::size_t i, std::uint64_t low, std::uint64_t high) {
        void* const to = outputs.pointers().at(i);
        for (std::uint64_t k = low; k < high; ++k) {
            const double value = k == 163 ? INFINITY : static_cast<double>(1000 * i + k);
            if (outputs.arrays().at(i).values.type() == WordType::float64) static_cast<double*>(to)[k] = value;
            if (outputs.arrays().at(i).values.type() == WordType::float32)
                static_cast<float*>(to)[k] = static_cast<float>(value);
        }
    };
    auto alone = create_outputs({"alone.h5", "", "0.1.0"}, program, extents);
    ASSERT_TRUE(alone) << render_text(alone.diagnostics);
    for (std::size_t i = 0; i < outputs_in_all; ++i) fill(*alone.value, i, 0, 200);
    const auto bad = alone->not_finite();
    ASSERT_TRUE(alone.value->write().empty());
    for (const std::size_t on_first : {outputs_in_all, std::size_t{0}, std::size_t{1}}) {
        for (const int ranks : {2, 3, 8}) {
            together(ranks, [&](Communicator& processes) {
                const HeldRows own = part_of(5, processes);
                OutputRequest request{"together.h5", "", "0.1.0"};
                request.processes = &processes;
                request.held.assign(outputs_in_all, own);
                if (on_first < outputs_in_all) request.held[on_first].reset();
                auto outputs = create_outputs(request, program, extents);
                ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
                for (std::size_t i = 0; i < outputs_in_all; ++i) {
                    if (i != on_first) fill(*outputs.value, i, 40 * own.first, 40 * (own.first + own.rows));
                    if (i == on_first && processes.rank() == 0) fill(*outputs.value, i, 0, 200);
                }
                const auto found = outputs->not_finite();
                ASSERT_EQ(found.size(), bad.size());
                for (std::size_t i = 0; i < found.size(); ++i) {
                    EXPECT_EQ(found[i].count, bad[i].count);
                    EXPECT_EQ(found[i].of, bad[i].of);
                    EXPECT_EQ(found[i].first, bad[i].first);
                }
                EXPECT_TRUE(outputs.value->write().empty());
            });
            EXPECT_TRUE(read_text("alone.h5") == read_text("together.h5")) << on_first << ", " << ranks;
        }
    }
}

TEST_F(HeldRowsTest, WhatOneCannotWriteAllKnow) {
    const ProgramInterface program = flow_program();
    std::filesystem::create_directory("folder");
    together(3, [&](Communicator& processes) {
        OutputRequest request{"folder/out.h5", "", "0.1.0"};
        request.processes = &processes;
        request.held.assign(program.outputs.size(), part_of(5, processes));
        auto outputs = create_outputs(request, program, {40, 5});
        ASSERT_TRUE(outputs) << render_text(outputs.diagnostics);
        if (processes.rank() == 0) std::filesystem::remove_all("folder");
        const Diagnostics said = outputs.value->write();
        ASSERT_EQ(said.size(), 1U);
        EXPECT_EQ(said.front().code, processes.rank() == 0 ? "K0720" : "K0721");
        const bool names_it = said.front().message.starts_with("rank 0 of 3: ");
        EXPECT_EQ(names_it, processes.rank() > 0) << said.front().message;
    });
}

}  // namespace
}  // namespace kasc::runtime
