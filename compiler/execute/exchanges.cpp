// Heat over 64 planes of 1 MB, on 4 processes:
//
//   loop n   heat_k0 reads T, a plane beyond its own, stores T_2         T, T_2 swap
//   said     heat_k0   T, 6 transfers, 2.0 MB to one process at most     of the second iteration
//
// In the first one each has its planes of T, as it has read them.
#include "execute/exchanges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "execute/launch_values.hpp"
#include "execute/transform_passes.hpp"
#include "plan/series.hpp"
#include "ranks/holdings.hpp"

namespace kasc::execute {

namespace {

class Exchanges {
public:
    Exchanges(const Program& program, const Library& library, const HostPlan& plan, Numbers numbers,
              const Division& division)
        : program_(program),
          library_(library),
          plan_(plan),
          numbers_(std::move(numbers)),
          division_(division),
          outputs_(program.outputs.size()),
          received_(static_cast<std::size_t>(division.ranks()), 0) {
        for (const SlotId slot : plan.slots.ids()) {
            places_.emplace_back();
            at_[slot] = slot;
            if (std::holds_alternative<InputStorage>(plan.slots[slot].storage)) given_.insert(slot);
        }
        for (const Series& s : series_of(program)) {
            for (const SlotId slot : plan.slots.ids())
                if (plan.slots[slot].variable == s.variable) series_.insert(&places_[slot.index]);
        }
    }

    void run() {
        for (const SlotId slot : given_) {
            std::vector<ranks::Part> parts;
            for (const ranks::Touch& own : division_.parts_of(bytes_of(slot), plan_.slots[slot].variable, true))
                parts.push_back({static_cast<int>(parts.size()), {own}});
            static_cast<void>(holdings_.launch(parts));
            note(parts);
        }
        walk(plan_.steps);
    }
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const auto& [name, said] : said_)
            if (!said.empty()) text += fmt::format("  {:24} {}\n", name, said);
        return text;
    }

    [[nodiscard]] ExpectedExchanges expected() const {
        ExpectedExchanges all = expected_;
        all.bytes = *std::max_element(received_.begin(), received_.end());
        return all;
    }

    /// Arrays of one process at most, but for series.
    [[nodiscard]] std::uint64_t most_bytes() const {
        std::int64_t most = 0;
        for (int r = 0; r < division_.ranks(); ++r) most = std::max(most, ever_.bytes_of(r));
        return static_cast<std::uint64_t>(most);
    }

private:
    const Program& program_;
    const Library& library_;
    const HostPlan& plan_;
    Numbers numbers_;
    const Division& division_;
    ranks::Holdings holdings_, ever_;
    std::vector<std::byte> places_, outputs_;  ///< an address a slot and an output: they stand for arrays
    std::map<SlotId, SlotId> at_;              ///< whose array a slot has now
    std::set<SlotId> given_;
    std::set<const void*> series_;  ///< arrays that `--memory` has windows of, counted by themselves
    std::vector<std::pair<std::string, std::string>> said_;  ///< by step, what was sent before it last
    ExpectedExchanges expected_;
    std::vector<double> received_;  ///< bytes, by rank
    double stands_for_ = 1;         ///< iterations that are as the one that is walked

    [[nodiscard]] SlotBytes bytes_of(SlotId slot) {
        const VariableId variable = plan_.slots[slot].variable;
        const auto bytes = static_cast<std::int64_t>(numbers_.words(library_, variable) *
                                                     cell_bytes(cell_type_of(program_, variable)));
        return {&places_.at(at_.at(slot).index), 0, bytes, bytes};
    }
    [[nodiscard]] std::string name_of(const void* array) const {
        const auto index = static_cast<std::uint32_t>(static_cast<const std::byte*>(array) - places_.data());
        return program_.variables[plan_.slots[SlotId{index}].variable].name;
    }

