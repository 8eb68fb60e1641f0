// What a block does with its lines. Between two stages the numbers of a line go through shared memory: a thread leaves
// those of its butterflies where it took them, so that as few barriers as can be are needed. Every second transform of
// the same numbers has its stages turned round: it begins with the words that the one before has taken last.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/fft/schedule.hpp"
#include "search/legality.hpp"

namespace kasc {

namespace {

using namespace block;

constexpr int most_fft_threads = 1024, most_shared_bytes = 200 * 1024;
/// Words beside each other that one access of a warp has in whole lines of a cache, where lines along another axis than
/// the first lie side by side.
constexpr int lines_side_by_side = 16;

class FftBlock {
public:
    FftBlock(const FftSchedule& schedule, const Program& program, const Graph& graph)
        : schedule_(schedule), program_(program), graph_(graph) {}

    BlockProgram run() {
        const int bytes = schedule_.work->is_dual() ? 16 : 8;
        const int all = schedule_.factors().words * schedule_.lines();
        made_.regions.push_back({"lines", Residence::shared, all, 1, bytes, "numbers of lines, between stages"});
        for (const FftStep& step : schedule_.work->steps) {
            if (const auto* pass = std::get_if<FftPass>(&step))
                add(*pass);
            else
                made_.steps.push_back({StepKind::compute, "cells", "what is computed of cells", "computed"});
        }
        return with_barriers(std::move(made_));
    }

private:
    const FftSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    BlockProgram made_;

    void step(const std::string& name, int stage, std::vector<Touch> touches) {
        made_.steps.push_back({StepKind::exchange, fmt::format("{}, stage {}", name, stage),
                               fmt::format("stage {} of {}", stage, name), "left", std::move(touches)});
    }
    static Touch written(Touch touch) {
        touch.writes = true;
        return touch;
    }

