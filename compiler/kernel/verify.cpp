// Checks that a kernel keeps the rules of kernel.hpp. One walk: `level` says where we are, `scopes` which names are
// known. A barrier inside Threads or Cells would be a barrier that some threads may miss: it is refused here, so that
// no emitted kernel can hold one. An exchange between the threads of a warp stands where a barrier may: since nothing
// at block level differs from thread to thread, private arrays neither, all threads of a warp come to it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

namespace {

enum class Level { block, thread };

class Verifier {
public:
    explicit Verifier(const Kernel& kernel) : kernel_(kernel) {}

    std::string run() {
        scopes_.emplace_back();
        for (const Parameter& p : kernel_.parameters) declare(p.name);
        for (const FunctionVariant& f : kernel_.functions) functions_.insert(f.name);
        for (const std::string& word : kernel_.guards) need(word);
        for (const ExprRef& g : kernel_.grid) {
            if (!g) return "a grid dimension is missing";
            use(g, Level::block);
        }
        body(kernel_.body, Level::block);
        return fault_;
    }

private:
    const Kernel& kernel_;
    std::vector<std::set<std::string>> scopes_;
    std::set<std::string> functions_;
    std::map<std::string, PrivateArray> private_;
    std::set<std::string> shared_;
    bool counted_ = false;
    std::string fault_;

    void fail(std::string text) {
        if (fault_.empty()) fault_ = std::move(text);
    }
    [[nodiscard]] bool known(const std::string& name) const {
        return std::any_of(scopes_.begin(), scopes_.end(), [&](const auto& scope) { return scope.contains(name); });
    }
    void declare(const std::string& name) {
        if (known(name)) fail(fmt::format("'{}' is declared twice", name));
        scopes_.back().insert(name);
    }
    void need(const std::string& name) {
        if (!known(name)) fail(fmt::format("'{}' is used before it is declared", name));
    }
    void body(const Body& statements, Level level) {
        scopes_.emplace_back();
        for (const Statement& s : statements) std::visit([&](const auto& node) { check(node, level); }, s.node);
        scopes_.pop_back();
    }
    void only(Level wanted, Level level, const char* what) {
        if (level != wanted)
            fail(fmt::format("{} stands at {} level", what, level == Level::block ? "block" : "thread"));
    }

    void use(const ExprRef& e, Level level) {
        if (!e) return;
        std::visit([&](const auto& node) { visit(node, level); }, e->node);
    }
    void visit(const Integer&, Level) {}
    void visit(const Real&, Level) {}
    void visit(const Name& n, Level) { need(n.name); }
    void visit(const ThreadIndex&, Level level) { only(Level::thread, level, "a thread's index"); }
    void visit(const LinearThread&, Level level) { only(Level::thread, level, "a thread's number"); }
    void visit(const BlockIndex&, Level) {}
    void visit(const Binary& b, Level level) { use(b.left, level), use(b.right, level); }
    void visit(const Negate& n, Level level) { use(n.operand, level); }
    void visit(const Not& n, Level level) { use(n.operand, level); }
    void visit(const Select& s, Level level) { use(s.condition, level), use(s.then, level), use(s.otherwise, level); }
    void visit(const MathCall& c, Level level) {
        for (const ExprRef& a : c.arguments) use(a, level);
    }
    void visit(const Element& e, Level level) {
        if (private_.contains(e.array)) only(Level::thread, level, "a thread's own word");
        need(e.array), use(e.index, level);
    }
    void visit(const Wide& w, Level level) { use(w.operand, level); }
    void visit(const Convert& c, Level level) { use(c.operand, level); }
    void visit(const Part& p, Level level) { use(p.operand, level); }

