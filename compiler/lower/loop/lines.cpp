// A thread has cells of a line, and block-wide steps go through the iterations:
//
//   T_line[cell] = T[i]                                      what the first iteration is handed
//   for (int n = 0; n < steps; ++n) {
//       const int now = n % 2 * 1024, next = 1024 - now      the copies that this iteration reads, and makes
//       barrier
//       const float T_xm1 = T_line[now + max(x - 1, 0)]      statement by statement, phase by phase
//       T_line[next + cell] = T_new_0
//   }
//   T_new[i] = T_line[left + cell]
#include "lower/loop/lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/used_names.hpp"
#include "lower/block.hpp"

namespace kasc::kernel {

Kernel LoopOfLines::run(const std::string& kernel_name) {
    Kernel kernel;
    kernel.name = kernel_name;
    kernel.comment.push_back(node_text(graph_, program_, work_.node));
    c().serve_lengths(lengths());
    declare_words();
    std::vector<Body> steps;
    steps.push_back({{Threads{at_cells(first_words())}}});
    steps.push_back(
        {{For{c().loop_variable(), bound(work_.loop.from), bound(work_.loop.to), 1, schedule_.choice.unroll, {}}}});
    const Body opening = copies(name(c().loop_variable()));
    const std::size_t begin = steps.size();
    for (int k = 0; k < lines().phase_count(); ++k) steps.push_back({{Threads{at_cells(phase(k, kernel))}}});
    Body first = c().iteration_preamble();
    append(first, opening);
    steps[begin].insert(steps[begin].begin(), first.begin(), first.end());
    steps.emplace_back();  // the loop's end
    steps.push_back(behind());

    std::vector<std::string> names;
    std::vector<Type> types;
    for (std::size_t k = 0; k < lines().words.size(); ++k) {
        if (!lines().words[k].shared) continue;
        names.push_back(words_name({k, false}));
        types.push_back(type_of(lines().words[k].variable));
    }
    kernel.body = c().preamble();
    append(kernel.body, declare_shared(*schedule_.block, names, types));
    append(kernel.body, std::move(private_));
    append(kernel.body, lower_block(*schedule_.block, std::move(steps)));
    kernel.body = without_unused(std::move(kernel.body));
    kernel.block = {schedule_.choice.threads_x, schedule_.choice.threads_y, 1};
    const ExprRef all = lines().beside.empty() ? integer(1) : line_count();
    kernel.grid = {lines().beside.empty() ? all : block_count(all, schedule_.choice.threads_y), integer(1), integer(1)};
    kernel.parameters = c().parameters();
    kernel.functions = c().functions();
    kernel.value_names = c().value_names();
    kernel.lengths = lengths();
    return kernel;
}

// ---- threads --------------------------------------------------------------------------------------------------------

ExprRef LoopOfLines::row() {
    return schedule_.cells_of_thread() == 1 ? integer(0) : name(c().once("cell of the thread", "row"));
}

ExprRef LoopOfLines::line_count() {
    const std::vector<std::size_t>& axes = lines().beside;
    ExprRef all = c().extent(axes.front());
    for (std::size_t k = 1; k < axes.size(); ++k) all = multiply(k == 1 ? wide(all) : all, c().extent(axes[k]));
    return all;
}

/// The coordinates of the cell of this number, the first axis fastest.
void LoopOfLines::place_along(Body& body, const std::vector<std::size_t>& axes, ExprRef number, bool is_wide) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const bool last = k + 1 == axes.size();
        const ExprRef at = last ? number : modulo(number, c().extent(axes[k]));
        body.push_back({Let{Type::i32, c().coordinate(axes[k]), is_wide ? convert(Type::i32, at) : at}});
        if (!last) number = divide(number, c().extent(axes[k]));
    }
}

std::map<AxisId, int> LoopOfLines::lengths() const {
    std::map<AxisId, int> all;
    for (std::size_t k = 0; k < lines().along.size(); ++k) all[work_.axes()[lines().along[k]]] = schedule_.lengths[k];
    return all;
}

/// Statements at each cell of each thread, whose coordinates they know.
Body LoopOfLines::at_cells(Body own) {
    Body placed;
    place_along(placed, lines().along, cell(), false);
    append(placed, std::move(own));
    Body each{{Let{Type::i32, text_of(cell()),
                   kernel::add(thread_index(Dimension::x), multiply(row(), integer(schedule_.choice.threads_x)))}}};
    const bool fills = schedule_.line_pitch() == schedule_.line_cells();
    append_if(each, fills ? nullptr : binary("<", cell(), integer(schedule_.line_cells())), std::move(placed));
    Body all;
    if (schedule_.cells_of_thread() > 1)
        all.push_back({For{text_of(row()), integer(0), integer(schedule_.cells_of_thread()), 1, -1, std::move(each)}});
    else
        all = std::move(each);
    if (lines().beside.empty()) return all;
    const int together = schedule_.choice.threads_y;
    const bool is_wide = lines().beside.size() > 1;
    ExprRef number = multiply(is_wide ? wide(block_index(Dimension::x)) : block_index(Dimension::x), integer(together));
    if (together > 1) number = kernel::add(number, thread_index(Dimension::y));
    Body body{{Let{is_wide ? Type::i64 : Type::i32, text_of(line()), number}}}, of_line;
    place_along(of_line, lines().beside, line(), is_wide);
    append(of_line, std::move(all));
    append_if(body, together == 1 ? nullptr : binary("<", line(), line_count()), std::move(of_line));
    return body;
}

