// Statements become closures over a table of integers. A float expression leaves only the shared words that it reads; a
// call of an author's function those that its patterns name; a condition on what data decide is taken both ways.
//
//   T_new[i] = fmaf(a, T_tile[s - 1], T_0)      reads T_tile[s - 1]
//   mmul33(s_A, s_B, s_M)                       reads s_A, s_B, writes s_M, each thread the words of its patterns
//   T_queue[2] = T_queue[1]                     nothing, where the thread has written both before (known_words)
//
// Short loops of threads are written out, so that words have numbers. What leaves nothing is not run.
#include "kernel/check_shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "kernel/findings.hpp"
#include "kernel/known_words.hpp"
#include "kernel/pattern_registers.hpp"
#include "kernel/private_words.hpp"
#include "kernel/shared_words.hpp"
#include "kernel/some_blocks.hpp"

namespace kasc::kernel {

namespace {

/// Iterations of a loop that touch the same words: the second meets what the first has left, as all others do. Of one
/// over fields whose ends the host alone knows.
constexpr long long telling_iterations = 2, open_iterations = 4;
/// Planes that are run of a walk: until all its stages are at work, and from where on they end. Threads of all blocks
/// beyond which only blocks across the grid are run.
constexpr long long first_planes = 24, last_planes = 12, most_walking_threads = 4096;
/// Iterations of loops that are written out, all in all.
constexpr long long most_written_out = 32;

class IntegerRun : SomeBlocks {
public:
    IntegerRun(const Kernel& kernel, std::size_t most)
        : SomeBlocks(kernel), findings_(most), words_(findings_), private_(kernel, findings_) {
        for (const Parameter& p : kernel.parameters)
            if (std::holds_alternative<HostExpression>(p.source)) of_host_.insert(p.name);
        body_ = compile(kernel.body);
        use_parts();
    }

    std::vector<std::string> run() {
        choose_extents();
        const Blocks blocks = some_blocks();
        for (unsigned skipped = 0; skipped < 1U << open_loops_; ++skipped) {
            skipped_ = skipped;
            if (long_walks_ && thread_count(kernel_.block) * count(blocks) > most_walking_threads) {
                for (const Block& block : across(blocks)) run_block(block);
                continue;
            }
            for (const long long z : blocks[2])
                for (const long long y : blocks[1])
                    for (const long long x : blocks[0]) run_block({x, y, z});
        }
        return findings_.texts();
    }

private:
    using Action = std::function<void()>;
    std::set<std::string> of_host_;      ///< scalars that only the host knows
    std::map<std::string, int> shared_;  ///< by array, its number
    PatternRegisters registers_;
    Findings findings_;
    SharedWords words_;
    PrivateWords private_;
    KnownWords known_;  ///< of private arrays, where statements are compiled
    long long written_out_ = 1;
    unsigned open_loops_ = 0, skipped_ = 0;                    ///< loops that may run no iteration; a bit each
    std::int64_t shared_accesses_ = 0, private_accesses_ = 0;  ///< in what was compiled so far
    std::int64_t calls_ = 0, regions_ = 0;  ///< calls that the kernel has, regions of threads that were run
    bool in_threads_ = false,
         long_walks_ = false;  ///< while statements are compiled; blocks walk planes, with barriers
    Action body_;

    /// Some statement of block level is a barrier, an exchange.
    template <class Node>
    static bool holds(const Body& body) {
        return std::any_of(body.begin(), body.end(), [](const Statement& s) {
            const auto* either = std::get_if<If>(&s.node);
            return std::holds_alternative<Node>(s.node) ||
                   (either != nullptr && (holds<Node>(either->then) || holds<Node>(either->otherwise)));
        });
    }

    void run_block(const Block& block) {
        block_ = block;
        words_.begin_block(), private_.begin_block();
        registers_.begin_block(thread_count(kernel_.block));
        act(body_);
    }

    // --- accesses ---

