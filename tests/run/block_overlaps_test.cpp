// What blocks send each other, by threads: afterwards each has in its overlaps the cells of the grid, across faces,
// edges and corners.
#include <gtest/gtest.h>

#include <thread>

#include "execute/overlaps.hpp"
#include "support/thread_ranks.hpp"

namespace kasc {
namespace {

struct Case {
    std::vector<long long> cells;  ///< of the grid along x, y, z
    basis::BasisRequest request;
    std::vector<std::size_t> renewed{0, 1, 2};
};

/// Which cell of the grid each cell of a block is; -1: its overlap is not renewed.
class Cells {
public:
    Cells(const Case& of, const basis::Blocks& blocks, int rank) : of_(of) {
        const std::vector<int> own = blocks.of_rank(rank);
        std::size_t cut = 0;
        for (std::size_t k = 0; k < of.cells.size(); ++k) {
            std::vector<long long> along;
            const bool is_cut = cut < blocks.axes.size() && blocks.axes[cut].axis.index == k;
            const basis::BlockPart part =
                is_cut ? basis::part_of(blocks.axes[cut], own[cut]) : basis::BlockPart{0, of.cells[k], 0, 0};
            const bool renewed = std::find(of.renewed.begin(), of.renewed.end(), k) != of.renewed.end();
            for (long long i = -part.low; i < part.own + part.high; ++i) {
                const bool here = i >= 0 && i < part.own;
                along.push_back(here || renewed ? (part.first + i + of.cells[k]) % of.cells[k] : -1);
                own_.resize(3);
                own_[k].push_back(here);
            }
            cut += is_cut ? 1 : 0;
            along_.push_back(std::move(along));
        }
    }
    [[nodiscard]] std::vector<long long> extents() const {
        return {static_cast<long long>(along_[0].size()), static_cast<long long>(along_[1].size()),
                static_cast<long long>(along_[2].size())};
    }
    template <class Visit>
    void each(const Visit& visit) const {
        std::size_t at = 0;
        for (std::size_t z = 0; z < along_[2].size(); ++z) {
            for (std::size_t y = 0; y < along_[1].size(); ++y) {
                for (std::size_t x = 0; x < along_[0].size(); ++x, ++at) {
                    const bool known = along_[0][x] >= 0 && along_[1][y] >= 0 && along_[2][z] >= 0;
                    const long long cell = (along_[2][z] * of_.cells[1] + along_[1][y]) * of_.cells[0] + along_[0][x];
                    visit(at, known ? cell : -1, own_[0][x] && own_[1][y] && own_[2][z]);
                }
            }
        }
    }

private:
    const Case& of_;
    std::vector<std::vector<long long>> along_;
    std::vector<std::vector<bool>> own_;
};

Program waves() {
    const auto program = read_program(make_source("case.kas",
                                                  "axis x = 4; axis y = 4; axis z = 4;\n"
                                                  "complex u[x, y, z];\n"
                                                  "u = x + y + z; u = ifft(fft(u));\n"
                                                  "return u;\n"),
                                      Library{});
    EXPECT_TRUE(program) << render_text(program.diagnostics);
    return *program;
}

class BlockOverlaps : public testing::TestWithParam<Case> {};

TEST_P(BlockOverlaps, AreTheCellsOfTheGrid) {
    const Program program = waves();
    const auto blocks = basis::blocks_of(program, GetParam().cells, GetParam().request);
    ASSERT_TRUE(blocks) << render_text(blocks.diagnostics);
    const VariableId u{0};
    const auto all = std::make_shared<test::ThreadRanks>();
    const int ranks = GetParam().request.processes;
    std::vector<std::thread> threads;
    std::vector<int> wrong(static_cast<std::size_t>(ranks), -1);
    for (int rank = 0; rank < ranks; ++rank) {
        threads.emplace_back([&, rank] {
            const Cells cells(GetParam(), *blocks.value, rank);
            std::vector<std::array<float, 2>> array;
            cells.each([&](std::size_t, long long cell, bool own) {
                const auto value = static_cast<float>(own ? cell : -7);
                array.push_back({value, -value});
            });
            std::vector<runtime::Message> messages;
            auto* const bytes = reinterpret_cast<std::byte*>(array.data());
            for (const execute::BlockPiece& p :
                 execute::block_pieces(program, u, GetParam().renewed, cells.extents(), *blocks.value, rank))
                messages.push_back({p.other, p.sends, bytes + p.at, p.bytes, p.rows, p.apart});
            test::ThreadRank(all, rank, ranks, 3 + static_cast<unsigned>(rank)).exchange(messages);
            int count = 0;
            cells.each([&](std::size_t at, long long cell, bool) {
                const auto value = static_cast<float>(cell);
                if (cell >= 0 && (array[at][0] != value || array[at][1] != -value)) ++count;
            });
            wrong[static_cast<std::size_t>(rank)] = count;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(static_cast<std::size_t>(ranks), 0));
}

INSTANTIATE_TEST_SUITE_P(Grids, BlockOverlaps,
                         testing::Values(Case{{20, 18, 22}, {3, {2, 2, 2}, 8}}, Case{{20, 17, 9}, {4, {3, 1, 1}, 3}},
                                         Case{{8, 21, 23}, {3, {1, 2, 3}, 6}},
                                         // Blocks shorter than overlaps, which reach beyond a neighbour.
                                         Case{{6, 24, 7}, {5, {1, 8}, 8}},
                                         // One axis of those that are cut.
                                         Case{{20, 18, 22}, {3, {2, 2, 2}, 8}, {1}}));

}  // namespace
}  // namespace kasc
