#pragma once
// struct <prefix>_run: the host plan, prepared once and run any number of times, in parts. An outermost loop is a part,
// what stands before it another; a run stands in one of them, and in a loop at an iteration:
//
//   part 0   launches before the loop over n
//   part 1   the loop over n
//   part 2   launches behind it
//
// Internal to this folder.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emit/host_context.hpp"
#include "emit/order_text.hpp"
#include "emit/transform_text.hpp"
#include "plan/run_ahead.hpp"

namespace kasc::emit {

class RunPrinter {
public:
    RunPrinter(Writer& out, const HostContext& context);
    void print();

private:
    struct Outermost {
        const LoopStep* several;  ///< iterations at a time, where a piece has room for them; null: there is none
        const LoopStep* step;
        std::string from, to, count;  ///< names
    };
    struct SeriesSlot {
        const SeriesNames* names;
        SlotId slot;
    };
    Writer& out_;
    const HostContext& c_;
    kernel::Names scope_;
    TransformCalls transforms_;
    OrderCalls orders_;
    std::vector<HostStep> before_, computing_, after_;
    std::vector<Outermost> loops_;
    std::vector<SeriesSlot> series_;
    std::vector<LoopId> around_;        ///< loops around the step that is being printed
    std::optional<LoopId> just_ended_;  ///< the one whose last iteration it belongs to
    std::string plain_;                 ///< what says that no condition of several iterations holds
    std::string begun_;                 ///< the first iteration of the innermost loop in this piece, where a step asks
    /// Steps of a loop that are one graph, and the names of members: the graph, the function that runs the steps.
    struct NamedGraph {
        const LoopStep* loop;
        const CapturedSteps* captured;
        std::vector<LoopId> around;
        std::string name, steps;
    };
    std::vector<NamedGraph> graphs_;
    const std::string captured_arguments_ = scope_.fresh("captured"), replayed_ = scope_.fresh("replayed");
    bool in_graph_ = false;                        ///< the steps that are printed are a graph's: no iteration is theirs
    std::map<std::size_t, std::string> finished_;  ///< by kernel that counts its blocks: the word
    std::map<SlotId, std::string> swapped_;        ///< slots that loops swap; of temporaries the member that stays

    [[nodiscard]] const char* word(VariableId variable) const { return word_text(c_.program, variable); }
    [[nodiscard]] const std::string& index(const LoopStep& loop) const {
        return c_.names.local.loops.at(loop.loop.index);
    }
    [[nodiscard]] const SeriesSlot* series_at(SlotId slot) const;
    [[nodiscard]] const SeriesSlot* series_of(const std::string& array) const;
    /// "if (all of it lies in memory) " of a series, else nothing.
    [[nodiscard]] std::string where_whole(const SeriesSlot* series) const;

    /// What `print` writes into out_, without the last line break: it fills a hole.
    [[nodiscard]] std::string lines(const std::function<void()>& print);
    /// What `print` writes, behind the constants that it names.
    void with_parameters(const std::function<void()>& print);

    // run_text.cpp: what it holds, from beginning to end
    void find_swapped(const std::vector<HostStep>& steps);
    [[nodiscard]] SlotId slot_of(const Series& series) const;
    [[nodiscard]] bool is_own(SlotId id) const;
    [[nodiscard]] const std::string& own_name(SlotId id) const;
    [[nodiscard]] std::vector<std::string> callers_arrays() const;
    void members();
    void extents();
    void set_arguments();
    /// A length, of the caller's arguments.
    [[nodiscard]] std::string of_given(const Expression& length) const;
    void take_memory();
    void load_kernels();
    void take_window(const SeriesSlot& series);
    void places();
    void as_prepared();
    void first_steps();
    void release();

    // run_counts.cpp
    void name_counts();
    void declare_counts();
    void take_counts();

    // run_graphs.cpp
    void name_graphs(const std::vector<HostStep>& steps);
    [[nodiscard]] std::string arrays_of(const CapturedSteps& graph) const;
    void captured(const NamedGraph& graph);
    void capture();
    void capture_loops(const std::vector<HostStep>& steps);
    void same_as_captured();

    // run_steps.cpp
    void steps();
    void parts();
    void next_part(std::size_t part);
    void outermost(const Outermost& loop);
    [[nodiscard]] std::string have_room(const Outermost& loop) const;
    void several(const Outermost& loop);
    /// `turns`: until several iterations may be done at a time again.
    void single(const Outermost& loop, bool turns);
    /// "n", "n + 2", "n - 1".
    [[nodiscard]] static std::string row_text(const std::string& index, int behind);
    void look_or_end(const Outermost& loop);
    /// Declares `going`, which says whether another iteration runs.
    void look(const LoopStep& loop);
    enum class Depth { outermost, inner };
    /// `from`, `to`: names of its bounds.
    void ahead(const LoopStep& loop, const std::string& from, const std::string& to, Depth depth);
    /// What the iteration before the loop variable's present value has left.
    void after(const LoopStep& loop);
    void body(const LoopStep& loop);
    void step(const HostStep& s);
    void print(const LaunchStep& s);
    /// `arguments`: the first. `given`: a value that comes with them.
    void launch(const LaunchStep& s, std::string arguments, std::optional<ValueId> given);
    void print(const TransformStep& s);
    void print(const LoopStep& s);
    void print(const CopyStep& s);
    void print(const ZeroStep& s);
    void print(const DeliverStep& s);

    // run_pieces.cpp
    void go_on_elsewhere();
    void seek();
    void state();
    void window();
};

}  // namespace kasc::emit
