#include "emit/transform_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kasc::emit {

namespace {

void collect_precisions(const Program& program, const std::vector<Statement>& statements,
                        std::vector<Precision>& precisions) {
    for (const Statement& s : statements) {
        if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s))
            collect_precisions(program, (*loop)->body, precisions);
        const auto* transform = std::get_if<TransformStatement>(&s);
        if (transform == nullptr || !transforms(transform->direction)) continue;
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

void write_cpu_transforms(Writer& out, Precision precision) {
    const std::string real = precision == Precision::dual ? "double" : "float";
    out.line(
        "extern \"C\" int kasc_transform_{}(int kind, int rank, const long long *shape, void *to, void *from, int "
        "forward, const long long *part)",
        real);
    out.open_block();
    out.line("const kasc_shape lines{{kasc_lengths(shape, rank), shape[rank], shape[rank + 1]}};");
    out.line("kasc_pass_part own{{}};");
    out.line("if (part != nullptr) own = {{(int)part[0], part[1], part[2], part[3], part[4]}};");
    out.line("const kasc_pass_part *const asked = part != nullptr ? &own : nullptr;");
    const std::array<std::pair<std::string, std::string>, 3> kinds{
        {{real, real + "2"}, {real + "2", real}, {real + "2", real + "2"}}};
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const auto& [from, to] = kinds[k];
        out.line("if (kind == {}) return kasc_walked_transform<{}, {}>(lines, to, from, forward != 0, asked);", k, from,
                 to);
    }
    out.line("return kasc_fail(1, \"a transform of another kind\");");
    out.close();
    out.blank();
}

TransformCalls::TransformCalls(const HostContext& context) : context_(context) { collect(context.plan.steps); }

void TransformCalls::collect(const std::vector<HostStep>& steps) {
    for (const HostStep& step : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&step.what)) collect(loop->body);
        const auto* transform = std::get_if<TransformStep>(&step.what);
        if (transform == nullptr || !transforms(transform->statement.direction)) continue;
        if (is_storing(*transform, context_.target)) {
            storing_.push_back(*transform);
            continue;
        }
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

bool is_storing(const TransformStep& step, Target target) { return step.stores && target == Target::cuda; }

std::string storing_name(const HostPlan& plan, const TransformStep& step) {
    return "storing_" + plan.kernels[step.stores->kernel].alternatives.front().name;
}

std::string transform_words(const Program& program, const TransformStatement& s) {
    return fmt::format("{}, {}", word_text(program, s.source), word_text(program, s.target));
}

void TransformCalls::declare(Writer& out) const {
    if (empty()) return;
    out.line("kasc_transforms transforms;");
    if (!storing_.empty()) out.line("kasc_store_code store_code;");
    for (const TransformStep& step : storing_) {
        const std::string& function = context_.plan.kernels[step.stores->kernel].alternatives.front().name;
        out.line("kasc_storing<{}, {}_arguments, {}> {};", transform_words(context_.program, step.statement), function,
                 function, storing_name(context_.plan, step));
    }
}

void TransformCalls::prepare(Writer& out) const {
    const auto extent = [&](AxisId axis) { return "args." + context_.names.extents.at(axis.index); };
    for (const TransformStatement& s : statements_)
        out.line("transforms.add<{}>(memory, {});", transform_words(context_.program, s), shape_of(s));
    if (!storing_.empty()) {
        std::string extents;
        for (const AxisId axis : context_.program.axes.ids()) extents += (extents.empty() ? "" : ", ") + extent(axis);
        out.line("store_code.compile({}_at_store_text, {{{}}});", context_.prefix, extents);
    }
    for (const TransformStep& step : storing_) {
        out.line("{}.prepare(memory, transforms, store_code, \"{}\", {});", storing_name(context_.plan, step),
                 context_.plan.kernels[step.stores->kernel].alternatives.front().name, shape_of(step.statement));
    }
    if (!empty()) out.line("transforms.ready(memory);");
}

/// Lengths, the slowest first, cells between neighbours, how many such arrays.
std::string TransformCalls::shape_of(const TransformStatement& s) const {
    const auto extent = [&](AxisId axis) { return "args." + context_.names.extents.at(axis.index); };
    const FieldShape& source = field_shape(context_.program, s.source);
    const FieldShape& whole = is_complex(source.type) ? field_shape(context_.program, s.target) : source;
    std::string lengths, inner, outer;
    for (std::size_t k = whole.axes.size(); k-- > 0;) {
        const bool along = std::find(s.axes.begin(), s.axes.end(), k) != s.axes.end();
        std::string& list = along ? lengths : k < s.axes.front() ? inner : outer;
        list += (list.empty() ? "" : along ? ", " : " * ") + extent(whole.axes[k]);
    }
    return fmt::format("{{{}}}, {}, {}", lengths, inner.empty() ? "1" : inner, outer.empty() ? "1" : outer);
}

void TransformCalls::run(Writer& out, const TransformStep& step) const {
    const auto place = std::find_if(statements_.begin(), statements_.end(),
                                    [&](const TransformStatement& s) { return alike(s, step.statement); });
    out.line("transforms.run<{}>(memory, {}, {}, {}, {});", transform_words(context_.program, step.statement),
             place - statements_.begin(), context_.slot(step.to), context_.slot(step.from),
             step.statement.direction == Direction::forward ? "true" : "false");
}

}  // namespace kasc::emit