    /// A rank that touches bytes once has memory for them from then on.
    void note(const std::vector<ranks::Part>& parts) {
        for (const ranks::Part& part : parts) {
            for (const ranks::Touch& t : part.touches) {
                if (t.low < t.high && !series_.contains(t.array)) ever_.add(t.array, t.low, t.high, part.lane);
            }
        }
    }
    void before(const std::string& step, const std::vector<ranks::Part>& parts) {
        std::set<std::string> arrays;
        std::vector<std::int64_t> to(static_cast<std::size_t>(division_.ranks()), 0);
        const std::vector<ranks::Transfer> transfers = holdings_.launch(parts);
        note(parts);
        for (const ranks::Transfer& t : transfers) {
            arrays.insert(name_of(t.array));
            to[static_cast<std::size_t>(t.to)] += t.bytes();
            received_[static_cast<std::size_t>(t.to)] += stands_for_ * static_cast<double>(t.bytes());
            expected_.pairs.insert(std::minmax(t.from, t.to));
        }
        if (!transfers.empty()) expected_.count += stands_for_;
        const std::string text =
            transfers.empty()
                ? ""
                : fmt::format("{}: {} transfers, {:.1f} kB to one process at most", fmt::join(arrays, ", "),
                              transfers.size(), 1e-3 * static_cast<double>(*std::max_element(to.begin(), to.end())));
        say(step, text);
    }
    void say(const std::string& step, const std::string& text) {
        const auto known = std::find_if(said_.begin(), said_.end(), [&](const auto& s) { return s.first == step; });
        if (known == said_.end())
            said_.emplace_back(step, text);
        else
            known->second = text;
    }
    void each(const std::string& step, const std::vector<std::vector<ranks::Touch>>& arrays) {
        std::vector<ranks::Part> parts;
        for (int r = 0; r < division_.ranks(); ++r) {
            parts.push_back({r, {}});
            for (const auto& array : arrays) parts.back().touches.push_back(array[static_cast<std::size_t>(r)]);
        }
        before(step, parts);
    }

