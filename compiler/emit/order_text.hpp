#pragma once
// Orders of lists of a host plan as calls of a kasc_orders (support/kasc_orders.*).

#include <string>
#include <vector>

#include "emit/host_context.hpp"

namespace kasc::emit {

/// The program puts lists into an order.
[[nodiscard]] bool orders_lists(const Program& program);
/// kasc_order_entries: on the CPU, of a list what 0 the order, 1 the runs, 2 the starts are (Direction::order …).
void write_cpu_orders(Writer& out);

/// The distinct orders of a host plan: a number each, for add(), order(), runs() and starts().
class OrderCalls {
public:
    explicit OrderCalls(const HostContext& context);
    [[nodiscard]] bool empty() const { return lists_.empty(); }
    /// A member of the run, what prepare() makes of it, one call.
    void declare(Writer& out) const;
    void prepare(Writer& out) const;
    void run(Writer& out, const TransformStep& step) const;

private:
    struct List {
        AxisId entries;
        std::vector<AxisId> cells;
        friend bool operator==(const List&, const List&) = default;
    };
    const HostContext& context_;
    std::vector<List> lists_;

    [[nodiscard]] List list_of(const TransformStatement& statement) const;
    void collect(const std::vector<HostStep>& steps);
};

}  // namespace kasc::emit
