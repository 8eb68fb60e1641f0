#pragma once
// Transforms of a host plan as calls of a kasc_transforms (support/kasc_transforms.*), and the libraries behind it.

#include <string>
#include <vector>

#include "emit/host_context.hpp"

namespace kasc::emit {

/// Precisions of the program's transforms; none: it has no transform.
[[nodiscard]] std::vector<Precision> transform_precisions(const Program& program);

/// The distinct transforms of a host plan: a number each, for add() and run().
class TransformCalls {
public:
    explicit TransformCalls(const HostContext& context);
    [[nodiscard]] bool empty() const { return statements_.empty(); }
    /// Members of the run, what prepare() makes of them, one call.
    void declare(Writer& out) const;
    void prepare(Writer& out) const;
    void run(Writer& out, const TransformStep& step) const;

private:
    const HostContext& context_;
    std::vector<TransformStatement> statements_;

    void collect(const std::vector<HostStep>& steps);
    [[nodiscard]] bool alike(const TransformStatement& a, const TransformStatement& b) const;
    [[nodiscard]] std::string words_of(const TransformStatement& statement) const;
};

}  // namespace kasc::emit