    void check(const Comment&, Level) {}
    void check(const Let& s, Level level) { use(s.value, level), declare(s.name); }
    void check(const Variable& s, Level level) {
        only(Level::thread, level, "a variable");
        use(s.value, level), declare(s.name);
    }
    void check(const RegisterArray& s, Level level) {
        only(Level::thread, level, "a register array");
        if (!s.values.empty() && s.values.size() != static_cast<std::size_t>(s.words))
            fail(fmt::format("'{}' has another number of words than of values", s.name));
        for (const ExprRef& value : s.values) use(value, level);
        declare(s.name);
    }
    void check(const PrivateArray& s, Level level) {
        only(Level::block, level, "a private array"), declare(s.name);
        private_[s.name] = s;
    }
    void check(const SharedArray& s, Level level) {
        only(Level::block, level, "a shared array");
        if (s.words <= 0) fail(fmt::format("'{}' has no words", s.name));
        if (s.offset && (*s.offset < 0 || *s.offset + s.words > kernel_.shared_words || s.type != Type::f32))
            fail(fmt::format("'{}' lies outside the kernel's shared block", s.name));
        declare(s.name), shared_.insert(s.name);
    }
    void check(const Assign& s, Level level) {
        only(Level::thread, level, "an assignment");
        if (!std::holds_alternative<Name>(s.target->node) && !std::holds_alternative<Element>(s.target->node)) {
            fail("an assignment's target is neither a variable nor an element");
        }
        if (s.adds && !std::holds_alternative<Element>(s.target->node)) fail("what is added to is no element");
        use(s.target, level), use(s.value, level);
    }
    void check(const Fetch& s, Level level) {
        only(Level::thread, level, "a fetch");
        if (!shared_.contains(s.into)) fail(fmt::format("'{}' is fetched into and not shared", s.into));
        need(s.into), need(s.from), use(s.into_index, level), use(s.from_index, level);
    }
    void check(const Prefetch& s, Level level) {
        only(Level::thread, level, "a prefetch");
        need(s.array), use(s.index, level);
    }
    void check(const LoadVector& s, Level level) {
        only(Level::thread, level, "a vector load");
        need(s.registers), need(s.array), use(s.first, level), use(s.index, level);
    }
    void check(const StoreVector& s, Level level) {
        only(Level::thread, level, "a vector store");
        need(s.registers), need(s.array), use(s.first, level), use(s.index, level);
    }
    void check(const Butterfly& s, Level level) {
        only(Level::thread, level, "a transform of few numbers");
        need(s.registers), use(s.turn, level);
        if (s.turn && !std::holds_alternative<Name>(s.turn->node)) fail("a butterfly's turn has no name");
        const auto own = private_.find(s.registers);
        if (own == private_.end() || own->second.type != s.type || (s.type != Type::c32 && s.type != Type::c64))
            return fail(fmt::format("'{}' is no private array of complex numbers", s.registers));
        if (s.first < 0 || s.numbers < 2 || s.first + s.numbers > own->second.words)
            fail(fmt::format("a butterfly leaves '{}'", s.registers));
    }
    void check(const For& s, Level level) {
        use(s.from, level), use(s.to, level), use(s.stride, level);
        if (s.step <= 0) fail("a loop does not move forward");
        scopes_.emplace_back();
        declare(s.variable);
        if (s.going) only(Level::thread, level, "a loop that ends by what it computes"), use(s.going, level);
        body(s.body, level);
        scopes_.pop_back();
    }
    void check(const If& s, Level level) { use(s.condition, level), body(s.then, level), body(s.otherwise, level); }
    void check(const CommitCopies&, Level level) { only(Level::block, level, "a group of copies"); }
    void check(const Barrier& s, Level level) {
        only(Level::block, level, "a barrier");
        if (s.awaits_all_but.value_or(0) < 0) fail("a barrier leaves fewer than no copies under way");
        if (s.reason.empty()) fail("a barrier has no reason");
    }
    void check(const Exchange& s, Level level) {
        only(Level::block, level, "an exchange");
        need(s.into), need(s.from);
        const auto into = private_.find(s.into), from = private_.find(s.from);
        if (into == private_.end() || from == private_.end())
            return fail(fmt::format("'{}' and '{}' are not both private arrays", s.into, s.from));
        if (into->second.type != from->second.type)
            fail(fmt::format("'{}' is of another type than '{}'", s.into, s.from));
        const auto holds = [&](const PrivateArray& a, int first) {
            return first >= 0 && s.words >= 1 && first + s.words <= a.words;
        };
        if (!holds(into->second, s.into_first) || !holds(from->second, s.from_first))
            fail(fmt::format("an exchange leaves '{}' or '{}'", s.into, s.from));
        if (s.into == s.from && std::abs(s.into_first - s.from_first) < s.words)
            fail(fmt::format("an exchange writes words of '{}' that it reads", s.into));
        const bool power = s.group > 0 && warp_threads % s.group == 0;
        if (s.group != 0 ? !power : s.distance == 0 || std::abs(s.distance) >= warp_threads)
            fail("an exchange is not between two threads of a warp");
        if (thread_count(kernel_.block) % warp_threads != 0) fail("an exchange in a block of parts of warps");
    }
    void check(const Threads& s, Level level) {
        only(Level::block, level, "a region of threads"), body(s.body, Level::thread);
    }
    void check(const Cells& s, Level level) {
        only(Level::block, level, "a region of cells");
        scopes_.emplace_back();
        for (const CellAxis& a : s.axes) {
            use(a.origin, Level::block), use(a.low, Level::block), use(a.high, Level::block);
            declare(a.name);
        }
        body(s.body, Level::thread);
        scopes_.pop_back();
    }
    void check(const Call& s, Level level) {
        only(Level::thread, level, "a call");
        if (!functions_.contains(s.function)) fail(fmt::format("'{}' is no function of the kernel", s.function));
        for (const CallArgument& argument : s.arguments) {
            if (const auto* array = std::get_if<ArrayArgument>(&argument)) {
                need(array->array), use(array->offset, level);
            } else {
                use(std::get<ExprRef>(argument), level);
            }
        }
    }
    void check(const Stage& s, Level level) {
        only(Level::thread, level, "a staged copy");
        need(s.shared), need(s.global), use(s.global_offset, level);
    }
    void check(const CountBlock& s, Level level) {
        only(Level::thread, level, "a count of blocks");
        need(s.into), use(s.index, level), use(s.blocks, level);
        if (!shared_.contains(s.into))
            fail(fmt::format("'{}' tells one thread alone whether its block is last", s.into));
        const auto& all = kernel_.parameters;
        if (std::none_of(all.begin(), all.end(),
                         [&](const Parameter& p) { return p.is_count() && p.name == s.finished; }))
            fail(fmt::format("blocks are counted in '{}', which is no word for it", s.finished));
        if (std::exchange(counted_, true)) fail("blocks are counted twice");
    }
};

}  // namespace

std::string verify(const Kernel& kernel) { return Verifier(kernel).run(); }

}  // namespace kasc::kernel
