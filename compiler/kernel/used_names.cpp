#include "kernel/used_names.hpp"

#include <set>

namespace kasc::kernel {

namespace {

/// From the last statement to the first: what is read behind is known when a constant is met.
class Pruning {
public:
    Body run(Body body) {
        Body kept;
        for (auto s = body.rbegin(); s != body.rend(); ++s) {
            if (const auto* let = std::get_if<Let>(&s->node); let != nullptr && used_.erase(let->name) == 0) continue;
            std::visit([&](auto& node) { look_at(node); }, s->node);
            kept.push_back(std::move(*s));
        }
        return {std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend())};
    }

private:
    std::set<std::string> used_;

    void inside(Body& body) { body = run(std::move(body)); }

    void look_at(Comment&) {}
    void look_at(PrivateArray&) {}
    void look_at(SharedArray&) {}
    void look_at(Barrier&) {}
    void look_at(CommitCopies&) {}
    void look_at(Let& s) { reads(s.value); }
    void look_at(Variable& s) { reads(s.value); }
    void look_at(RegisterArray& s) {
        for (const ExprRef& value : s.values) reads(value);
    }
    void look_at(Assign& s) { reads(s.target), reads(s.value); }
    void look_at(Fetch& s) { reads(s.into_index), reads(s.from_index); }
    void look_at(Prefetch& s) { reads(s.index); }
    void look_at(LoadVector& s) { reads(s.first), reads(s.index); }
    void look_at(StoreVector& s) { reads(s.first), reads(s.index); }
    void look_at(Butterfly& s) { reads(s.turn); }
    void look_at(For& s) {
        inside(s.body);
        reads(s.from), reads(s.to), reads(s.stride), reads(s.going);
    }
    void look_at(If& s) {
        inside(s.then), inside(s.otherwise);
        reads(s.condition);
    }
    void look_at(Exchange&) {}
    void look_at(Threads& s) { inside(s.body); }
    void look_at(Cells& s) {
        inside(s.body);
        for (const CellAxis& axis : s.axes) reads(axis.origin), reads(axis.low), reads(axis.high);
    }
    void look_at(Call& s) {
        for (const CallArgument& argument : s.arguments) {
            const auto* array = std::get_if<ArrayArgument>(&argument);
            reads(array != nullptr ? array->offset : std::get<ExprRef>(argument));
        }
    }
    void look_at(Stage& s) { reads(s.global_offset); }
    void look_at(CountBlock& s) { reads(s.index), reads(s.blocks); }

    void reads(const ExprRef& e) {
        if (e) std::visit([&](const auto& node) { reads_of(node); }, e->node);
    }
    template <class Leaf>
    void reads_of(const Leaf&) {}
    void reads_of(const Name& n) { used_.insert(n.name); }
    void reads_of(const Binary& n) { reads(n.left), reads(n.right); }
    void reads_of(const Negate& n) { reads(n.operand); }
    void reads_of(const Not& n) { reads(n.operand); }
    void reads_of(const Select& n) { reads(n.condition), reads(n.then), reads(n.otherwise); }
    void reads_of(const MathCall& n) {
        for (const ExprRef& argument : n.arguments) reads(argument);
    }
    void reads_of(const Element& n) { reads(n.index); }
    void reads_of(const Wide& n) { reads(n.operand); }
    void reads_of(const Convert& n) { reads(n.operand); }
    void reads_of(const Part& n) { reads(n.operand); }
};

}  // namespace

Body without_unused(Body body) { return Pruning().run(std::move(body)); }

}  // namespace kasc::kernel
