#pragma once
// What the parts of a kernel that transforms lines share: where blocks, lines and threads stand, what registers and
// words of shared memory are called, the loops through the numbers of a thread.

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lower/field/result_frame.hpp"
#include "schedule/fft/schedule.hpp"
#include "schedule/field/alternatives.hpp"

namespace kasc::kernel {

class FftFrame : protected ResultFrame {
public:
    FftFrame(const FftSchedule& schedule, const Program& program, const Graph& graph, const std::set<ValueId>& padded)
        : ResultFrame(schedule.work->frame, schedule.fusion(), program, graph),
          schedule_(schedule),
          work_(*schedule.work),
          factors_(schedule.factors()) {
        c().name_also(all_values(graph));
        c().pad_rows(padded, padded_row_multiple);
    }

protected:
    const FftSchedule& schedule_;
    const FftWork& work_;
    const LineFactors& factors_;
    std::map<ValueId, std::string> registers_;  ///< of transforms, by their results
    std::map<ValueId, std::string> opposite_;   ///< numbers that stand opposite, by results that are spectra

    [[nodiscard]] Type number_type() const { return work_.is_dual() ? Type::c64 : Type::c32; }
    [[nodiscard]] Type part_type() const { return work_.is_dual() ? Type::f64 : Type::f32; }
    [[nodiscard]] Precision precision() const { return work_.is_dual() ? Precision::dual : Precision::single; }
    [[nodiscard]] bool in_pairs() const { return work_.together() == 2; }
    [[nodiscard]] bool is_real() const { return work_.lines.is_real(); }

    // --- where things stand ---

    [[nodiscard]] AxisId beside() const { return work_.others.front(); }
    ExprRef own_thread() { return name(c().once("thread of line", "h")); }
    ExprRef own_line() { return name(c().once("line of block", "line")); }
    ExprRef first_line() { return name(c().once("first line", coordinate(beside()) + "_from")); }
    [[nodiscard]] int lines_of_block() const { return schedule_.lines() * work_.together(); }

    ExprRef grid() {
        if (work_.others.empty()) return integer(1);
        ExprRef blocks = wide(block_count(c().extent(beside()), lines_of_block()));
        for (std::size_t k = 1; k < work_.others.size(); ++k) blocks = multiply(blocks, c().extent(work_.others[k]));
        return blocks;
    }
    /// Block level: blocks beside each other have lines beside each other.
    Body place() {
        Body body;
        if (work_.others.empty()) return body;
        ExprRef number = block_index(Dimension::x);
        std::size_t left = work_.others.size() - 1;
        const auto take = [&](const ExprRef& many) {
            const ExprRef own = left == 0 ? number : modulo(number, many);
            if (left > 0) number = divide(number, many), --left;
            return own;
        };
        const ExprRef tile = take(block_count(c().extent(beside()), lines_of_block()));
        body.push_back({Let{Type::i32, text_of(first_line()), multiply(tile, integer(lines_of_block()))}});
        for (std::size_t k = 1; k < work_.others.size(); ++k)
            body.push_back({Let{Type::i32, coordinate(work_.others[k]), take(c().extent(work_.others[k]))}});
        return body;
    }
    ExprRef thread_in_line() const { return thread_index(work_.along_rows() ? Dimension::x : Dimension::y); }
    /// Thread level: which line and which of its threads. The thread is hidden from nvcc, so that it makes addresses of
    /// numbers anew in each step: held from one to the next they take more registers than the numbers.
    Body place_thread() {
        const bool rows = work_.along_rows();
        const ExprRef own = math_call(whole_function::kept, {thread_in_line()});
        Body body{{Let{Type::i32, text_of(own_thread()), own}}};
        body.push_back({Let{Type::i32, text_of(own_line()), thread_index(rows ? Dimension::y : Dimension::x)}});
        if (!is_real() && !work_.others.empty())
            body.push_back({Let{Type::i32, coordinate(beside()), line_there(integer(0))}});
        return body;
    }
    /// The thread's first line, or the second one of its pair.
    ExprRef line_beside(const ExprRef& in_pair) {
        return kernel::add(kernel::add(first_line(), multiply(own_line(), integer(work_.together()))), in_pair);
    }
    /// Such a line, or the last one in place of one that is not there, whose numbers are transformed, and stored by
    /// nobody: without a branch, loads of a thread are under way together.
    ExprRef line_there(const ExprRef& in_pair) {
        return minimum(line_beside(in_pair), subtract(c().extent(beside()), integer(1)));
    }
    /// The thread has such a line. Where there is one line in all, threads of others compute what it has, and leave it
    /// to them.
    ExprRef has_line(const ExprRef& in_pair) {
        return work_.others.empty() ? binary("==", own_line(), integer(0))
                                    : binary("<", line_beside(in_pair), c().extent(beside()));
    }
    /// The number of the line in its pair.
    ExprRef line_of_pair() { return in_pairs() ? name(c().once("line of pair", "in_pair")) : integer(0); }
    void append_each_of_pair(Body& to, Body body) {
        if (!in_pairs()) return append(to, std::move(body));
        to.push_back({For{text_of(line_of_pair()), integer(0), integer(work_.together()), 1, -1, std::move(body)}});
    }