// ---- words ----------------------------------------------------------------------------------------------------------

bool LoopOfLines::has_rings() const {
    return std::any_of(lines().words.begin(), lines().words.end(),
                       [](const LineWords& words) { return words.shared && words.ring; });
}

/// Both copies of shared words have one name.
std::string LoopOfLines::words_name(const LinePlace& place) {
    const LineWords& words = lines().words[place.words];
    const bool next = place.next && !words.shared;
    return c().once(fmt::format("line words {}{}", place.words, next ? " next" : ""),
                    program_.variables[words.variable].name + (words.shared ? "_line"
                                                               : next       ? "_next"
                                                                            : "_word"));
}

void LoopOfLines::declare_words() {
    for (std::size_t k = 0; k < lines().words.size(); ++k) {
        const LineWords& words = lines().words[k];
        if (words.shared) continue;
        for (const bool next : {false, true})
            if (!next || words.ring)
                private_.push_back(
                    {PrivateArray{words_name({k, next}), schedule_.cells_of_thread(), type_of(words.variable)}});
    }
}

/// Requires of words in registers that the cell is the thread's own.
ExprRef LoopOfLines::word_at(const LinePlace& place, const ExprRef& cell_of_line) {
    const LineWords& words = lines().words[place.words];
    if (!words.shared) return element(words_name(place), row());
    ExprRef at = cell_of_line;
    if (schedule_.choice.threads_y > 1)
        at = kernel::add(multiply(thread_index(Dimension::y), integer(schedule_.line_pitch())), at);
    const ExprRef& copy = place.next ? next_copy_ : this_copy_;
    return element(words_name(place), words.ring && copy ? kernel::add(copy, at) : at);
}

/// The number in its line of the cell at these coordinates of a field.
ExprRef LoopOfLines::cell_at(const FieldRead& read, const std::function<ExprRef(std::size_t k)>& coordinate) {
    const std::vector<AxisId>& axes = c().shape(read.value).axes;
    ExprRef at;
    bool own = true;
    for (std::size_t k = lines().along.size(); k-- > 0;) {
        const AxisId axis = work_.axes()[lines().along[k]];
        const auto of_field = static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin());
        const ExprRef here = coordinate(of_field);
        const auto* named = std::get_if<Name>(&here->node);
        own = own && named != nullptr && named->name == c().coordinate(lines().along[k]);
        at = at ? kernel::add(multiply(at, c().extent(axis)), here) : here;
    }
    return own ? cell() : at;
}

// ---- before the loop, and behind it ---------------------------------------------------------------------------------

Body LoopOfLines::first_words() {
    Body body;
    this_copy_ = nullptr;  // the first
    for (std::size_t k = 0; k < work_.words.size(); ++k) {
        const HandedWord& word = work_.words[k];
        c().name_also({word.entering.value_or(word.leaving), word.leaving});
        body.push_back({Assign{own_word({lines().chains[k].words, false}), first_of(word)}});
    }
    for (std::size_t k = 0; k < work_.walked.size(); ++k) {
        const WalkedField& field = work_.walked[k];
        if (!lines().last_made[k]) continue;
        const ExprRef own = own_word({lines().last_made[k]->words, false});
        body.push_back({Assign{own, c().zero(field.versions.front())}});
        if (const FieldRead* read = read_of_former(field))
            body.push_back({If{runs(), {{Assign{own, first_of(*read)}}}, {}}});
    }
    for (const ValueId value : lines().staying)
        body.push_back(
            {Assign{own_word(lines().places.at(value)), element(array_of(value), own_cell(c().variable(value)))}});
    return body;
}

/// Where the two copies of words begin in an iteration, and behind the last.
Body LoopOfLines::copies(const ExprRef& iteration) {
    if (!has_rings()) return {};
    const bool ends = std::get_if<Name>(&iteration->node) == nullptr;
    const ExprRef words = integer(schedule_.words_of_lines());
    this_copy_ = name(c().once(ends ? "copy that is left" : "copy of the iteration", ends ? "left" : "now"));
    next_copy_ = ends ? nullptr : name(c().once("copy of the next iteration", "next"));
    const ExprRef turn = modulo(subtract(iteration, bound(work_.loop.from)), integer(2));
    Body body{{Let{Type::i32, text_of(this_copy_), multiply(turn, words)}}};
    if (!ends) body.push_back({Let{Type::i32, text_of(next_copy_), subtract(words, this_copy_)}});
    return body;
}

