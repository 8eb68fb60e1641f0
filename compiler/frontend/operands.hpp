#pragma once
// The distinct reads of one field statement, in the order of their first appearance, and the axes that it runs over.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"
#include "frontend/program.hpp"

namespace kasc::frontend {

class Operands {
public:
    /// Operands of a statement whose target's indices are not known yet: every axis may be run along, and those that
    /// reads run along are remembered.
    Operands(const Program& program, VariableId target) : program_(program), target_(target) {}
    /// Operands of a condition that is not assigned to anything: every axis may be run along.
    explicit Operands(const Program& program) : program_(program) {}

    /// From here on the statement runs along the axes of the target that stand at no position, and along the axes that
    /// the positions of the target ran along.
    void close(const std::vector<AxisIndex>& target_indices);

    /// running: one cell after another; fixed: at the target's absolute position; absent: no axis of the statement.
    enum class TargetAxis { running, fixed, absent };
    [[nodiscard]] TargetAxis target_axis(AxisId axis);
    [[nodiscard]] bool has_target() const { return target_.has_value(); }
    [[nodiscard]] VariableId target() const { return target_.value(); }
    /// Axes of the target along which the statement runs, in the target's order; none before the target is known.
    [[nodiscard]] std::vector<AxisId> running() const;
    /// The axes of the list of a target at computed positions; of a condition, all that it runs along.
    [[nodiscard]] const std::vector<AxisId>& listed() const { return listed_; }

    /// A field of one number, which is not read, runs along these axes: in its order.
    void run_along(std::vector<AxisId> axes);
    [[nodiscard]] const std::vector<std::vector<AxisId>>& unread() const { return unread_; }

    /// The number of the operand; an equal read that was added before gives its number again.
    [[nodiscard]] std::size_t add(Operand operand);
    /// The number of an operand that is apart from equal ones (Adding::running).
    [[nodiscard]] std::size_t add_apart(Operand operand);
    /// By number, as the language writes them.
    [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
    [[nodiscard]] std::vector<Operand> take() { return std::move(operands_); }
    /// Some operand or the target is of double.
    [[nodiscard]] Precision precision() const;
    /// Some operand or the target is of int64.
    [[nodiscard]] bool computes_long() const;

    /// A literal that only a double holds; `expansions`: the notes of an error about it.
    struct WideLiteral {
        Span span;
        std::vector<Note> expansions;
    };
    void add(WideLiteral literal) { wide_.push_back(std::move(literal)); }
    [[nodiscard]] const std::vector<WideLiteral>& wide_literals() const { return wide_; }
    /// A number that integers of 64 bits alone have, and what is wrong with it among others.
    struct LongLiteral {
        Span span;
        const char *message, *label;
        std::vector<Note> expansions;
    };
    void add(LongLiteral literal) { long_.push_back(std::move(literal)); }
    [[nodiscard]] const std::vector<LongLiteral>& long_literals() const { return long_; }
    /// A call of a function of the library, which computes in float.
    struct LibraryCall {
        std::string name;
        Span span;
        std::vector<Note> expansions;
    };
    void add(LibraryCall call) { calls_.push_back(std::move(call)); }
    [[nodiscard]] const std::vector<LibraryCall>& library_calls() const { return calls_; }

private:
    const Program& program_;
    std::optional<VariableId> target_;
    bool closed_ = false;
    std::vector<AxisId> listed_;
    std::vector<std::vector<AxisId>> unread_;
    std::map<AxisId, TargetAxis> axes_;
    std::vector<Operand> operands_;
    std::vector<std::string> texts_;
    std::vector<WideLiteral> wide_;
    std::vector<LongLiteral> long_;
    std::vector<LibraryCall> calls_;

    /// The type of some operand or of the target is of this kind.
    [[nodiscard]] bool some_is(bool (*of)(CellType)) const;

    std::map<std::string, std::size_t> numbers_;  ///< by the text of the read, which says it completely
};

}  // namespace kasc::frontend
