// Statements become closures over a table of integers. A float expression leaves only the shared words that it reads; a
// call of an author's function those that its patterns name; a condition on floats is taken both ways.
//
//   T_new[i] = fmaf(a, T_tile[s - 1], T_0)      reads T_tile[s - 1]
//   mmul33(s_A, s_B, s_M)                       reads s_A, s_B, writes s_M, each thread the words of its patterns
#include "kernel/check_shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernel/integer_machine.hpp"
#include "kernel/private_words.hpp"
#include "kernel/shared_words.hpp"

namespace kasc::kernel {

namespace {

/// A block in the middle is to be in the interior: stencils reach a dozen cells.
constexpr long long least_extent = 32, largest_extent = 1 << 13;
constexpr int blocks_wanted = 3;
/// Iterations of a loop that touch the same words: the second meets what the first has left, as all others do.
constexpr long long telling_iterations = 2;
/// Planes that are run of a walk: until all its stages are at work, and from where on they end. Threads of all blocks
/// beyond which only blocks across the grid are run.
constexpr long long first_planes = 24, last_planes = 12, most_walking_threads = 4096;

class IntegerRun : IntegerMachine {
public:
    explicit IntegerRun(const Kernel& kernel) : IntegerMachine(kernel), private_(kernel) {
        for (const Parameter& p : kernel.parameters) {
            if (!p.is_array()) numbers_[slot(p.name)] = 1;
            if (std::holds_alternative<HostExpression>(p.source)) of_host_.insert(p.name);
            const auto* extent = std::get_if<AxisExtent>(&p.source);
            if (extent != nullptr) cells_of_part_ = std::max<long long>(cells_of_part_, extent->cells);
            if (extent != nullptr && extent->cells > 1) of_parts_.insert(p.name);
        }
        for (const ExprRef& g : kernel.grid) grid_.push_back(number(g));
        body_ = compile(kernel.body);
    }

    std::vector<std::string> run() {
        choose_extents();
        const std::array<std::vector<long long>, 3> blocks{some(0), some(1), some(2)};
        const auto all = static_cast<long long>(blocks[0].size() * blocks[1].size() * blocks[2].size());
        for (unsigned skipped = 0; skipped < 1U << open_loops_; ++skipped) {
            skipped_ = skipped;
            if (long_walks_ && thread_count(kernel_.block) * all > most_walking_threads) {
                run_across(blocks);
                continue;
            }
            for (const long long z : blocks[2])
                for (const long long y : blocks[1])
                    for (const long long x : blocks[0]) run_block({x, y, z});
        }
        for (const std::string& finding : private_.findings()) words_.find(finding);
        return words_.findings();
    }

private:
    using Action = std::function<void()>;
    /// A private array: by thread, the pattern that its words were written with.
    struct Registers {
        int words = 0;
        std::vector<const AddressSet*> written;
    };

    std::set<std::string> of_host_;      ///< scalars that only the host knows
    std::set<std::string> of_parts_;     ///< numbers of parts
    std::map<std::string, int> shared_;  ///< by array, its number
    std::map<std::string, Registers> registers_;
    SharedWords words_;
    PrivateWords private_;
    std::map<std::pair<const AddressSet*, const AddressSet*>, bool> alike_;
    long long cells_of_part_ = 1;            ///< the most that any has
    long long parts_at_a_time_ = 2;          ///< the most that a loop of the block goes through
    unsigned open_loops_ = 0, skipped_ = 0;  ///< loops that may run no iteration; a bit each
    std::int64_t shared_accesses_ = 0;       ///< in what was compiled so far
    std::int64_t calls_ = 0, regions_ = 0;   ///< calls that the kernel has, regions of threads that were run
    bool in_threads_ = false,
         long_walks_ = false;  ///< while statements are compiled; blocks walk planes, with barriers
    std::vector<Number> grid_;
    Action body_;

