#pragma once
// The planes along an axis that the threads of a block walk: its own, [begin, end), and of these the ones in the
// interior, [first, last). A column whose other coordinates lie in the interior too takes the edge path for the planes
// outside [first, last) only, any other for all of its planes.

#include "lower/walk/walk.hpp"

namespace kasc::kernel {

class WalkedPlanes {
public:
    WalkedPlanes(FieldContext& context, std::size_t axis);

    [[nodiscard]] ExprRef begin() const { return name(begin_); }
    [[nodiscard]] ExprRef end() const { return name(end_); }
    [[nodiscard]] ExprRef first();
    [[nodiscard]] ExprRef last();

    /// Block level: names begin and end. `block`: the block's number along the axis; `visited`: where it is false the
    /// block has no plane; null: it is true.
    [[nodiscard]] Body own(const ExprRef& block, const ExprRef& visited = nullptr);
    /// Names first and last. `inside`: where it is false they are the end; null: it is true.
    [[nodiscard]] Body interior(const ExprRef& inside);
    /// Some block, or of `some_columns` some column, has no plane in [first, last).
    [[nodiscard]] bool may_have_no_interior(bool some_columns) const;

    [[nodiscard]] Statement each(const ExprRef& from, const ExprRef& to, Body plane, int unroll = 0);
    /// The cell path of the planes outside [first, last), one loop: those before, then those behind.
    [[nodiscard]] Statement edges(const ExprRef& first, const ExprRef& last);
    /// The cell path of a column: `inside` of its planes outside [first, last), else of all of them.
    [[nodiscard]] Body edge_columns(const ExprRef& inside);

private:
    FieldContext& context_;
    std::size_t walk_;
    std::string axis_, begin_, end_;
};

}  // namespace kasc::kernel