    Action access(const std::string& array, const ExprRef& index, int width, bool writes) {
        if (PrivateWords::Written* own = private_.find_array(array)) {
            const Number at = number(index);
            const auto known = at.constant();
            if (known && known_.holds(array, *known, width)) return {};
            const bool lies_in = known && *known >= 0 && *known + width <= own->words;
            if (lies_in) known_.add(array, *known, width);
            ++private_accesses_;
            return [this, own, at, width, writes] { private_.touch(*own, thread(), at(), width, writes); };
        }
        const auto found = shared_.find(array);
        if (found == shared_.end()) return {};
        ++shared_accesses_;
        return [this, array = found->second, at = number(index), width, writes] {
            const long long first = at();
            for (int k = 0; k < width; ++k)
                writes ? words_.write(array, first + k, {thread(), 0}) : words_.read(array, first + k, {thread(), 0});
        };
    }
    /// What a call touches of one of its arrays.
    Action touch(const CallTouch& t, std::int64_t call) {
        if (PatternRegisters::Registers* held = registers_.find_array(t.array))
            return [this, &t, held] {
                if (has_thread(t)) registers_.touch(*held, t, thread(), findings_);
            };
        const auto found = shared_.find(t.array);
        if (found == shared_.end()) return {};
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
        if (!has)
            findings_.add([&] { return fmt::format("touches {} by threads that its pattern does not have", t.array); });
        return has;
    }
    static void act(const Action& action) {
        if (action) action();
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
        all.push_back(chosen(
            n.condition, [&] { return read_all({n.then}); }, [&] { return read_all({n.otherwise}); }));
    }
    template <class Then, class Otherwise>
    Action chosen(const ExprRef& condition, const Then& compile_then, const Otherwise& compile_otherwise) {
        Action then = apart(compile_then), otherwise = apart(compile_otherwise);
        if (!then && !otherwise) return {};
        return [both = of_data(condition), c = number(condition), then = std::move(then),
                otherwise = std::move(otherwise)] {
            const bool holds = c() != 0;
            if (holds || both) act(then);
            if (!holds || both) act(otherwise);
        };
    }
    /// What is known behind it is what was known before: it may not be run, or by some threads.
    template <class Compile>
    Action apart(const Compile& compile) {
        KnownWords before = known_;
        Action made = compile();
        known_ = std::move(before);
        return made;
    }
    Action read_all(const std::vector<ExprRef>& expressions) {
        std::vector<Action> all;
        for (const ExprRef& e : expressions) reads(e, all);
        return in_turn(std::move(all));
    }
    static Action in_turn(Action first, Action second) {
        std::vector<Action> all;
        all.push_back(std::move(first));
        all.push_back(std::move(second));
        return in_turn(std::move(all));
    }
    static Action in_turn(std::vector<Action> all) {
        std::erase_if(all, [](const Action& a) { return !a; });
        if (all.empty()) return {};
        if (all.size() == 1) return std::move(all.front());
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
        return {};
    }
    Action let(Type type, const std::string& name, const ExprRef& value) {
        if (of_data(value)) of_data_.insert(name);
        const std::size_t k = slot(name);
        if (type != Type::i32 && type != Type::i64 && type != Type::u8 && type != Type::boolean)
            return read_all({value});
        Action read = read_all({value});
        return in_turn(std::move(read), [to = &numbers_[k], v = number_of_slot(k, value), used = &used_[k]] {
            if (*used) *to = v();
        });
    }
    Action action(const Let& s) { return let(s.type, s.name, s.value); }
    Action action(const Variable& s) { return let(s.type, s.name, s.value); }
    Action action(const SharedArray& s) {
        shared_[s.name] = words_.add(s.name, s.offset, s.words);
        return {};
    }
    Action action(const RegisterArray& s) { return read_all(s.values); }
    Action action(const PrivateArray& s) {
        registers_.add(s.name, s.words);
        return {};
    }
    Action action(const Assign& s) {
        const auto* target = std::get_if<Element>(&s.target->node);
        if (target == nullptr) return read_all({s.value});
        Action read = in_turn(read_all({s.value, target->index}), keep_number(*target, s.value));
        if (const auto found = shared_.find(target->array); s.adds && found != shared_.end()) {
            ++shared_accesses_;
            return in_turn(std::move(read), [this, array = found->second] {
                words_.add_to_some(array, {thread(), 0});
            });
        }
        return in_turn(std::move(read), access(target->array, target->index, 1, true));
    }
    Action action(const Fetch& s) {
        ++shared_accesses_;
        return [this, into = shared_.at(s.into), at = number(s.into_index), words = s.words] {
            for (long long k = 0, first = at(); k < words; ++k) words_.bring(into, first + k, {thread(), 0});
        };
    }
    Action action(const LoadVector& s) {
        Action load = access(s.array, s.index, s.width, false);
        return in_turn(std::move(load), access(s.registers, s.first, s.width, true));
    }
    Action action(const StoreVector& s) {
        Action load = access(s.registers, s.first, s.width, false);
        return in_turn(std::move(load), access(s.array, s.index, s.width, true));
    }
    Action action(const Butterfly& s) {
        Action load = access(s.registers, integer(s.first), s.numbers, false);
        return in_turn(std::move(load), access(s.registers, integer(s.first), s.numbers, true));
    }
    Action action(const CountBlock& s) { return access(s.into, s.index, 1, true); }
    Action action(const Exchange& s) {
        known_.forget(s.into);
        ++private_accesses_;
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
            return [this, &s] {
                findings_.add([&] { return fmt::format("copies {}, which lies in registers", s.shared); });
            };
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
                act(body);
            }
        };
    }
    [[nodiscard]] bool knows_host_alone(const ExprRef& bound) const {
        const auto* n = std::get_if<Name>(&bound->node);
        return n != nullptr && of_host_.contains(n->name);
    }
    Action action(const For& s) {
        if (!in_threads_ && kernel_.is_of_streams()) return repeated(s);
        if (in_threads_ && !kernel_.is_of_streams() && !s.going && !s.stride)
            if (const auto all = written_out(s)) return *all;
        const std::size_t k = slot(s.variable);
        // Rows of a tile touch the same registers and nothing that is shared.
        const std::int64_t shared = shared_accesses_, kept = private_accesses_;
        const bool block_level = !in_threads_;
        if (block_level) known_.forget_given(s.body);
        Action own = apart([&] { return compile(s.body); });
        const auto* all_parts = std::get_if<Name>(&s.to->node);
        if (block_level && all_parts != nullptr && of_parts_.contains(all_parts->name))
            parts_at_a_time_ = std::max<long long>(parts_at_a_time_, s.step);
        if (!own) return {};
        const bool alike = block_level && cells_of_part_ > 1 && shared_accesses_ == shared;
        // A walk through planes, with rings or with what the threads of a warp give each other. Without a barrier,
        // words of shared memory may be those of one iteration each, which is read by all behind the loop.
        const bool rings = shared_accesses_ != shared && holds<Barrier>(s.body);
        const bool gives = shared_accesses_ == shared && private_accesses_ != kept && holds<Exchange>(s.body);
        const bool long_walk = block_level && (rings || gives);
        long_walks_ = long_walks_ || long_walk;
        // How often the host alone knows: as often as words of two copies need to change places, and again.
        const bool host = knows_host_alone(s.from) || knows_host_alone(s.to);
        const bool open = block_level && shared_accesses_ != shared && s.step == 1 && !s.stride && host;
        return [this, k, alike, long_walk, open, step = s.stride ? number(s.stride) : number(integer(s.step)),
                from = number(s.from), to = number(s.to), body = std::move(own)] {
            const long long forward = step(), begin = from(), all = open ? begin + open_iterations : to();
            const long long end = alike ? std::min(all, begin + telling_iterations * forward) : all;
            for (long long i = begin; i < end; i += forward) {
                numbers_[k] = i;
                body();
                const long long later = end - (last_planes + 1) * forward;
                if (!long_walk || i != begin + (first_planes - 1) * forward || later <= i) continue;
                // What was under way has come meanwhile: rings stand otherwise than in the next iteration.
                words_.pass_barrier(0);
                i = later;
            }
        };
    }
    /// All iterations of a short loop, where its bounds are numbers.
    std::optional<Action> written_out(const For& s) {
        const auto from = number(s.from).constant(), to = number(s.to).constant();
        if (!from || !to) return std::nullopt;
        const long long iterations = std::max(0LL, (*to - *from + s.step - 1) / s.step);
        if (written_out_ * iterations > most_written_out) return std::nullopt;
        const long long around = std::exchange(written_out_, written_out_ * std::max(1LL, iterations));
        std::vector<Action> all;
        for (long long i = *from; i < *to; i += s.step) {
            constants_[s.variable] = i;
            all.push_back(compile(s.body));
        }
        constants_.erase(s.variable);
        written_out_ = around;
        return in_turn(std::move(all));
    }
    Action action(const If& s) {
        Action read = read_all({s.condition});
        Action either = chosen(
            s.condition, [&] { return compile(s.then); }, [&] { return compile(s.otherwise); });
        if (!in_threads_) known_.forget_given(s.then), known_.forget_given(s.otherwise);
        return in_turn(std::move(read), std::move(either));
    }
    Action action(const Threads& s) {
        Action body = compile_threads(s.body);
        if (!body) return {};
        return [this, body = std::move(body)] { for_threads(body); };
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
        Action all = apart([&] { return compile_threads(s.body); });
        if (!all) return {};
        return [this, axes, body = std::move(all)] {
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
        if (findings_.are_enough()) return;
        ++regions_;
        linear_thread_ = 0;
        for (thread_[2] = 0; thread_[2] < kernel_.block[2]; ++thread_[2]) {
            for (thread_[1] = 0; thread_[1] < kernel_.block[1]; ++thread_[1]) {
                for (thread_[0] = 0; thread_[0] < kernel_.block[0]; ++thread_[0], ++linear_thread_) body();
            }
        }
    }
};

}  // namespace

std::vector<std::string> check_shared(const Kernel& kernel, std::size_t most) {
    const bool shares = std::any_of(kernel.body.begin(), kernel.body.end(), [](const Statement& s) {
        return std::holds_alternative<SharedArray>(s.node) || std::holds_alternative<PrivateArray>(s.node);
    });
    if (!shares) return {};
    return IntegerRun(kernel, most).run();
}

}  // namespace kasc::kernel
