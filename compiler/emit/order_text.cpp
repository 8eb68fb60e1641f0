#include "emit/order_text.hpp"

#include <algorithm>

namespace kasc::emit {

namespace {

bool any_order(const std::vector<Statement>& statements) {
    return std::any_of(statements.begin(), statements.end(), [](const Statement& s) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s);
        const auto* transform = std::get_if<TransformStatement>(&s);
        return loop != nullptr ? any_order((*loop)->body) : transform != nullptr && orders(transform->direction);
    });
}

}  // namespace

bool orders_lists(const Program& program) { return any_order(program.statements); }

void write_cpu_orders(Writer& out) {
    out.line(
        "extern \"C\" void kasc_order_entries(int what, long long entries, long long cells, int *to, const int *from)");
    out.open_block();
    out.line("if (what == 1) return kasc_runs(to, from, entries, cells);");
    out.line("if (what == 2) return kasc_starts(to, from, entries, cells);");
    out.line("std::vector<int> work(3 * (std::size_t)entries);");
    out.line("kasc_order(to, from, entries, cells, work.data());");
    out.close();
    out.blank();
}

OrderCalls::OrderCalls(const HostContext& context) : context_(context) { collect(context.plan.steps); }

OrderCalls::List OrderCalls::list_of(const TransformStatement& statement) const {
    return {field_shape(context_.program, statement.source).axes.front(), statement.cells};
}

void OrderCalls::collect(const std::vector<HostStep>& steps) {
    for (const HostStep& step : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) collect(loop->body);
        const auto* transform = std::get_if<TransformStep>(&step.what);
        if (transform == nullptr || !orders(transform->statement.direction)) continue;
        const List list = list_of(transform->statement);
        if (std::find(lists_.begin(), lists_.end(), list) == lists_.end()) lists_.push_back(list);
    }
}

void OrderCalls::declare(Writer& out) const {
    if (!empty()) out.line("kasc_orders orders;");
}

void OrderCalls::prepare(Writer& out) const {
    const auto extent = [&](AxisId axis) { return "args." + context_.names.extents.at(axis.index); };
    for (const List& list : lists_) {
        std::string lengths;
        for (const AxisId axis : list.cells) lengths += (lengths.empty() ? "" : ", ") + extent(axis);
        out.line("orders.add(memory, {}, {{{}}});", extent(list.entries), lengths);
    }
    if (!empty()) out.line("orders.ready(memory);");
}

void OrderCalls::run(Writer& out, const TransformStep& step) const {
    const auto place = std::find(lists_.begin(), lists_.end(), list_of(step.statement));
    out.line("orders.{}(memory, {}, {}, {});", name_of(step.statement.direction), place - lists_.begin(),
             context_.slot(step.to), context_.slot(step.from));
}

}  // namespace kasc::emit