    static bool has_barrier(const Body& body) {
        return std::any_of(body.begin(), body.end(),
                           [](const Statement& s) { return std::holds_alternative<Barrier>(s.node); });
    }
    /// The first blocks, the middle ones and the last ones along all axes.
    void run_across(const std::array<std::vector<long long>, 3>& blocks) {
        const std::size_t kinds = std::max({blocks[0].size(), blocks[1].size(), blocks[2].size()});
        const auto of = [](const std::vector<long long>& all, std::size_t k) {
            return all[std::min(k, all.size() - 1)];
        };
        for (std::size_t k = 0; k < kinds; ++k) run_block({of(blocks[0], k), of(blocks[1], k), of(blocks[2], k)});
    }

    void run_block(const std::array<long long, 3>& block) {
        block_ = block;
        words_.begin_block(), private_.begin_block();
        for (auto& [name, held] : registers_)
            held.written.assign(static_cast<std::size_t>(thread_count(kernel_.block)), nullptr);
        body_();
    }

    // --- the grid ---

    /// Extents grow until every dimension of the grid that depends on them has enough blocks.
    void choose_extents() {
        const long long step = kernel_.requirement ? kernel_.requirement->multiple : 1;
        // Whole parts stand beside those that the end of the grid cuts; where a block goes through parts in turn, its
        // second turn has one of more than the first thread.
        const long long parts = parts_at_a_time_ > 2 ? parts_at_a_time_ + 1 : parts_at_a_time_;
        long long extent = std::max(std::max(least_extent, parts * cells_of_part_) * step, 2LL * kernel_.line_step);
        const auto small = [&] {
            set_extents(extent, 0);
            return std::any_of(grid_.begin(), grid_.end(),
                               [&](const Number& g) { return depends(g, extent) && g() < blocks_wanted; });
        };
        while (extent < largest_extent && small()) extent *= 2;
        set_extents(extent, step);
    }
    void set_extents(long long extent, long long more) {
        for (const Parameter& p : kernel_.parameters) {
            const auto* of = std::get_if<AxisExtent>(&p.source);
            if (of == nullptr) continue;
            const bool groups = kernel_.requirement && kernel_.requirement->axes.front() == of->axis;
            // More than blocks that are all full have: of a part most cells, so that all steps meet some.
            const long long beyond = groups ? more : more > 0 ? std::max(1LL, 3 * cells_of_part_ / 4) : 0;
            numbers_[slot(p.name)] = (extent + beyond + of->cells - 1) / of->cells;
            const bool bounded =
                kernel_.requirement && kernel_.requirement->most && kernel_.requirement->axes == std::vector{of->axis};
            if (bounded)
                numbers_[slot(p.name)] = std::min<long long>(numbers_[slot(p.name)], *kernel_.requirement->most);
        }
    }
    bool depends(const Number& g, long long extent) {
        set_extents(largest_extent * 16, 0);
        const long long many = g();
        set_extents(extent, 0);
        return many != 1;
    }
    [[nodiscard]] std::vector<long long> some(std::size_t dimension) const {
        const long long n = grid_[dimension]();
        // Blocks of whole lines are alike, and their loops over parts are long.
        if (parts_at_a_time_ > 2) return {n - 1};
        std::vector<long long> all{0, n / 2, n - 1};
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    // --- accesses ---

    Action access(const std::string& array, const ExprRef& index, int width, bool writes) {
        if (PrivateWords::Written* own = private_.find_array(array))
            return [=, this, at = number(index)] { private_.touch(*own, thread(), at(), width, writes); };
        const auto found = shared_.find(array);
        if (found == shared_.end()) return nothing();
        ++shared_accesses_;
        return [this, array = found->second, at = number(index), width, writes] {
            const long long first = at();
            for (int k = 0; k < width; ++k)
                writes ? words_.write(array, first + k, {thread(), 0}) : words_.read(array, first + k, {thread(), 0});
        };
    }
    /// What a call touches of one of its arrays.
    Action touch(const CallTouch& t, std::int64_t call) {
        if (const auto found = registers_.find(t.array); found != registers_.end())
            return [this, &t, &held = found->second] { touch_registers(t, held); };
        const auto found = shared_.find(t.array);
        if (found == shared_.end()) return nothing();
        return [this, &t, array = found->second, call] {
            if (!has_thread(t)) return;
            const Toucher who{thread(), regions_ * (calls_ + 1) + call};
            const int start = t.words.start[static_cast<std::size_t>(who.thread)];
            for (const int offset : t.words.offsets)
                t.writes ? words_.write(array, start + offset, who) : words_.read(array, start + offset, who);
        };
    }
    bool has_thread(const CallTouch& t) {
        const bool has = static_cast<std::size_t>(thread()) < t.words.start.size();
        if (!has) words_.find(fmt::format("touches {} by threads that its pattern does not have", t.array));
        return has;
    }
    void touch_registers(const CallTouch& t, Registers& held) {
        if (!has_thread(t)) return;
        const std::vector<std::int32_t>& offsets = t.words.offsets;
        if (!offsets.empty() && (offsets.front() < 0 || offsets.back() >= held.words))
            words_.find(fmt::format("touches {}[{}] of {}", t.array,
                                    offsets.front() < 0 ? offsets.front() : offsets.back(), held.words));
        const AddressSet*& written = held.written[static_cast<std::size_t>(thread())];
        if (t.writes) {
            written = &t.words;
        } else if (written == nullptr) {
            words_.find(fmt::format("reads {}, which nothing wrote", t.array));
        } else if (!alike(*written, t.words)) {
            words_.find(fmt::format("reads words of {} that lie in other threads' registers", t.array));
        }
    }
    bool alike(const AddressSet& a, const AddressSet& b) {
        const auto [at, added] = alike_.try_emplace({&a, &b});
        if (added) at->second = a.start == b.start && a.offsets == b.offsets;
        return at->second;
    }
    static Action nothing() {
        return [] {};
    }

    // --- expressions ---

    /// The shared words that an expression reads, and words of private arrays that threads exchange.
    void reads(const ExprRef& e, std::vector<Action>& all) {
        if (!e) return;
        std::visit([&](const auto& node) { reads_of(node, all); }, e->node);
    }
    template <class Leaf>
    void reads_of(const Leaf&, std::vector<Action>&) {}
    void reads_of(const Element& n, std::vector<Action>& all) {
        reads(n.index, all);
        if (shared_.contains(n.array) || private_.find_array(n.array) != nullptr)
            all.push_back(access(n.array, n.index, 1, false));
    }
    void reads_of(const Binary& n, std::vector<Action>& all) { reads(n.left, all), reads(n.right, all); }
    void reads_of(const Negate& n, std::vector<Action>& all) { reads(n.operand, all); }
    void reads_of(const Not& n, std::vector<Action>& all) { reads(n.operand, all); }
    void reads_of(const Wide& n, std::vector<Action>& all) { reads(n.operand, all); }
    void reads_of(const Convert& n, std::vector<Action>& all) { reads(n.operand, all); }
    void reads_of(const Part& n, std::vector<Action>& all) { reads(n.operand, all); }
    void reads_of(const MathCall& n, std::vector<Action>& all) {
        for (const ExprRef& a : n.arguments) reads(a, all);
    }
    void reads_of(const Select& n, std::vector<Action>& all) {
        reads(n.condition, all);
        all.push_back([both = of_floats(n.condition), c = number(n.condition), then = read_all({n.then}),
                       otherwise = read_all({n.otherwise})] {
            const bool holds = c() != 0;
            if (holds || both) then();
            if (!holds || both) otherwise();
        });
    }
    Action read_all(const std::vector<ExprRef>& expressions) {
        std::vector<Action> all;
        for (const ExprRef& e : expressions) reads(e, all);
        return in_turn(std::move(all));
    }
    static Action in_turn(std::vector<Action> all) {
        return [all = std::move(all)] {
            for (const Action& a : all) a();
        };
    }

    // --- statements ---

    Action compile(const Body& body) {
        std::vector<Action> all;
        for (const Statement& s : body)
            all.push_back(std::visit([&](const auto& node) { return action(node); }, s.node));
        return in_turn(std::move(all));
    }
    Action compile_threads(const Body& body) {
        in_threads_ = true;
        Action all = compile(body);
        in_threads_ = false;
        return all;
    }
    template <class Node>
    Action action(const Node&) {
        return nothing();
    }
    Action let(Type type, const std::string& name, const ExprRef& value) {
        const std::size_t k = slot(name);
        if (type != Type::i32 && type != Type::i64 && type != Type::u8 && type != Type::boolean)
            return read_all({value});
        return [this, k, read = read_all({value}), v = number(value)] {
            read();
            numbers_[k] = v();
        };
    }
    Action action(const Let& s) { return let(s.type, s.name, s.value); }
    Action action(const Variable& s) { return let(s.type, s.name, s.value); }
    Action action(const SharedArray& s) {
        shared_[s.name] = words_.add(s.name, s.offset, s.words);
        return nothing();
    }
    Action action(const RegisterArray& s) { return read_all(s.values); }
    Action action(const PrivateArray& s) {
        registers_[s.name].words = s.words;
        return nothing();
    }
    Action action(const Assign& s) {
        const auto* target = std::get_if<Element>(&s.target->node);
        if (target == nullptr) return read_all({s.value});
        return in_turn({read_all({s.value, target->index}), access(target->array, target->index, 1, true)});
    }
    Action action(const Fetch& s) {
        ++shared_accesses_;
        return [this, into = shared_.at(s.into), at = number(s.into_index), words = s.words] {
            for (long long k = 0, first = at(); k < words; ++k) words_.bring(into, first + k, {thread(), 0});
        };
    }
    Action action(const Prefetch&) { return nothing(); }
    Action action(const LoadVector& s) {
        return in_turn({access(s.array, s.index, s.width, false), access(s.registers, s.first, s.width, true)});
    }
    Action action(const StoreVector& s) {
        return in_turn({access(s.registers, s.first, s.width, false), access(s.array, s.index, s.width, true)});
    }
    Action action(const Butterfly& s) {
        const auto numbers = [&](bool writes) { return access(s.registers, integer(s.first), s.numbers, writes); };
        return in_turn({numbers(false), numbers(true)});
    }
    Action action(const Exchange& s) {
        return [this, &s] { private_.exchange(s); };
    }
    Action action(const Barrier& s) {
        return [this, under_way = s.awaits_all_but] { words_.pass_barrier(under_way); };
    }
    Action action(const CommitCopies&) {
        return [this] { words_.commit_copies(); };
    }
    Action action(const Call& s) {
        std::vector<Action> all;
        ++calls_;
        for (const CallTouch& t : s.touches) all.push_back(touch(t, calls_));
        return in_turn(std::move(all));
    }
    /// Once for all threads: which of them takes a word is not known.
    Action action(const Stage& s) {
        const auto found = shared_.find(s.shared);
        if (found == shared_.end())
            return [this, &s] { words_.find(fmt::format("copies {}, which lies in registers", s.shared)); };
        ++calls_;
        return [this, &s, array = found->second, call = calls_] {
            if (thread() != 0) return;
            const Toucher who{any_thread, regions_ * (calls_ + 1) + call};
            for (int k = 0; k < s.words; ++k) {
                const long long at = k + k / s.element_words * s.padding;
                s.direction == StageDirection::into_shared ? words_.bring(array, at, who) : words_.read(array, at, who);
            }
        };
    }
    /// Loops around calls on streams: their iterations touch the same words.
    Action repeated(const For& s) {
        const bool open = knows_host_alone(s.from) || knows_host_alone(s.to);
        const unsigned bit = open ? 1U << open_loops_++ : 0;
        return [this, open, bit, rounds = s.rounds, from = number(s.from), to = number(s.to), body = compile(s.body)] {
            const bool once = rounds && to() - from() == 1;
            const long long iterations = once ? 1 : open || from() < to() ? telling_iterations : 0;
            for (long long i = 0; i < iterations && (skipped_ & bit) == 0; ++i) {
                if (rounds) words_.begin_round();
                body();
            }
        };
    }
    [[nodiscard]] bool knows_host_alone(const ExprRef& bound) const {
        const auto* n = std::get_if<Name>(&bound->node);
        return n != nullptr && of_host_.contains(n->name);
    }
    Action action(const For& s) {
        if (!in_threads_ && kernel_.is_of_streams()) return repeated(s);
        const std::size_t k = slot(s.variable);
        // Rows of a tile touch the same registers and nothing that is shared.
        const std::int64_t touched = shared_accesses_;
        const bool block_level = !in_threads_;
        const Action own = compile(s.body);
        const bool alike = block_level && cells_of_part_ > 1 && shared_accesses_ == touched;
        // A walk through planes with rings.
        const bool long_walk = block_level && shared_accesses_ != touched && has_barrier(s.body);
        long_walks_ = long_walks_ || long_walk;
        const auto* all_parts = std::get_if<Name>(&s.to->node);
        if (block_level && all_parts != nullptr && of_parts_.contains(all_parts->name))
            parts_at_a_time_ = std::max<long long>(parts_at_a_time_, s.step);
        return [this, k, alike, long_walk, step = s.stride ? number(s.stride) : number(integer(s.step)),
                from = number(s.from), to = number(s.to), body = own] {
            const long long forward = step(), all = to(), begin = from();
            const long long end = alike ? std::min(all, begin + telling_iterations * forward) : all;
            for (long long i = begin; i < end; i += forward) {
                numbers_[k] = i;
                body();
                if (long_walk && i == begin + (first_planes - 1) * forward)
                    i = std::max(i, end - (last_planes + 1) * forward);
            }
        };
    }
    static bool of_floats(const ExprRef& e) {
        if (std::holds_alternative<Element>(e->node) || std::holds_alternative<Real>(e->node)) return true;
        if (const auto* b = std::get_if<Binary>(&e->node)) return of_floats(b->left) || of_floats(b->right);
        const auto* n = std::get_if<Not>(&e->node);
        return n != nullptr && of_floats(n->operand);
    }
    Action action(const If& s) {
        return [read = read_all({s.condition}), both = of_floats(s.condition), c = number(s.condition),
                then = compile(s.then), otherwise = compile(s.otherwise)] {
            read();
            const bool holds = c() != 0;
            if (holds || both) then();
            if (!holds || both) otherwise();
        };
    }
    Action action(const Threads& s) {
        return [this, body = compile_threads(s.body)] { for_threads(body); };
    }
    Action action(const Cells& s) {
        struct Axis {
            std::size_t slot;
            Number origin, low, high;
            std::optional<std::size_t> dimension;
            int step;
        };
        std::vector<Axis> axes;
        for (const CellAxis& a : s.axes) {
            std::optional<std::size_t> d;
            if (a.dimension) d = static_cast<std::size_t>(*a.dimension);
            axes.push_back({slot(a.name), number(a.origin), number(a.low), number(a.high), d, a.step});
        }
        return [this, axes, body = compile_threads(s.body)] {
            for_threads([&] {
                for (const Axis& a : axes) {
                    const long long at = a.origin() + (a.dimension ? thread_[*a.dimension] * a.step : 0);
                    numbers_[a.slot] = at;
                    if (at < a.low() || at >= a.high()) return;
                }
                body();
            });
        };
    }
    void for_threads(const Action& body) {
        ++regions_;
        for (thread_[2] = 0; thread_[2] < kernel_.block[2]; ++thread_[2]) {
            for (thread_[1] = 0; thread_[1] < kernel_.block[1]; ++thread_[1]) {
                for (thread_[0] = 0; thread_[0] < kernel_.block[0]; ++thread_[0]) body();
            }
        }
    }
};

}  // namespace

std::vector<std::string> check_shared(const Kernel& kernel) {
    const bool shares = std::any_of(kernel.body.begin(), kernel.body.end(), [](const Statement& s) {
        return std::holds_alternative<SharedArray>(s.node) || std::holds_alternative<PrivateArray>(s.node);
    });
    if (!shares) return {};
    return IntegerRun(kernel).run();
}

}  // namespace kasc::kernel
