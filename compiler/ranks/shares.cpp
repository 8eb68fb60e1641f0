// Blocks of a launch of 4 x 128 x 10 over 4 ranks: z has too few for near-equal parts (3, 2, 3, 2), y has enough, so
// each rank has 32 rows of blocks. An array of 37 pages over 4 ranks: 9, 9, 10, 9.
#include "ranks/shares.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::ranks {

namespace {

/// With so many blocks a rank along a dimension parts differ by at most an eighth.
constexpr long long even_enough = 8;
/// Launches of fewer blocks a rank are over before other ranks have been told of them: a launch that waits for others
/// takes some 10 us.
constexpr long long least_blocks = 8;
/// Length in rims that a share has at least to be cut into rims and what lies inside: the inside is to last as long as
/// the rims wait.
constexpr long long least_rims = 6;
/// Pages of an array that a rank's GPU has at least: what is smaller is read from one rank's L2 as fast as it is asked
/// for, and computed by each in the time of an exchange.
constexpr std::uint64_t least_pages = 2;
/// Bytes of an array that a process on CPUs has at least: an exchange takes some microseconds, in which a core moves as
/// much.
constexpr std::uint64_t least_own_bytes = std::uint64_t{64} << 10U;

bool adds_integers(const kernel::Body& body) {
    const auto within = [](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, kernel::Assign>) return node.adds;
        if constexpr (std::is_same_v<Node, kernel::If>)
            return adds_integers(node.then) || adds_integers(node.otherwise);
        if constexpr (std::is_same_v<Node, kernel::For> || std::is_same_v<Node, kernel::Threads> ||
                      std::is_same_v<Node, kernel::Cells>)
            return adds_integers(node.body);
        return false;
    };
    return std::any_of(body.begin(), body.end(),
                       [&](const kernel::Statement& s) { return std::visit(within, s.node); });
}

std::size_t cut_dimension(const Grid& grid, int ranks) {
    for (std::size_t d = grid.size(); d-- > 0;) {
        if (grid[d] >= ranks && (grid[d] % ranks == 0 || grid[d] >= even_enough * ranks)) return d;
    }
    for (std::size_t d = grid.size(); d-- > 0;) {
        if (grid[d] >= ranks) return d;
    }
    return static_cast<std::size_t>(std::max_element(grid.begin(), grid.end()) - grid.begin());
}

}  // namespace

LaunchShares share_blocks(const Grid& grid, int ranks, std::optional<std::size_t> along) {
    LaunchShares shares{along ? *along : cut_dimension(grid, ranks), {}};
    const long long all = grid[shares.along];
    for (int r = 0; r < ranks; ++r) {
        GridShare share{{}, grid};
        share.first[shares.along] = all * r / ranks;
        share.blocks[shares.along] = all * (r + 1) / ranks - share.first[shares.along];
        shares.of_rank.push_back(share);
    }
    return shares;
}

LaunchShares on_first(const Grid& grid, int ranks) {
    LaunchShares shares{0, std::vector<GridShare>(static_cast<std::size_t>(ranks))};
    shares.of_rank.front().blocks = grid;
    return shares;
}

std::vector<LanePart> parts_of(const LaunchShares& shares, long long rim, Ends ends) {
    const int ranks = static_cast<int>(shares.of_rank.size());
    const std::size_t d = shares.along;
    std::vector<LanePart> parts;
    for (int r = 0; r < ranks; ++r) {
        GridShare inside = shares.of_rank[static_cast<std::size_t>(r)];
        if (inside.empty()) continue;
        const auto others = [&](int from, int to) {
            return std::any_of(shares.of_rank.begin() + from, shares.of_rank.begin() + to,
                               [](const GridShare& share) { return !share.empty(); });
        };
        const bool round = ends == Ends::joined && (others(0, r) || others(r + 1, ranks));
        const bool below = round || others(0, r), above = round || others(r + 1, ranks);
        if (rim > 0 && (below || above) && inside.blocks[d] >= least_rims * rim) {
            GridShare cut = inside;
            cut.blocks[d] = rim;
            if (below) {
                parts.push_back({r, rim_lane(r, ranks), cut});
                inside.first[d] += rim;
                inside.blocks[d] -= rim;
            }
            if (above) {
                inside.blocks[d] -= rim;
                cut.first[d] = inside.first[d] + inside.blocks[d];
                parts.push_back({r, rim_lane(r, ranks), cut});
            }
        }
        parts.push_back({r, r, inside});
    }
    return parts;
}

long long rim_of(const SpanNumbers& span) { return (2 * span.reach * span.blocks + span.cells - 1) / span.cells; }

