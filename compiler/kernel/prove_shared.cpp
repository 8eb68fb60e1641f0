// Statements become closures over a table of integers. Of a float expression only the shared words that it reads are
// left; of a condition on floats, both ways are taken.
//
//   T_new[i] = fmaf(a, T_tile[s - 1], T_0)      reads T_tile[s - 1]
#include "kernel/prove_shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace kasc::kernel {

namespace {

constexpr std::size_t most_findings = 10;
constexpr long long largest_extent = 1 << 13;
constexpr int blocks_wanted = 3;

struct Word {
    int writer = -1, written_in = -1, reader = -1, read_in = -1;
    bool several_readers = false;
};

class Proof {
public:
    explicit Proof(const Kernel& kernel) : kernel_(kernel) {
        for (const Parameter& p : kernel.parameters) {
            if (!p.is_array()) numbers_[slot(p.name)] = 1;
        }
        for (const ExprRef& g : kernel.grid) grid_.push_back(number(g));
        body_ = compile(kernel.body);
    }

    std::vector<std::string> run() {
        choose_extents();
        const std::array<std::vector<long long>, 3> blocks{some(0), some(1), some(2)};
        for (const long long z : blocks[2]) {
            for (const long long y : blocks[1]) {
                for (const long long x : blocks[0]) {
                    block_ = {x, y, z};
                    words_.assign(static_cast<std::size_t>(all_words_), {});
                    interval_ = 0;
                    body_();
                }
            }
        }
        return findings_;
    }

private:
    using Number = std::function<long long()>;
    using Action = std::function<void()>;
    struct Place {
        int offset = 0, words = 0;
    };

    const Kernel& kernel_;
    std::map<std::string, std::size_t> slots_;
    std::vector<long long> numbers_ = std::vector<long long>(1024, 0);
    std::map<std::string, Place> shared_;
    int all_words_ = kernel_.shared_words;  ///< arrays of their own stand behind the block
    std::vector<Number> grid_;
    std::array<long long, 3> block_{}, thread_{};
    std::vector<Word> words_;
    int interval_ = 0;
    Action body_;
    std::vector<std::string> findings_;

    std::size_t slot(const std::string& name) {
        const std::size_t at = slots_.try_emplace(name, slots_.size()).first->second;
        if (at >= numbers_.size()) numbers_.resize(2 * at, 0);
        return at;
    }
    void find(std::string text) {
        if (findings_.size() < most_findings && std::find(findings_.begin(), findings_.end(), text) == findings_.end())
            findings_.push_back(std::move(text));
    }

    // --- the grid ---

