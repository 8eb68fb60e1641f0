// A block adds its entries to copies of the cells in shared memory:
//
//   copy_count = 32, or fewer where so many cells leave room for fewer
//   for (word = thread; word < cells * copy_count; word += 256) count_copies[word] = 0 barrier for (at = 4 thread; at <
//   count; at += 1024)                     entries first + at … + 3, under way for several passes
//       kasc_add(&count_copies[cell * copy_count + own], 1)  where the cell lies on the grid          barrier
//   for (cell = thread; cell < cells; cell += 256)
//       sum of count_copies[cell * copy_count + k], each thread from a k of its own on: a bank each
//       if (sum != 0) kasc_add(&count[cell], sum)
//
// Entries are counted through all axes, and carry their coordinates along.
#include <fmt/format.h>

#include "graph/field_target.hpp"
#include "lower/block.hpp"
#include "lower/field/counted_places.hpp"
#include "lower/walk/walk.hpp"
#include "schedule/field/walk/histogram.hpp"

namespace kasc::kernel {

namespace {

/// Words of the block for one addition; so many as its region has.
int words_of(const FieldSchedule& schedule, std::size_t addition) { return schedule.block->regions[addition].words; }

class HistogramWalk {
public:
    explicit HistogramWalk(FieldContext& context) : c_(context), choice_(context.schedule.choice) {
        const std::vector<const FieldCall*> additions = additions_of(c_.plan);
        for (std::size_t k = 0; k < additions.size(); ++k) {
            const FieldCall& call = *additions[k];
            // Where there are several, each name begins with that of what is added to.
            const std::string of = additions.size() > 1 ? c_.program.variables[c_.variable(call.value)].name + "_" : "";
            const auto own = [&](const char* what, const char* wish) {
                return name(c_.once(fmt::format("{} of addition {}", what, k), of + wish));
            };
            additions_.push_back({&call, word_type(c_.cell_type(call.value)), words_of(c_.schedule, k),
                                  c_.fresh(c_.schedule.block->regions[k].name), own("cells", "cells"),
                                  own("number of copies", "copy_count"), own("own copy", "own")});
        }
    }

    Walked run() {
        const auto served = [this](const FieldCall& call, const std::vector<ExprRef>& coordinates) {
            for (const Addition& a : additions_)
                if (a.call == &call) return copied_word(a, coordinates);
            return ExprRef();
        };
        c_.serve({.word = {}, .added_to = served});
        Walked walked;
        walked.block = {choice_.threads_x, 1, 1};
        walked.grid = {block_count(entries(), share_), integer(1), integer(1)};
        walked.body = opening();
        std::vector<Body> steps{{{Threads{zeroed()}}}, added(), {{Threads{stored()}}}};
        append(walked.body, lower_block(*c_.schedule.block, std::move(steps)));
        c_.serve({});
        return walked;
    }

private:
    struct Addition {
        const FieldCall* call = nullptr;
        Type type = Type::i32;
        int words = 0;
        std::string array;
        ExprRef cells, copies, own;  ///< of a thread: its copy
    };
    FieldContext& c_;
    const FieldChoice& choice_;
    const int share_ = choice_.threads_x * choice_.vector * choice_.chunk;
    std::vector<Addition> additions_;
    std::vector<std::size_t> axes_ = c_.plan.cell_axes();
    CountedPlaces places_{c_, axes_, choice_.threads_x* choice_.vector};
    const ExprRef first_ = name(c_.once("first number", "first")), count_ = name(c_.once("numbers", "numbers")),
                  at_ = name(c_.once("number in part", "at"));

    [[nodiscard]] bool carries() const { return axes_.size() > 1; }
    [[nodiscard]] ExprRef entries() {
        ExprRef product = integer(1);
        for (std::size_t k = axes_.size(); k-- > 0;) product = multiply(wide(c_.extent(axes_[k])), product);
        return product;
    }
    [[nodiscard]] ExprRef extent(const Addition& a, std::size_t axis) {
        return c_.extent(c_.shape(a.call->value).axes[axis]);
    }

    [[nodiscard]] Body opening() {
        const ExprRef all = name(c_.once("all numbers", "entries"));
        Body body{{Let{Type::i64, text_of(all), entries()}},
                  {Let{Type::i64, text_of(first_), multiply(wide(block_index(Dimension::x)), integer(share_))}}};
        const ExprRef left = subtract(all, first_);
        const ExprRef whole = binary("<", left, integer(share_));
        body.push_back(
            {Let{Type::i32, text_of(count_), convert(Type::i32, select(whole, left, wide(integer(share_))))}});
        std::vector<std::string> names;
        std::vector<Type> types;
        for (const Addition& a : additions_) {
            ExprRef cells = integer(1), copies = integer(1);
            for (const std::size_t axis : copied_axes(*a.call)) cells = multiply(cells, extent(a, axis));
            for (int n = 2; n <= most_histogram_copies; n *= 2)
                copies = select(binary("<=", a.cells, integer(a.words / n)), integer(n), copies);
            body.push_back({Let{Type::i32, text_of(a.cells), cells}});
            body.push_back({Let{Type::i32, text_of(a.copies), copies}});
            names.push_back(a.array), types.push_back(a.type);
        }
        append(body, declare_shared(*c_.schedule.block, names, types));
        if (carries()) places_.steps(body);
        return body;
    }