/// What the last iteration has left, where anything else needs it.
Body LoopOfLines::behind() {
    Body body = copies(maximum(bound(work_.loop.to), bound(work_.loop.from)));
    Body words = last_words();
    if (words.empty()) return {};
    body.push_back({Threads{at_cells(std::move(words))}});
    return body;
}

Body LoopOfLines::last_words() {
    Body body;
    const std::vector<ValueId>& outputs = work_.fusion.outputs;
    for (std::size_t k = 0; k < work_.words.size(); ++k) {
        const HandedWord& word = work_.words[k];
        if (!std::binary_search(outputs.begin(), outputs.end(), word.result)) continue;
        const std::string array = c().array_out_of(word.result, word.variable);
        body.push_back({Assign{element(array, own_cell(word.variable)), own_word({lines().chains[k].words, false})}});
    }
    return body;
}

// ---- an iteration ---------------------------------------------------------------------------------------------------

Body LoopOfLines::phase(int number, Kernel& kernel) {
    registers_.clear();
    made_now_.clear();
    Body body;
    std::vector<ValueId> made;
    for (std::size_t k = work_.begin; k < work_.end; ++k) {
        if (lines().phases[k - work_.begin] != number) continue;
        append(body, statement(k, kernel));
        made.push_back(work_.call(k).value);
    }
    if (number + 1 == lines().phase_count()) append(body, handed_on());
    for (const ValueId value : made) c().let_go(value);
    return body;
}

/// A word of this phase, or one that lies in registers from phase to phase; null: neither.
ExprRef LoopOfLines::at_hand(std::size_t k, const FieldRead& read) {
    const WalkedField* field = work_.walked_of(read.value);
    if (field != nullptr && !lines().looks_around(read) &&
        word_of(work_, k, read, program_) == WordOf::this_iteration) {
        if (const auto made = made_now_.find(field); made != made_now_.end()) return made->second;
    }
    const auto place = place_of_read(work_, k, read, program_);
    return place && !lines().words[place->words].shared ? own_word(*place) : nullptr;
}

ExprRef LoopOfLines::shared_word(std::size_t k, const FieldRead& read,
                                 const std::function<ExprRef(std::size_t k)>& coordinate) {
    const auto place = place_of_read(work_, k, read, program_);
    return place && lines().words[place->words].shared ? word_at(*place, cell_at(read, coordinate)) : nullptr;
}

Body LoopOfLines::statement(std::size_t k, Kernel& kernel) {
    const FieldSchedule& cells = work_.statements[k];
    go_on_with(cells);
    const FieldCall& call = work_.call(k);
    kernel.comment.push_back("    " + node_text(*work_.loop.body, program_, call.node));
    check_positions(kernel, cells.plan(), false);
    FieldContext::Served served;
    served.word = [this, k](const FieldRead& read, const CellPlace&) { return at_hand(k, read); };
    served.placed = [this, k](const FieldRead& read, const std::function<ExprRef(std::size_t)>& coordinate) {
        return shared_word(k, read, coordinate);
    };
    c().serve(std::move(served));
    CellWriter writer(c(), *work_.cells[k], coordinates(c()));
    for (const std::string& known : registers_) writer.hold(known);
    const WalkedField* walked = work_.walked_of(call.value);
    Body stores;
    const auto place = place_of_made(work_, k);
    ExprRef made;
    if (walked == nullptr || walked->kept_of) made = writer.result(call);
    if (walked == nullptr) {
        c().hold(call.value, made);
    } else {
        if (made) made_now_[walked] = made;
        stores = writer.whole_stores(made != nullptr);
    }
    if (place) stores.push_back({Assign{own_word(*place), made}});
    registers_ = writer.held();
    Body body = writer.take_body();
    append(body, std::move(stores));
    return body;
}

/// What no statement has made in its place, and what lies in registers.
Body LoopOfLines::handed_on() {
    Body body, assigned;
    for (std::size_t k = 0; k < work_.words.size(); ++k) {
        const HandedWord& word = work_.words[k];
        const LineChain& chain = lines().chains[k];
        const bool shared = lines().words[chain.words].shared;
        if (chain.made) {
            if (!shared) assigned.push_back({Assign{own_word({chain.words, false}), own_word({chain.words, true})}});
            continue;
        }
        ExprRef left = c().held(word.leaving);
        if (const auto place = lines().places.find(word.leaving); !left && place != lines().places.end())
            left = own_word(place->second);
        if (!left) left = element(array_of(word.leaving), own_cell(word.variable));
        const std::string next = c().fresh(program_.variables[word.variable].name + "_left");
        body.push_back({Let{type_of(word.variable), next, left}});
        assigned.push_back({Assign{own_word({chain.words, shared}), name(next)}});
    }
    for (const auto& last : lines().last_made)
        if (last && !lines().words[last->words].shared)
            assigned.push_back({Assign{own_word({last->words, false}), own_word({last->words, true})}});
    append(body, std::move(assigned));
    return body;
}

}  // namespace kasc::kernel