    /// Extents grow until every dimension of the grid that depends on them has enough blocks.
    void choose_extents() {
        const long long step = kernel_.requirement ? kernel_.requirement->multiple : 1;
        long long extent = 8 * step;
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
            numbers_[slot(p.name)] = extent + (groups ? more : std::min(more, 1LL));
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
        std::vector<long long> all{0, n / 2, n - 1};
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    // --- accesses ---

    [[nodiscard]] int thread() const {
        return static_cast<int>((thread_[2] * kernel_.block[1] + thread_[1]) * kernel_.block[0] + thread_[0]);
    }
    void touch(const std::string& array, const Place& place, long long at, bool writes) {
        if (at < 0 || at >= place.words) return find(fmt::format("touches {}[{}] of {}", array, at, place.words));
        Word& w = words_[static_cast<std::size_t>(place.offset + at)];
        const int who = thread();
        if (w.written_in == interval_ && w.writer != who)
            find(fmt::format("{} {}[{}], which another thread writes with no barrier between",
                             writes ? "writes" : "reads", array, at));
        if (!writes) {
            if (w.writer < 0) find(fmt::format("reads {}[{}], which nothing wrote", array, at));
            w.several_readers = w.read_in == interval_ && (w.several_readers || w.reader != who);
            w.reader = who;
            w.read_in = interval_;
            return;
        }
        if (w.read_in == interval_ && (w.several_readers || w.reader != who))
            find(fmt::format("writes {}[{}], which another thread reads with no barrier between", array, at));
        w.writer = who;
        w.written_in = interval_;
    }
    Action access(const std::string& array, const ExprRef& index, int width, bool writes) {
        const auto found = shared_.find(array);
        if (found == shared_.end()) return nothing();
        return [this, array, place = found->second, at = number(index), width, writes] {
            const long long first = at();
            for (int k = 0; k < width; ++k) touch(array, place, first + k, writes);
        };
    }
    static Action nothing() {
        return [] {};
    }

    // --- expressions ---

    Number number(const ExprRef& e) {
        return std::visit([&](const auto& node) { return value(node); }, e->node);
    }
    Number value(const Integer& n) {
        return [v = n.value] { return static_cast<long long>(v); };
    }
    Number value(const Name& n) {
        return [this, k = slot(n.name)] { return numbers_[k]; };
    }
    Number value(const ThreadIndex& n) {
        return [this, k = static_cast<std::size_t>(n.dimension)] { return thread_[k]; };
    }
    Number value(const LinearThread&) {
        return [this] { return static_cast<long long>(thread()); };
    }
    Number value(const BlockIndex& n) {
        return [this, k = static_cast<std::size_t>(n.dimension)] { return block_[k]; };
    }
    Number value(const Negate& n) {
        return [v = number(n.operand)] { return -v(); };
    }
    Number value(const Not& n) {
        return [v = number(n.operand)] { return static_cast<long long>(v() == 0); };
    }
    Number value(const Select& n) {
        return [c = number(n.condition), t = number(n.then), o = number(n.otherwise)] { return c() != 0 ? t() : o(); };
    }
    Number value(const Wide& n) { return number(n.operand); }
    Number value(const MathCall& n) {
        if (n.function != "min" && n.function != "max") return unknown();
        const bool least = n.function == "min";
        return [a = number(n.arguments[0]), b = number(n.arguments[1]), least] {
            return least ? std::min(a(), b()) : std::max(a(), b());
        };
    }
    Number value(const Binary& n) {
        const Number l = number(n.left), r = number(n.right);
        if (n.op == "+") return [l, r] { return l() + r(); };
        if (n.op == "-") return [l, r] { return l() - r(); };
        if (n.op == "*") return [l, r] { return l() * r(); };
        if (n.op == "/")
            return [l, r] {
                const long long d = r();
                return d == 0 ? 0 : l() / d;
            };
        if (n.op == "%")
            return [l, r] {
                const long long d = r();
                return d == 0 ? 0 : l() % d;
            };
        if (n.op == "<") return [l, r] { return static_cast<long long>(l() < r()); };
        if (n.op == "<=") return [l, r] { return static_cast<long long>(l() <= r()); };
        if (n.op == ">") return [l, r] { return static_cast<long long>(l() > r()); };
        if (n.op == ">=") return [l, r] { return static_cast<long long>(l() >= r()); };
        if (n.op == "==") return [l, r] { return static_cast<long long>(l() == r()); };
        if (n.op == "!=") return [l, r] { return static_cast<long long>(l() != r()); };
        if (n.op == "&&") return [l, r] { return static_cast<long long>(l() != 0 && r() != 0); };
        return [l, r] { return static_cast<long long>(l() != 0 || r() != 0); };
    }
    /// Of floats.
    static Number unknown() {
        return [] { return 0LL; };
    }
    Number value(const Real&) { return unknown(); }
    Number value(const Element&) { return unknown(); }
    Number value(const Convert& n) { return number(n.operand); }
    Number value(const Part&) { return unknown(); }

    /// The shared words that an expression reads.
    void reads(const ExprRef& e, std::vector<Action>& all) {
        if (!e) return;
        std::visit([&](const auto& node) { reads_of(node, all); }, e->node);
    }
    template <class Leaf>
    void reads_of(const Leaf&, std::vector<Action>&) {}
    void reads_of(const Element& n, std::vector<Action>& all) {
        reads(n.index, all);
        if (shared_.contains(n.array)) all.push_back(access(n.array, n.index, 1, false));
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
        reads(n.condition, all), reads(n.then, all), reads(n.otherwise, all);
    }
    Action read_all(std::initializer_list<ExprRef> expressions) {
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
        shared_[s.name] = {s.offset.value_or(all_words_), s.words};
        if (!s.offset) all_words_ += s.words;
        return nothing();
    }
    Action action(const Assign& s) {
        const auto* target = std::get_if<Element>(&s.target->node);
        if (target == nullptr) return read_all({s.value});
        return in_turn({read_all({s.value, target->index}), access(target->array, target->index, 1, true)});
    }
    Action action(const LoadVector& s) { return access(s.array, s.index, s.width, false); }
    Action action(const StoreVector& s) { return access(s.array, s.index, s.width, true); }
    Action action(const Barrier&) {
        return [this] { ++interval_; };
    }
    Action action(const For& s) {
        const std::size_t k = slot(s.variable);
        return [this, k, step = s.stride ? number(s.stride) : number(integer(s.step)), from = number(s.from),
                to = number(s.to), body = compile(s.body)] {
            const long long end = to(), forward = step();
            for (long long i = from(); i < end; i += forward) {
                numbers_[k] = i;
                body();
            }
        };
    }
    static bool of_floats(const ExprRef& e) {
        if (std::holds_alternative<Element>(e->node) || std::holds_alternative<Real>(e->node)) return true;
        if (const auto* b = std::get_if<Binary>(&e->node)) return of_floats(b->left) || of_floats(b->right);
        if (const auto* n = std::get_if<Not>(&e->node)) return of_floats(n->operand);
        return false;
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
        return [this, body = compile(s.body)] { for_threads(body); };
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
        return [this, axes, body = compile(s.body)] {
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
        for (thread_[2] = 0; thread_[2] < kernel_.block[2]; ++thread_[2]) {
            for (thread_[1] = 0; thread_[1] < kernel_.block[1]; ++thread_[1]) {
                for (thread_[0] = 0; thread_[0] < kernel_.block[0]; ++thread_[0]) body();
            }
        }
    }
};

}  // namespace

std::vector<std::string> prove_shared(const Kernel& kernel) {
    const bool shares = std::any_of(kernel.body.begin(), kernel.body.end(),
                                    [](const Statement& s) { return std::holds_alternative<SharedArray>(s.node); });
    if (!shares) return {};
    return Proof(kernel).run();
}

}  // namespace kasc::kernel
