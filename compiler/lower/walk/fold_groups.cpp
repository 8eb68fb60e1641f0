// Threads of a block take groups of four cells beside each other, of which each is of a lane of its own:
//
//   for (at = 4 thread; at < count; at += 1024)     cells x … x + 3 of a row: one access for each row that they read
//       sum[v] = sum[v] + (double)value[v]
//   groups[4 thread + v] = sum[v]                   shared; a barrier
//   sum[k] = groups[thread + 256 k]                 the lanes of a thread that takes cells one by one (walk_fold)
//
// So stencils may be folded where they are computed, at what a grid of groups takes. Cells at the edge of the grid are
// taken one by one.
#include <algorithm>

#include "lower/field/counted_places.hpp"
#include "lower/field/fold.hpp"
#include "lower/field/group.hpp"

namespace kasc::kernel {

namespace {

class GroupFold {
public:
    explicit GroupFold(FieldContext& context) : f_(context), c_(context) { f_.flat = false; }

    Walked run() {
        Walked walked = f_.walked();
        Body folding;
        if (carries_) places_.steps(folding);
        folding.push_back({Threads{thread()}});
        walked.body = f_.block(std::move(folding));
        walked.along = f_.blocks_along();
        return walked;
    }

private:
    FoldFrame f_;
    FieldContext& c_;
    const FoldThreads threads_ = f_.threads;
    const int cells_ = threads_.lanes_each;
    CountedPlaces places_{c_, f_.folded, threads_.threads* threads_.lanes_each};
    const bool carries_ = f_.folded.size() > 1;
    const ExprRef at_ = name(c_.once("number in part", "at"));

    Body thread() {
        Body body;
        for (const FoldedCall& f : f_.folds) {
            body.push_back({RegisterArray{f.sum, cells_, f.type}});
            for (int v = 0; v < cells_; ++v)
                body.push_back({Assign{element(f.sum, integer(v)), FoldFrame::nothing(f)}});
        }
        const ExprRef first = multiply(thread_index(Dimension::x), integer(cells_));
        if (carries_) places_.begin(body, add(f_.first(), first));
        Body each;
        if (!carries_) each.push_back({Let{Type::i32, places_.along(0), add(convert(Type::i32, f_.first()), at_)}});
        append(each, cells());
        if (carries_) places_.advance(each);
        body.push_back({For{text_of(at_), first, f_.count(), cells_ * threads_.threads, 1, std::move(each)}});
        for (const FoldedCall& f : f_.folds)
            for (int v = 0; v < cells_; ++v)
                body.push_back({Assign{element(f.groups, add(first, integer(v))), element(f.sum, integer(v))}});
        return body;
    }

    Body cells() {
        const ExprRef inside = c_.schedule.work->edges ? in_interior(c_, 0, c_.rank()) : nullptr;
        if (!inside) return group();
        return {{If{inside, group(), one_by_one()}}};
    }

    Body group() {
        GroupWriter writer(c_, *c_.schedule.paths.cells, coordinates(c_));
        for (const FoldedCall& f : f_.folds) {
            writer.fold(*f.call, f.type, [&](const ExprRef& lane, const ExprRef& word) {
                const ExprRef sum = element(f.sum, lane);
                return Body{{Let{f.type, f.value, word}}, {Assign{sum, FoldFrame::joined(f, sum, name(f.value))}}};
            });
        }
        writer.write();
        return writer.take_body();
    }

    /// The lane that is folded is always the first, so that no register is known by a number of the run.
    Body one_by_one() {
        std::vector<std::string> at = coordinates(c_);
        const std::string first = at[0], u = c_.once("cell of group", "ahead");
        at[0] = c_.once("lane coordinate", first + "_v");
        CellWriter writer(c_, any_cell(c_), at);
        Body each{{Let{Type::i32, at[0], add(name(first), name(u))}}};
        append(each, folded_cell(
                         writer, f_.folds, [](const FoldedCall& f) { return element(f.sum, integer(0)); }, nullptr));
        for (const FoldedCall& f : f_.folds) append(each, FoldFrame::lanes_moved(f, cells_, 1));
        return {{For{u, integer(0), integer(cells_), 1, 1, std::move(each)}}};
    }
};

}  // namespace

Walked walk_fold_groups(FieldContext& context) { return GroupFold(context).run(); }

}  // namespace kasc::kernel