    void walk(const std::vector<HostStep>& steps) {
        for (const HostStep& s : steps) std::visit([&](const auto& what) { step(what); }, s.what);
    }
    void step(const LaunchStep& s) {
        const kernel::Kernel& kernel = chosen(plan_.kernels.at(s.kernel), numbers_);
        if (division_.by_lists(s, kernel)) return say(kernel.name, "as its lists say");
        const ranks::LaunchShares shares = division_.divided(s, kernel, grid_of(kernel, numbers_), numbers_);
        std::vector<ranks::Part> parts;
        for (std::size_t r = 0; r < shares.of_rank.size(); ++r) {
            if (shares.of_rank[r].empty()) continue;
            parts.push_back({static_cast<int>(r), touches({program_, numbers_, plan_, kernel, s,
                                                           [&](SlotId slot) { return bytes_of(slot); }},
                                                          &shares.of_rank[r])});
        }
        before(kernel.name, parts);
    }
    void step(const TransformStep& s) {
        const std::string text = orders(s.statement.direction) ? "list" : text_of(s.statement, program_);
        if (division_.shares(s, numbers_)) {
            for (const SharedPass& pass :
                 shared_passes(s.statement, program_, numbers_, bytes_of(s.from), bytes_of(s.to), division_.ranks()))
                before(text + " along " + pass.along, pass.parts);
        } else if (division_.on_first(s)) {
            before(text, {{0, {bytes_of(s.to).whole(true), bytes_of(s.from).whole(true)}}});
        } else {
            std::vector<ranks::Touch> touched{bytes_of(s.to).whole(true), bytes_of(s.from).whole(true)};
            if (s.stores && !division_.launches_stored()) {
                const kernel::Kernel& stored = chosen(plan_.kernels.at(s.stores->kernel), numbers_);
                for (const ranks::Touch& t : touches(
                         {program_, numbers_, plan_, stored, *s.stores, [&](SlotId slot) { return bytes_of(slot); }},
                         nullptr))
                    touched.push_back(t);
            }
            std::vector<std::vector<ranks::Touch>> arrays;
            for (const ranks::Touch& t : touched) arrays.emplace_back(static_cast<std::size_t>(division_.ranks()), t);
            each(text, arrays);
        }
        if (s.stores && division_.launches_stored()) step(*s.stores);
    }
    void step(const LoopStep& s) {
        const long long first = numbers_.integer(*s.from), end = numbers_.integer(*s.to);
        const long long by = program_.loops[s.loop].by;
        const double outside = stands_for_, iterations = static_cast<double>(end - first) / static_cast<double>(by);
        for (long long i = first; i < std::min(end, first + 2 * by); i += by) {
            numbers_.set_loop(s.loop, i);
            if (i > first) stands_for_ = outside * std::max(1.0, iterations - 1);
            if (s.going) {
                const std::vector<ranks::Touch> all(static_cast<std::size_t>(division_.ranks()),
                                                    bytes_of(*s.going).whole(false));
                each("condition", {all});
            }
            walk(s.body);
            for (const auto& [a, b] : s.swaps) std::swap(at_.at(a), at_.at(b));
        }
        stands_for_ = outside;
        if (first < end) walk(s.after);
    }
    void step(const CopyStep& s) {
        const VariableId variable = plan_.slots[s.to].variable;
        each("copy of " + program_.variables[variable].name, {division_.parts_of(bytes_of(s.to), variable, true),
                                                              division_.parts_of(bytes_of(s.from), variable, false)});
    }
    void step(const ZeroStep& s) {
        each("zeros", {division_.parts_of(bytes_of(s.slot), plan_.slots[s.slot].variable, true)});
    }
    /// Where the caller's output lies: it may be one of the arrays that a run works on.
    [[nodiscard]] const void* output_array(std::size_t position) const {
        for (const SlotId slot : plan_.slots.ids()) {
            const auto* out = std::get_if<OutputStorage>(&plan_.slots[slot].storage);
            if (out != nullptr && out->position == position) return &places_[slot.index];
        }
        return &outputs_.at(position);
    }
    void step(const DeliverStep& s) {
        const VariableId variable = plan_.slots[s.slot].variable;
        const std::string text = "result " + program_.variables[variable].name;
        std::vector<ranks::Touch> own = division_.parts_of(bytes_of(s.slot), variable, false);
        if (division_.ends(variable).empty()) own.resize(1);
        for (std::size_t r = 0; r < own.size(); ++r) {
            const bool any = own[r].low < own[r].high && !series_.contains(own[r].array);
            if (any) ever_.add(output_array(s.position), own[r].low, own[r].high, static_cast<int>(r));
        }
        if (own.size() == 1) return before(text, {{0, own}});
        each(text, {own});
    }
};

}  // namespace

std::string exchanges_text(const Program& program, const Library& library, const HostPlan& plan, Numbers numbers,
                           const Division& division) {
    if (division.memory() == ranks::Memory::one || division.ranks() == 1) return "";
    Exchanges walked(program, library, plan, std::move(numbers), division);
    walked.run();
    const std::string text = walked.text();
    return (text.empty() ? "" : "exchanged before, of loops in their second iteration:\n" + text) +
           fmt::format("arrays of one process: {:.1f} MB at most, series beside them\n",
                       1e-6 * static_cast<double>(walked.most_bytes()));
}

ExpectedExchanges expected_exchanges(const Program& program, const Library& library, const HostPlan& plan,
                                     Numbers numbers, const Division& division) {
    Exchanges walked(program, library, plan, std::move(numbers), division);
    walked.run();
    return walked.expected();
}

std::uint64_t most_bytes_of_process(const Program& program, const Library& library, const HostPlan& plan,
                                    Numbers numbers, const Division& division) {
    Exchanges walked(program, library, plan, std::move(numbers), division);
    walked.run();
    return walked.most_bytes();
}

}  // namespace kasc::execute