    [[nodiscard]] Body zeroed() {
        Body body;
        for (const Addition& a : additions_) {
            const ExprRef word = name(c_.once("word of " + a.array, "word"));
            body.push_back({For{text_of(word),
                                linear_thread(),
                                multiply(a.cells, a.copies),
                                choice_.threads_x,
                                0,
                                {{Assign{element(a.array, word), integer(0)}}}}});
        }
        return body;
    }

    [[nodiscard]] Body added() {
        const ExprRef from = multiply(linear_thread(), integer(choice_.vector));
        Body body;
        for (const Addition& a : additions_)
            body.push_back({Let{Type::i32, text_of(a.own), own_copy(a, linear_thread())}});
        if (carries()) places_.begin(body, kernel::add(first_, from));
        Body each;
        if (!carries())
            each.push_back({Let{Type::i32, places_.along(0), kernel::add(convert(Type::i32, first_), at_)}});
        append(each, cells_of_thread(c_));
        if (carries()) places_.advance(each);
        body.push_back(
            {For{text_of(at_), from, count_, choice_.threads_x * choice_.vector, choice_.unroll, std::move(each)}});
        return {{Threads{std::move(body)}}};
    }
    /// A number of copies is a power of two.
    [[nodiscard]] static ExprRef own_copy(const Addition& a, const ExprRef& number) {
        return binary("&", number, subtract(a.copies, integer(1)));
    }
    [[nodiscard]] ExprRef copied_word(const Addition& a, const std::vector<ExprRef>& coordinates) {
        ExprRef cell;
        const std::vector<std::size_t> axes = copied_axes(*a.call);
        for (std::size_t k = axes.size(); k-- > 0;)
            cell = cell ? kernel::add(multiply(cell, extent(a, axes[k])), coordinates[axes[k]]) : coordinates[axes[k]];
        return element(a.array, kernel::add(multiply(cell, a.copies), a.own));
    }

    [[nodiscard]] Body stored() {
        Body body;
        for (const Addition& a : additions_) {
            const auto own = [&](const char* wish) { return name(c_.once(wish + (" of " + a.array), wish)); };
            const ExprRef cell = own("cell"), sum = own("sum"), k = own("copy");
            const ExprRef word = kernel::add(multiply(cell, a.copies), own_copy(a, kernel::add(k, linear_thread())));
            Body each{{Variable{Type::i64, text_of(sum), wide(integer(0))}},
                      {For{text_of(k),
                           integer(0),
                           a.copies,
                           1,
                           0,
                           {{Assign{sum, kernel::add(sum, element(a.array, word))}}}}}};
            each.push_back({If{binary("!=", sum, integer(0)), to_memory(a, cell, sum), {}}});
            body.push_back({For{text_of(cell), linear_thread(), a.cells, choice_.threads_x, 0, std::move(each)}});
        }
        return body;
    }
    [[nodiscard]] Body to_memory(const Addition& a, const ExprRef& cell, const ExprRef& sum) {
        Body body;
        std::vector<ExprRef> coordinates(a.call->target.size());
        const std::vector<std::size_t> axes = copied_axes(*a.call);
        ExprRef left = cell;
        for (const std::size_t axis : axes) {
            const bool last = axis == axes.back();
            const ExprRef at = name(c_.once(fmt::format("axis {} of {}", axis, a.array),
                                            c_.program.axes[c_.shape(a.call->value).axes[axis]].name + "_at"));
            body.push_back({Let{Type::i32, text_of(at), last ? left : modulo(left, extent(a, axis))}});
            if (!last) left = divide(left, extent(a, axis));
            coordinates[axis] = at;
        }
        for (std::size_t k = 0; k < coordinates.size(); ++k)
            if (!coordinates[k]) coordinates[k] = c_.scalar(std::get<Absolute>(a.call->target[k]).position);
        const ExprRef word = element(c_.array_out(a.call->value), c_.index(a.call->value, coordinates));
        body.push_back({Assign{word, a.type == Type::i64 ? sum : convert(a.type, sum), true}});
        return body;
    }
};

}  // namespace

Walked walk_histogram(FieldContext& context) { return HistogramWalk(context).run(); }

Kernel::Requirement histogram_requirement(const FieldSchedule& schedule, const Program& program) {
    Kernel::Requirement needs{{schedule.plan().axes[0]}, schedule.choice.vector, {}};
    const std::vector<const FieldCall*> additions = additions_of(schedule.plan());
    for (std::size_t k = 0; k < additions.size(); ++k) {
        std::vector<AxisId> axes;
        for (const std::size_t axis : copied_axes(*additions[k]))
            axes.push_back(field_shape(program, additions[k]->statement->target).axes[axis]);
        needs.others.push_back({std::move(axes), words_of(schedule, k)});
    }
    return needs;
}

}  // namespace kasc::kernel