    void add(const FftPass& pass) {
        const auto parity = static_cast<std::size_t>(pass.turned % 2);
        const std::vector<Touch>& stages = schedule_.shape->stages[parity];
        const std::string name = value_name(graph_, program_, pass.target);
        const bool parts = !pass.backward && schedule_.work->together() == 2;
        for (std::size_t stage = 0; stage < stages.size(); ++stage) {
            std::vector<Touch> touches;
            if (stage > 0) touches.push_back(stages[stage]);
            if (stage + 1 < stages.size() || parts) touches.push_back(written(stages[stage]));
            step(name, static_cast<int>(stage) + 1, std::move(touches));
        }
        if (parts) step(name, static_cast<int>(stages.size()) + 1, {schedule_.shape->opposite[parity]});
    }
};

FieldChoice fft_choice(int lines, int threads) {
    FieldChoice choice;
    choice.walk = Walk::fft;
    choice.threads_x = lines, choice.threads_y = threads;
    return choice;
}

/// One entry a thread and group of its words: lines are beside each other along the axis that is first in memory.
template <class Each>
Touch by_threads(const FftShape& shape, int lines, bool rows, const std::vector<std::int32_t>& offsets,
                 const Each& first_words) {
    AddressSet set;
    set.offsets = offsets;
    Touch touch;
    const auto [of_word, of_line] = shape.pitches;
    const int threads = shape.factors.threads;
    for (int t = 0; t < lines * threads; ++t) {
        const int line = rows ? t / threads : t % lines, in_line = rows ? t % threads : t / lines;
        for (const int word : first_words(in_line)) {
            set.start.push_back(word * of_word + line * of_line);
            touch.threads.push_back(t);
        }
    }
    touch.words = std::make_shared<const AddressSet>(std::move(set));
    return touch;
}

Touch words_of_stage(const FftShape& shape, const LineFactors& f, int stage, int lines, bool rows) {
    const int weight = f.weights[static_cast<std::size_t>(stage)] * shape.pitches[0];
    std::vector<std::int32_t> offsets;
    for (int j = 0; j < f.radices[static_cast<std::size_t>(stage)]; ++j) offsets.push_back(j * weight);
    return by_threads(shape, lines, rows, offsets, [&](int in_line) {
        std::vector<int> words;
        for (int b = in_line; b < f.butterflies_of_line(stage); b += f.threads) words.push_back(f.first_word(stage, b));
        return words;
    });
}

Touch words_opposite(const FftShape& shape, const LineFactors& f, int lines, bool rows) {
    const int last = f.stages() - 1, many = f.butterflies_of_line(last);
    return by_threads(shape, lines, rows, {0}, [&](int in_line) {
        std::vector<int> words;
        for (int b = in_line; b < many; b += f.threads) {
            for (int k = b; k < f.cells; k += many) {
                const int opposite = (f.cells - k) % f.cells;
                words.push_back(f.first_word(last, opposite % many) + opposite / many * f.weights.back());
            }
        }
        return words;
    });
}

/// Null: so many threads transform no line of so many cells.
std::shared_ptr<const FftShape> made_shape(int cells, int lines, int threads, bool rows, bool dual) {
    const auto factors = line_factors(cells, threads, rows, dual);
    if (!factors) return nullptr;
    auto shape = std::make_shared<FftShape>();
    shape->factors = *factors;
    shape->pitches = rows ? std::array<int, 2>{1, factors->words} : std::array<int, 2>{lines, 1};
    for (const std::size_t parity : {0U, 1U}) {
        const LineFactors f = parity == 0 ? *factors : factors->turned_round();
        for (int stage = 0; stage < f.stages(); ++stage)
            shape->stages[parity].push_back(words_of_stage(*shape, f, stage, lines, rows));
        shape->opposite[parity] = words_opposite(*shape, f, lines, rows);
    }
    return shape;
}

}  // namespace

std::vector<FieldChoice> fft_choices(const FftWork& work, long long cells) {
    std::vector<FieldChoice> all;
    for (const int numbers : {8, 16, 4, 10, 12}) {
        const auto threads = static_cast<int>((cells + numbers - 1) / numbers);
        if (threads > most_fft_threads) continue;
        if (work.along_rows()) {
            for (const int most : {64, 128, 256, 512})
                if (const int lines = most / threads; lines >= 1) all.push_back(fft_choice(lines, threads));
            if (threads > 512) all.push_back(fft_choice(1, threads));
        } else {
            for (const int lines : {lines_side_by_side, lines_side_by_side / 2, 4, 2 * lines_side_by_side})
                if (lines * threads <= most_fft_threads) all.push_back(fft_choice(lines, threads));
        }
    }
    std::vector<FieldChoice> distinct;
    for (const FieldChoice& choice : all)
        if (std::find(distinct.begin(), distinct.end(), choice) == distinct.end()) distinct.push_back(choice);
    return distinct;
}

FftScheduleResult schedule_fft(std::shared_ptr<const FftWork> work, const FieldChoice& choice, long long cells,
                               const Program& program, const Graph& graph, FftShapes& shapes) {
    if (choice != fft_choice(choice.threads_x, choice.threads_y) || choice.threads_x < 1 || choice.threads_y < 1)
        return {std::nullopt, "blocks that transform lines have lines by threads of each, as in 'fft 16x64'"};
    if (choice.threads_x * choice.threads_y > most_fft_threads)
        return {std::nullopt, fmt::format("a block has at most {} threads", most_fft_threads)};
    if (cells < 2 || cells > 4096)
        return {std::nullopt, fmt::format("a line of {} cells is not transformed by one block", cells)};
    FftSchedule made{std::move(work), choice, {}, {}};
    const bool rows = made.work->along_rows(), dual = made.work->is_dual();
    const std::array<int, 5> key{static_cast<int>(cells), choice.threads_x, choice.threads_y, rows, dual};
    auto known = shapes.find(key);
    if (known == shapes.end())
        known = shapes.emplace(key, made_shape(key[0], choice.threads_x, choice.threads_y, rows, dual)).first;
    made.shape = known->second;
    if (!made.shape)
        return {std::nullopt,
                fmt::format("{} threads transform no line of {} cells: it has a prime factor above 7, or they would "
                            "have more than 16 numbers each",
                            choice.threads_y, cells)};
    made.block = std::make_shared<const BlockProgram>(FftBlock(made, program, graph).run());
    if (shared_bytes(*made.block) > most_shared_bytes)
        return {std::nullopt, "lines of the block take more shared memory than a multiprocessor has"};
    return {std::move(made), {}};
}

std::string print(const FftSchedule& schedule, const Program& program, const Graph& graph) {
    const FftWork& work = *schedule.work;
    std::string radices;
    for (const int r : schedule.factors().radices) radices += (radices.empty() ? "" : " * ") + std::to_string(r);
    std::string text = fmt::format("fft kernel along {}, {} = {}: {}\n", program.axes[work.lines.along].name,
                                   schedule.factors().cells, radices, print(Choice{schedule.choice}));
    for (const FftStep& step : work.steps) {
        if (const auto* pass = std::get_if<FftPass>(&step)) {
            text += fmt::format("  transform {}\n", node_text(graph, program, pass->transform));
            continue;
        }
        const FieldSchedule& cells = std::get<FftCells>(step).cells;
        text += fmt::format("  cells{}\n", std::get<FftCells>(step).of_spectrum ? " of the spectrum" : "");
        for (const ValueAt& load : cells.work->loads)
            text += fmt::format("    load {}\n", value_name(graph, program, load.value));
        for (const NodeId call : cells.fusion().calls)
            text += fmt::format("    evaluate {}\n", node_text(graph, program, call));
    }
    for (const ValueId value : work.fusion.outputs)
        text += fmt::format("  store {}\n", value_name(graph, program, value));
    for (const BarrierDecision& b : schedule.block->barriers)
        text += fmt::format("  {} before step {}: {}\n", b.needed ? "barrier" : "no barrier", b.before, b.reason);
    return text;
}

}  // namespace kasc
