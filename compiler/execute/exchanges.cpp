// Heat over 64 planes of 1 MB, on 4 processes:
//
//   loop n   heat_k0 reads T, a plane beyond its own, stores T_2         T, T_2 swap
//   said     heat_k0   T, 6 transfers, 2.0 MB to one process at most     of the second iteration
//
// In the first one T came from rank 0.
#include "execute/exchanges.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "execute/launch_values.hpp"
#include "execute/transform_passes.hpp"
#include "ranks/holdings.hpp"

namespace kasc::execute {

namespace {

class Exchanges {
public:
    Exchanges(const Program& program, const Library& library, const HostPlan& plan, Numbers numbers,
              const Division& division)
        : program_(program), library_(library), plan_(plan), numbers_(std::move(numbers)), division_(division) {
        for (const SlotId slot : plan.slots.ids()) {
            places_.emplace_back();
            at_[slot] = slot;
            if (std::holds_alternative<InputStorage>(plan.slots[slot].storage)) given_.insert(slot);
        }
    }

    std::string run() {
        for (const SlotId slot : given_) holdings_.put(bytes_of(slot).array, 0, bytes_of(slot).bytes, 0);
        walk(plan_.steps);
        std::string text;
        for (const auto& [name, said] : said_)
            if (!said.empty()) text += fmt::format("  {:24} {}\n", name, said);
        return text;
    }

private:
    const Program& program_;
    const Library& library_;
    const HostPlan& plan_;
    Numbers numbers_;
    const Division& division_;
    ranks::Holdings holdings_;
    std::vector<std::byte> places_;  ///< an address a slot: they stand for arrays
    std::map<SlotId, SlotId> at_;    ///< whose array a slot has now
    std::set<SlotId> given_;
    std::vector<std::pair<std::string, std::string>> said_;  ///< by step, what was sent before it last

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

    void before(const std::string& step, const std::vector<ranks::Part>& parts) {
        std::set<std::string> arrays;
        std::vector<std::int64_t> to(static_cast<std::size_t>(division_.ranks()), 0);
        const std::vector<ranks::Transfer> transfers = holdings_.launch(parts);
        for (const ranks::Transfer& t : transfers) {
            arrays.insert(name_of(t.array));
            to[static_cast<std::size_t>(t.to)] += t.bytes();
        }
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
            const std::vector<ranks::Touch> to(static_cast<std::size_t>(division_.ranks()), bytes_of(s.to).whole(true)),
                from(to.size(), bytes_of(s.from).whole(true));
            each(text, {to, from});
        }
        if (s.stores) step(*s.stores);
    }
    void step(const LoopStep& s) {
        const long long first = numbers_.integer(*s.from), end = numbers_.integer(*s.to);
        const long long by = program_.loops[s.loop].by;
        for (long long i = first; i < std::min(end, first + 2 * by); i += by) {
            numbers_.set_loop(s.loop, i);
            if (s.going) {
                const std::vector<ranks::Touch> all(static_cast<std::size_t>(division_.ranks()),
                                                    bytes_of(*s.going).whole(false));
                each("condition", {all});
            }
            walk(s.body);
            for (const auto& [a, b] : s.swaps) std::swap(at_.at(a), at_.at(b));
        }
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
    void step(const DeliverStep& s) {
        before("result " + program_.variables[plan_.slots[s.slot].variable].name,
               {{0, {bytes_of(s.slot).whole(false)}}});
    }
};

}  // namespace

std::string exchanges_text(const Program& program, const Library& library, const HostPlan& plan, Numbers numbers,
                           const Division& division) {
    if (division.memory() == ranks::Memory::one) return "";
    const std::string text = Exchanges(program, library, plan, std::move(numbers), division).run();
    return text.empty() ? "" : "exchanged before, of loops in their second iteration:\n" + text;
}

}  // namespace kasc::execute
