#include "emit/transform_text.hpp"

#include <algorithm>

namespace kasc::emit {

namespace {

void collect_precisions(const Program& program, const std::vector<Statement>& statements,
                        std::vector<Precision>& precisions) {
    for (const Statement& s : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s))
            collect_precisions(program, (*loop)->body, precisions);
        const auto* transform = std::get_if<TransformStatement>(&s);
        if (transform == nullptr) continue;
        const bool dual = is_dual(field_shape(program, transform->source).type);
        const Precision precision = dual ? Precision::dual : Precision::single;
        if (std::find(precisions.begin(), precisions.end(), precision) == precisions.end())
            precisions.push_back(precision);
    }
}

}  // namespace

std::vector<Precision> transform_precisions(const Program& program) {
    std::vector<Precision> precisions;
    collect_precisions(program, program.statements, precisions);
    std::sort(precisions.begin(), precisions.end());
    return precisions;
}

TransformCalls::TransformCalls(const HostContext& context) : context_(context) { collect(context.plan.steps); }

void TransformCalls::collect(const std::vector<HostStep>& steps) {
    for (const HostStep& step : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) collect(loop->body);
        const auto* transform = std::get_if<TransformStep>(&step.what);
        if (transform == nullptr) continue;
        const bool known = std::any_of(statements_.begin(), statements_.end(),
                                       [&](const TransformStatement& s) { return alike(s, transform->statement); });
        if (!known) statements_.push_back(transform->statement);
    }
}

bool TransformCalls::alike(const TransformStatement& a, const TransformStatement& b) const {
    const auto same = [&](VariableId left, VariableId right) {
        const FieldShape &l = field_shape(context_.program, left), &r = field_shape(context_.program, right);
        return l.axes == r.axes && l.type == r.type;
    };
    return a.axes == b.axes && same(a.source, b.source) && same(a.target, b.target);
}

std::string TransformCalls::words_of(const TransformStatement& s) const {
    return fmt::format("{}, {}", word_text(context_.program, s.source), word_text(context_.program, s.target));
}

void TransformCalls::declare(Writer& out) const {
    if (!empty()) out.line("kasc_transforms transforms;");
}

void TransformCalls::prepare(Writer& out) const {
    const auto extent = [&](AxisId axis) { return "args." + context_.names.extents.at(axis.index); };
    for (const AxisId axis : context_.program.axes.ids()) {
        const auto& whole = context_.program.axes[axis].half_of;
        if (!whole || empty()) continue;
        out.open("if ({} != {} / 2 + 1)", extent(axis), extent(*whole));
        out.line("return kasc_fail(1, \"extent {} is %lld: half a spectrum has %lld\", {}, {} / 2 + 1);",
                 context_.names.extents.at(axis.index), extent(axis), extent(*whole));
        out.close();
    }
    for (const TransformStatement& s : statements_) {
        const FieldShape& source = field_shape(context_.program, s.source);
        const FieldShape& whole = is_complex(source.type) ? field_shape(context_.program, s.target) : source;
        std::string lengths, inner, outer;
        for (std::size_t k = whole.axes.size(); k-- > 0;) {
            const bool along = std::find(s.axes.begin(), s.axes.end(), k) != s.axes.end();
            std::string& list = along ? lengths : k < s.axes.front() ? inner : outer;
            list += (list.empty() ? "" : along ? ", " : " * ") + extent(whole.axes[k]);
        }
        out.line("transforms.add<{}>(memory, {{{}}}, {}, {});", words_of(s), lengths, inner.empty() ? "1" : inner,
                 outer.empty() ? "1" : outer);
    }
    if (!empty()) out.line("transforms.ready(memory);");
}

void TransformCalls::run(Writer& out, const TransformStep& step) const {
    const auto place = std::find_if(statements_.begin(), statements_.end(),
                                    [&](const TransformStatement& s) { return alike(s, step.statement); });
    out.line("transforms.run<{}>(memory, {}, {}, {}, {});", words_of(step.statement), place - statements_.begin(),
             context_.slot(step.to), context_.slot(step.from),
             step.statement.direction == Direction::forward ? "true" : "false");
}

}  // namespace kasc::emit