    // --- numbers of a thread ---

    /// Numbers that the loop goes through: of each butterfly those from `from` to `to`.
    struct Numbers {
        int from = 0, to = 0;
        /// Numbers up to half the length of a spectrum: all are; some of them; none.
        enum class Half { all, some, none } half = Half::all;
        bool first = false;  ///< number 0 is among them
    };
    /// The thread's k-th butterfly.
    ExprRef butterfly(int k) { return name(c().once(fmt::format("butterfly {}", k), "b")); }
    ExprRef number() { return name(c().once("number", "i")); }
    ExprRef digit() { return name(c().once("digit", "j")); }
    /// Loops over the thread's numbers that went through so many transforms, with `body` for a number in the register
    /// of this index.
    Body each_number(int turned, const std::vector<Numbers>& parts,
                     const std::function<Body(const Numbers&, const ExprRef& place)>& body) {
        const int radix = schedule_.radix_at(turned), many = factors_.cells / radix;
        const int butterflies = (many + factors_.threads - 1) / factors_.threads;
        Body all;
        for (int k = 0; k < butterflies; ++k) {
            Body of_butterfly;
            for (const Numbers& part : parts) {
                if (part.from >= part.to) continue;
                Body one{
                    {Let{Type::i32, text_of(number()), kernel::add(butterfly(k), multiply(digit(), integer(many)))}}};
                append(one, body(part, kernel::add(digit(), integer(k * radix))));
                of_butterfly.push_back(
                    {For{text_of(digit()), integer(part.from), integer(part.to), 1, -1, std::move(one)}});
            }
            append(all, with_butterfly(k, many, std::move(of_butterfly)));
        }
        return all;
    }
    /// The thread's k-th butterfly of `many`, where it has one.
    Body with_butterfly(int k, int many, Body body) {
        const ExprRef b = kernel::add(own_thread(), integer(k * factors_.threads));
        body.insert(body.begin(), {Let{Type::i32, text_of(butterfly(k)), b}});
        if ((k + 1) * factors_.threads > many) return {{If{binary("<", b, integer(many)), std::move(body), {}}}};
        return body;
    }
    /// A statement for each digit, in which digit() is its number.
    Body each_digit(int radix, Statement one) {
        return {{For{text_of(digit()), integer(0), integer(radix), 1, -1, {std::move(one)}}}};
    }
    [[nodiscard]] std::vector<Numbers> all_numbers(int turned) const { return {{0, schedule_.radix_at(turned)}}; }
    /// The numbers whose wave numbers are up to half the length, apart from those of which some are.
    [[nodiscard]] std::vector<Numbers> half_numbers(int turned) const {
        const int radix = schedule_.radix_at(turned), many = factors_.cells / radix;
        int inside = 1;
        while (inside < radix && 2 * (inside * many + many - 1) < factors_.cells) ++inside;
        int outside = inside;
        while (outside < radix && 2 * outside * many <= factors_.cells) ++outside;
        using Half = Numbers::Half;
        return {{0, 1, Half::all, true},
                {1, inside, Half::all},
                {inside, outside, Half::some},
                {outside, radix, Half::none}};
    }

    // --- shared memory ---

    ExprRef shared() { return name(c().once("lines in shared memory", "lines")); }
    /// A word of the thread's own line.
    ExprRef shared_word(const ExprRef& of_line) {
        const auto [of_word, line] = schedule_.shape->pitches;
        return element(text_of(shared()),
                       kernel::add(multiply(of_line, integer(of_word)), multiply(own_line(), integer(line))));
    }
    /// LineFactors::first_word of a butterfly.
    ExprRef first_word(const LineFactors& f, int stage, const ExprRef& b) {
        ExprRef word = integer(0), rest = b;
        const auto take = [&](int s, bool last) {
            const auto at = static_cast<std::size_t>(s);
            const ExprRef d = last ? rest : modulo(rest, integer(f.radices[at]));
            word = kernel::add(word, multiply(d, integer(f.weights[at])));
            if (!last) rest = divide(rest, integer(f.radices[at]));
        };
        const int stages = f.stages();
        for (int s = 0; s < stage; ++s) take(s, s + 1 == stage && stage + 1 == stages);
        for (int s = stages - 1; s > stage; --s) take(s, s == stage + 1);
        return word;
    }

private:
    [[nodiscard]] std::vector<ValueId> all_values(const Graph& graph) const {
        std::vector<ValueId> values;
        for (const NodeId call : schedule_.fusion().calls) {
            const Node& node = graph.nodes[call];
            values.insert(values.end(), node.reads.begin(), node.reads.end());
            values.insert(values.end(), node.writes.begin(), node.writes.end());
        }
        return values;
    }
};

}  // namespace kasc::kernel
