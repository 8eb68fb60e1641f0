#pragma once
// Transforms of a host plan as calls of a kasc_transforms (support/kasc_transforms.*), and the libraries behind it.

#include <string>
#include <vector>

#include "emit/host_context.hpp"

namespace kasc::emit {

/// Precisions of the program's transforms; none: it has no transform.
[[nodiscard]] std::vector<Precision> transform_precisions(const Program& program);

/// kasc_transform_float or kasc_transform_double: one transform by kasc_transforms on the CPU. kind 0: of reals, 1: to
/// reals, 2: complex; shape: the lengths, the slowest first, cells between neighbours, how many such arrays; part:
/// null, or the axis, arrays of lines and columns of them, from and up to.
void write_cpu_transforms(Writer& out, Precision precision);

/// On this target the library computes what stands behind a transform as it stores.
[[nodiscard]] bool is_storing(const TransformStep& step, Target target);
/// The transform's own name among the members of a run: "storing_waves_k3".
[[nodiscard]] std::string storing_name(const HostPlan& plan, const TransformStep& step);
/// "float2, float": words of the source, of the target.
[[nodiscard]] std::string transform_words(const Program& program, const TransformStatement& statement);

/// The distinct transforms of a host plan: a number each, for add() and run(). Storing ones have plans of their own.
class TransformCalls {
public:
    explicit TransformCalls(const HostContext& context);
    [[nodiscard]] bool empty() const { return statements_.empty() && storing_.empty(); }
    /// Members of the run, what prepare() makes of them, one call.
    void declare(Writer& out) const;
    void prepare(Writer& out) const;
    void run(Writer& out, const TransformStep& step) const;

private:
    const HostContext& context_;
    std::vector<TransformStatement> statements_;
    std::vector<TransformStep> storing_;

    void collect(const std::vector<HostStep>& steps);
    [[nodiscard]] bool alike(const TransformStatement& a, const TransformStatement& b) const;
    [[nodiscard]] std::string shape_of(const TransformStatement& statement) const;
};

}  // namespace kasc::emit