std::vector<long long> cut_cells(long long extent, int ranks) {
    std::vector<long long> ends;
    for (int r = 1; r <= ranks; ++r) ends.push_back(extent * r / ranks);
    return ends;
}

LaunchShares share_cells(const Grid& grid, const SpanNumbers& span, int ranks) {
    LaunchShares shares{span.along, {}};
    const long long all = grid[span.along];
    long long first = 0;
    for (const long long end : cut_cells(span.extent, ranks)) {
        // Blocks of the same cells stay together, but for numbered ones, which have none in common.
        const long long behind = span.numbered ? (end * span.blocks + span.cells - 1) / span.cells
                                               : (end + span.cells - 1) / span.cells * span.blocks;
        const long long last = end == span.extent ? all : std::min(behind, all);
        GridShare share{{}, grid};
        share.first[span.along] = first;
        share.blocks[span.along] = std::max(0LL, last - first);
        shares.of_rank.push_back(share);
        first = std::max(first, last);
    }
    return shares;
}

LaunchShares on_each(const Grid& grid, int ranks) {
    return {0, std::vector<GridShare>(static_cast<std::size_t>(ranks), GridShare{{}, grid})};
}

CellRange cells_of(const SpanNumbers& span, long long first, long long blocks) {
    const long long low = first * span.cells / span.blocks;
    const long long high = ((first + blocks) * span.cells + span.blocks - 1) / span.blocks;
    return {std::min(low, span.extent), std::min(high, span.extent)};
}

std::vector<std::uint64_t> cut_pages(std::uint64_t bytes, int ranks, std::uint64_t page) {
    const std::uint64_t pages = std::max<std::uint64_t>(1, (bytes + page - 1) / page);
    const auto n = static_cast<std::uint64_t>(ranks);
    std::vector<std::uint64_t> ends;
    // In parts of bytes: q + e/n of them end a part, without a product that may not fit.
    for (std::uint64_t r = 1; r < n; ++r) {
        const std::uint64_t end = bytes / n * r + bytes % n * r / n;
        ends.push_back(std::min(pages, (end + page / 2) / page) * page);
    }
    ends.push_back(pages * page);
    return ends;
}

Verdict worth_cutting(std::uint64_t bytes, int ranks, Sharing sharing, Memory memory, Processor processor) {
    const bool of_cpus = memory == Memory::own && processor == Processor::cpu;
    const std::uint64_t part = sharing == Sharing::always ? 1 : of_cpus ? least_own_bytes : least_pages * page_bytes;
    const std::uint64_t least = part * std::uint64_t(ranks);
    if (bytes < least)
        return Verdict::no(fmt::format("{} bytes are less than {} a rank", bytes, least / std::uint64_t(ranks)));
    return Verdict::yes(fmt::format("{:.1f} MB a rank", 1e-6 * static_cast<double>(bytes) / ranks));
}

namespace {

/// Ranks of their own memory must know what each of them stores.
Verdict stores_own_cells(const kernel::Kernel& kernel) {
    if (!kernel.span) return Verdict::no("its blocks are in no order along the outermost axis");
    for (const kernel::Parameter& p : kernel.parameters) {
        const auto* out = std::get_if<kernel::ArrayOut>(&p.source);
        if (out == nullptr) continue;
        const kernel::BlockSpan& span = *kernel.span;
        if (!span.is_near(out->value) && !span.is_around(out->value) && !span.is_by_block(out->value) &&
            !span.is_at_first(out->value))
            return Verdict::no(fmt::format("any of its blocks may store any word of {}", p.name));
    }
    return Verdict::yes("each of its blocks stores its own cells");
}

}  // namespace

Verdict worth_sharing(const kernel::Kernel& kernel, const Grid& grid, int ranks, Sharing sharing, Memory memory) {
    if (ranks == 1) return Verdict::no("there is one rank");
    if (kernel.counts_blocks()) return Verdict::no("its last block to finish goes on, and counts those of one device");
    if (adds_integers(kernel.body))
        return Verdict::no(memory == Memory::own ? "its blocks add to the same integers"
                                                 : "its blocks add to the same integers, by atomics of one device");
    if (memory == Memory::own) {
        if (Verdict own = stores_own_cells(kernel); !own) return own;
    }
    if (kernel.span && grid[kernel.span->along] < 2) return Verdict::no("it has one block along the outermost axis");
    const long long most = *std::max_element(grid.begin(), grid.end()), blocks = grid[0] * grid[1] * grid[2];
    const long long least = sharing == Sharing::always ? 2 : least_blocks * ranks;
    if (memory == Memory::one && (most < 2 || blocks < least))
        return Verdict::no(fmt::format("it has {} blocks, fewer than {}", blocks, least));
    return Verdict::yes(fmt::format("{} blocks", blocks));
}

}  // namespace kasc::ranks
