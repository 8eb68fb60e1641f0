// Lines that a block transforms (schedule/fft), of 512 numbers:
//
//   v[j] = p[h + 64 j]                       8 numbers a thread, and what is computed of them
//   kasc_butterfly<…, 8>(v)                  stage 1
//   lines[…] = v[j]
//   barrier
//   v[j] = lines[…]; kasc_butterfly<…, 8>(v, kasc_turn(…)); lines[…] = v[j]
//   barrier
//   v[j] = lines[…]; kasc_butterfly<…, 8>(v, kasc_turn(…))      number h + 64 j of the transform
//   S[h + 64 j] = v[j]                       or what is computed of it
#include <fmt/format.h>

#include <algorithm>

#include "kernel/used_names.hpp"
#include "lower/block.hpp"
#include "lower/fft/frame.hpp"
#include "lower/field/positions.hpp"
#include "lower/lower.hpp"

namespace kasc::kernel {

namespace {

class FftKernel : public FftFrame {
public:
    using FftFrame::FftFrame;

    Kernel run(const std::string& kernel_name) {
        Kernel kernel;
        kernel.name = kernel_name;
        const int lines = schedule_.lines(), threads = factors_.threads;
        kernel.block = work_.along_rows() ? BlockShape{threads, lines, 1} : BlockShape{lines, threads, 1};
        Body opening = place();
        name_registers();
        name_region(text_of(shared()), number_type());
        std::vector<Body> steps;
        Body ahead = prefetched();
        for (const FftStep& step : work_.steps) {
            if (const auto* pass = std::get_if<FftPass>(&step))
                lower(*pass, steps);
            else
                steps.push_back({{Threads{cells(std::get<FftCells>(step))}}});
        }
        steps.front().insert(steps.front().begin(), ahead.begin(), ahead.end());
        append(kernel.body, c().preamble());
        append(kernel.body, std::move(opening));
        append(kernel.body, declare_shared(*schedule_.block, region_names_, region_types_));
        append(kernel.body, std::move(private_));
        append(kernel.body, lower_block(*schedule_.block, std::move(steps)));
        kernel.body = without_unused(std::move(kernel.body));
        kernel.grid = {grid(), integer(1), integer(1)};
        kernel.parameters = c().parameters();
        kernel.functions = c().functions();
        kernel.value_names = c().value_names();
        kernel.min_blocks = least_blocks(schedule_);
        kernel.lengths = {{work_.lines.along, factors_.cells}};
        return kernel;
    }

private:
    void name_registers() {
        for (const FftStep& step : work_.steps) {
            const auto* pass = std::get_if<FftPass>(&step);
            if (pass == nullptr) continue;
            const std::string& of = variable_name(pass->target);
            registers_[pass->target] = c().once(fmt::format("registers {}", pass->target.index), of + "_line");
            private_.push_back({PrivateArray{registers_[pass->target], factors_.numbers(), number_type()}});
            if (!in_pairs() || pass->backward) continue;
            opposite_[pass->target] = c().once(fmt::format("opposite {}", pass->target.index), of + "_opposite");
            private_.push_back({PrivateArray{opposite_[pass->target], factors_.numbers(), number_type()}});
        }
    }

    // --- cells ---

    /// What cells read between and behind transforms: nothing of it is under way else while numbers are transformed. z
    /// forward, a factor, back, 512³, 16 lines: 0.55 in place of 0.66 ms; of 4 lines, half a sector, 1.07 in place of
    /// 0.87; along x 0.94 in place of 0.89 (H100).
    Body prefetched() {
        if (!schedule_.prefetches()) return {};
        std::set<ValueId> known;
        std::map<int, std::vector<ValueId>> after;  // by transforms that numbers went through
        for (const FftStep& step : work_.steps) {
            const auto* cells = std::get_if<FftCells>(&step);
            if (cells == nullptr || cells->turned == 0) continue;
            for (const ValueAt& load : cells->cells.work->loads) {
                const bool own = load.at_cell();
                const bool by_cell = c().shape(load.value).axes == work_.lines.axes;
                if (!own || !by_cell || registers_.contains(load.value) || !known.insert(load.value).second) continue;
                after[cells->turned].push_back(load.value);
            }
        }
        Body regions;
        for (const auto& [turned, values] : after) {
            Body placed = place_thread();
            append(placed, each_number(turned, all_numbers(turned), [&](const Numbers&, const ExprRef&) {
                       Body one{{Let{Type::i32, coordinate(work_.lines.along), number()}}};
                       for (const ValueId value : values)
                           one.push_back({Prefetch{c().array_in(value), index_of(value)}});
                       return one;
                   }));
            regions.push_back({Threads{std::move(placed)}});
        }
        return regions;
    }
    ExprRef index_of(ValueId value) {
        std::vector<ExprRef> at;
        for (const AxisId axis : c().shape(value).axes) at.push_back(name(coordinate(axis)));
        return c().index(value, at);
    }

    /// The registers of transforms that take the value.
    std::vector<std::string> takers(ValueId value) const {
        std::vector<std::string> lines;
        for (const FftStep& step : work_.steps) {
            const auto* pass = std::get_if<FftPass>(&step);
            if (pass != nullptr && pass->source == value) lines.push_back(registers_.at(pass->target));
        }
        return lines;
    }

    /// A value that transforms take, and their registers.
    struct Given {
        ValueId value;
        std::vector<std::string> lines;
    };

    Body cells(const FftCells& step) {
        go_on_with(step.cells);
        std::vector<Given> given;
        for (const ValueId value : step.cells.fusion().outputs)
            if (const auto lines = takers(value); !lines.empty()) given.push_back({value, lines});
        return numbers(step.turned, step.of_spectrum, given, [&](Body& body, Body& stores) {
            CellWriter writer(c(), *step.cells.paths.cell, coordinates(c()));
            std::vector<std::pair<const FieldCall*, ExprRef>> made;
            for (const FieldCall& call : c().plan.calls)
                if (holds(step.cells.fusion().outputs, call.value)) made.emplace_back(&call, writer.result(call));
            append(body, writer.take_body());
            std::map<ValueId, ExprRef> words;
            for (const auto& [call, value] : made) words[call->value] = keep_result(body, stores, *call, value);
            for (const auto& [call, value] : made) c().let_go(call->value);
            return words;
        });
    }
    /// A transform whose source is read as it stands in memory.
    Body loaded(const FftPass& pass) {
        const bool spectrum = is_real() && pass.backward;
        return numbers(pass.turned, spectrum, {{pass.source, {registers_.at(pass.target)}}}, [&](Body& body, Body&) {
            const ExprRef own =
                name(c().once(fmt::format("own word {}", pass.source.index), variable_name(pass.source) + "_own"));
            body.push_back({Let{word_register(pass.source), text_of(own), memory_word(pass.source, true)}});
            return std::map<ValueId, ExprRef>{{pass.source, own}};
        });
    }
    Body stored(const FftPass& pass) {
        const bool spectrum = is_real() && !pass.backward;
        return numbers(pass.turned + 1, spectrum, {}, [&](Body& body, Body& stores) {
            const ExprRef own =
                name(c().once(fmt::format("own word {}", pass.target.index), variable_name(pass.target) + "_own"));
            body.push_back({Let{word_register(pass.target), text_of(own), c().held(pass.target)}});
            stores.push_back({Assign{memory_word(pass.target, false), own}});
            return std::map<ValueId, ExprRef>{};
        });
    }
    ExprRef memory_word(ValueId value, bool in) {
        return element(in ? c().array_in(value) : c().array_out(value), index_of(value));
    }

    /// What is computed of a number's cell: words by value; stores, which stand where the cell is the thread's own.
    using Computed = std::function<std::map<ValueId, ExprRef>(Body& body, Body& stores)>;

    Body numbers(int turned, bool spectrum, const std::vector<Given>& given, const Computed& computed) {
        Body body = place_thread();
        std::vector<Numbers> parts = is_real() && spectrum ? half_numbers(turned) : all_numbers(turned);
        // Wave numbers above half the length are not stored; transforms take them.
        if (is_real() && spectrum && given.empty()) parts.pop_back();
        Body all = each_number(turned, parts, [&](const Numbers& part, const ExprRef& place) {
            return is_real() ? of_pair(part, place, spectrum, given, computed) : of_line(place, given, computed);
        });
        // One branch for all stores of a thread: two transforms of what one has read, 512³, 0.65 in place of 0.73 ms
        // (H100).
        if (!is_real() && given.empty())
            body.push_back({If{has_line(integer(0)), std::move(all), {}}});
        else
            append(body, std::move(all));
        return body;
    }

    Body of_line(const ExprRef& place, const std::vector<Given>& given, const Computed& computed) {
        Body own{{Let{Type::i32, coordinate(work_.lines.along), number()}}}, stores;
        for (const auto& [value, registers] : registers_) c().hold(value, element(registers, place));
        const auto words = computed(own, stores);
        for (const auto& [value, lines] : given)
            for (const std::string& line : lines) own.push_back({Assign{element(line, place), words.at(value)}});
        if (given.empty())
            append(own, std::move(stores));
        else if (!stores.empty())
            own.push_back({If{has_line(integer(0)), std::move(stores), {}}});
        for (const auto& [value, registers] : registers_) c().let_go(value);
        return own;
    }

    /// Computes a pair of lines of a real field: the cells of both, or their wave numbers.
    Body of_pair(const Numbers& part, const ExprRef& place, bool spectrum, const std::vector<Given>& given,
                 const Computed& computed) {
        using Half = Numbers::Half;
        Body body;
        const int n = factors_.cells;
        const ExprRef is_half = binary("<=", multiply(number(), integer(2)), integer(n));
        ExprRef wave = number();
        if (spectrum && part.half == Half::none) wave = subtract(integer(n), number());
        if (spectrum && part.half == Half::some) wave = minimum(number(), subtract(integer(n), number()));
        const AxisId along = spectrum ? *work_.lines.half : work_.lines.along;
        body.push_back({Let{Type::i32, coordinate(along), wave}});
        std::map<ValueId, std::pair<ExprRef, ExprRef>> hands;  // numbers of results, and those opposite
        take_numbers(body, place, spectrum, hands);
        const auto words_of = [&](ValueId value) {
            return c().once(fmt::format("words {}", value.index), variable_name(value) + "_words");
        };
        const Type type = spectrum ? number_type() : part_type();
        for (const auto& [value, lines] : given)
            body.push_back({RegisterArray{words_of(value), work_.together(), type}});
        for (const auto& [value, hand] : hands) c().hold(value, own_word(hand, part, spectrum, is_half));
        Body own, stores;
        if (!work_.others.empty()) own.push_back({Let{Type::i32, coordinate(beside()), line_there(line_of_pair())}});
        const auto made = computed(own, stores);
        for (const auto& [value, lines] : given)
            own.push_back({Assign{element(words_of(value), line_of_pair()), made.at(value)}});
        ExprRef stored = has_line(line_of_pair());
        if (spectrum && part.half == Half::some) stored = both(is_half, stored);
        if (!stores.empty() && !(spectrum && part.half == Half::none))
            own.push_back({If{stored, std::move(stores), {}}});
        append_each_of_pair(body, std::move(own));
        for (const auto& [value, hand] : hands) c().let_go(value);
        for (const auto& [value, lines] : given) {
            const ExprRef first = element(words_of(value), integer(0)),
                          second = in_pairs() ? element(words_of(value), integer(1)) : nullptr;
            const ExprRef number_ = spectrum ? joined_spectra(first, second, part, is_half)
                                             : make_complex(first, second ? second : real(0, precision()), precision());
            for (const std::string& line : lines) body.push_back({Assign{element(line, place), number_}});
        }
        return body;
    }
    /// Numbers of results on this side that what is computed may ask for, in registers with names.
    void take_numbers(Body& body, const ExprRef& place, bool spectrum,
                      std::map<ValueId, std::pair<ExprRef, ExprRef>>& hands) {
        for (const FftStep& step : work_.steps) {
            const auto* pass = std::get_if<FftPass>(&step);
            if (pass == nullptr || pass->backward == spectrum || !is_asked_for(pass->target)) continue;
            const auto taken = [&](const std::string& from, const char* what) {
                const std::string n =
                    c().once(fmt::format("{} {}", what, pass->target.index), variable_name(pass->target) + "_" + what);
                body.push_back({Let{number_type(), n, element(from, place)}});
                return name(n);
            };
            ExprRef own = taken(registers_.at(pass->target), "number"), other;
            if (const auto found = opposite_.find(pass->target); found != opposite_.end())
                other = taken(found->second, "across");
            hands[pass->target] = {own, other};
        }
    }
    std::optional<ValueId> stored_now_;  ///< of a transform whose result is stored as it is
    [[nodiscard]] bool is_asked_for(ValueId value) {
        return stored_now_ == value || holds(c().schedule.fusion().inputs, value);
    }
    /// A = (Z + Z'*)/2, B = (Z - Z'*)/2i, where Z' stands opposite; above half the length the conjugate of what stands
    /// below it.
    ExprRef own_word(const std::pair<ExprRef, ExprRef>& hand, const Numbers& numbers, bool spectrum,
                     const ExprRef& is_half) {
        const ExprRef& z = hand.first;
        const auto of_line = [&](const ExprRef& first, const ExprRef& second) {
            return in_pairs() ? select(binary("==", line_of_pair(), integer(0)), first, second) : first;
        };
        if (!spectrum) return of_line(kernel::part(z, false), kernel::part(z, true));
        const auto conjugate = [&](const ExprRef& re, const ExprRef& im) {
            using Half = Numbers::Half;
            if (numbers.half == Half::all) return make_complex(re, im, precision());
            const ExprRef other = negate(im);
            return make_complex(re, numbers.half == Half::none ? other : select(is_half, im, other), precision());
        };
        if (!hand.second) return conjugate(kernel::part(z, false), kernel::part(z, true));
        const ExprRef half = real(0.5, precision());
        const auto sum = [&](bool imaginary, const char* op) {
            return binary("*", half, binary(op, kernel::part(z, imaginary), kernel::part(hand.second, imaginary)));
        };
        return conjugate(of_line(sum(false, "+"), sum(true, "+")), of_line(sum(true, "-"), negate(sum(false, "-"))));
    }
    /// A + i B, or above half the length the same of their conjugates; what stands at 0 and in the middle is real.
    ExprRef joined_spectra(const ExprRef& a, const ExprRef& b, const Numbers& part, const ExprRef& is_half) {
        using Half = Numbers::Half;
        const ExprRef zero = real(0, precision());
        const auto imaginary = [&](const ExprRef& z) -> ExprRef {
            const ExprRef im = kernel::part(z, true);
            if (part.first) return select(binary("==", number(), integer(0)), zero, im);
            if (part.half == Half::all) return im;
            if (part.half == Half::none) return negate(im);
            const ExprRef other = select(is_half, im, negate(im));
            if (factors_.cells % 2 != 0) return other;
            return select(binary("==", multiply(number(), integer(2)), integer(factors_.cells)), zero, other);
        };
        if (!b) return make_complex(kernel::part(a, false), imaginary(a), precision());
        return make_complex(binary("-", kernel::part(a, false), imaginary(b)),
                            binary("+", imaginary(a), kernel::part(b, false)), precision());
    }

    // --- transforms ---

    void lower(const FftPass& pass, std::vector<Body>& steps) {
        const LineFactors f = schedule_.factors_of(pass);
        const bool parts = is_real() && in_pairs() && !pass.backward;
        Body first = pass.loads ? loaded(pass) : copied_numbers(pass);
        for (int stage = 0; stage < f.stages(); ++stage) {
            Body region;
            if (stage == 0 && !first.empty()) region.push_back({Threads{std::move(first)}});
            region.push_back({Threads{of_stage(pass, f, stage, stage + 1 < f.stages() || parts)}});
            steps.push_back(std::move(region));
        }
        if (parts) steps.push_back({{Threads{across(pass, f)}}});
        if (!pass.stores) return;
        stored_now_ = pass.target;
        steps.back().push_back({Threads{stored(pass)}});
        stored_now_.reset();
    }
    /// Copies the numbers of a transform that another one goes on with.
    Body copied_numbers(const FftPass& pass) {
        const auto made = registers_.find(pass.source);
        if (made == registers_.end()) return {};
        Body body = place_thread();
        append(body, each_number(pass.turned, all_numbers(pass.turned), [&](const Numbers&, const ExprRef& place) {
                   return Body{{Assign{element(registers_.at(pass.target), place), element(made->second, place)}}};
               }));
        return body;
    }

    Body of_stage(const FftPass& pass, const LineFactors& f, int stage, bool leaves) {
        const auto at = static_cast<std::size_t>(stage);
        const int radix = f.radices[at], many = f.butterflies_of_line(stage), before = f.count_before(stage);
        const std::string& line = registers_.at(pass.target);
        Body all = place_thread();
        for (int k = 0; k < f.butterflies(stage); ++k) {
            Body body;
            const ExprRef base = first_of(k);
            if (stage > 0 || leaves)
                body.push_back({Let{Type::i32, text_of(base), first_word(f, stage, butterfly(k))}});
            const ExprRef word = shared_word(kernel::add(base, multiply(digit(), integer(f.weights[at])))),
                          own = element(line, kernel::add(digit(), integer(k * radix)));
            if (stage > 0) append(body, each_digit(radix, {Assign{own, word}}));
            Butterfly made{line, k * radix, radix, pass.backward, number_type(), nullptr};
            if (stage > 0) {
                made.turn = name(c().once(fmt::format("turn {}", k), "turn"));
                body.push_back({Let{
                    number_type(), text_of(made.turn),
                    math_call(std::string(turn_of_unity) + (work_.is_dual() ? "" : "f"),
                              {modulo(kernel::add(thread_in_line(), integer(k * factors_.threads)), integer(before)),
                               integer(std::int64_t{before} * radix)})}});
            }
            body.push_back({std::move(made)});
            if (leaves) append(body, each_digit(radix, {Assign{word, own}}));
            append(all, with_butterfly(k, many, std::move(body)));
        }
        return all;
    }
    ExprRef first_of(int k) { return name(c().once(fmt::format("first word {}", k), "from")); }

    /// The numbers that stand opposite of the thread's: number n - i is in another thread's butterfly.
    Body across(const FftPass& pass, const LineFactors& f) {
        const int last = f.stages() - 1, radix = f.radices.back(), many = f.butterflies_of_line(last);
        Body all = place_thread();
        for (int k = 0; k < f.butterflies(last); ++k) {
            const ExprRef is_first = binary("==", butterfly(k), integer(0));
            const ExprRef opposite = name(c().once(fmt::format("butterfly across {}", k), "b_across"));
            Body body{{Let{Type::i32, text_of(opposite),
                           select(is_first, integer(0), subtract(integer(many), butterfly(k)))}}};
            const ExprRef base = first_of(k);
            body.push_back({Let{Type::i32, text_of(base), first_word(f, last, opposite)}});
            const ExprRef own = select(is_first, modulo(subtract(integer(radix), digit()), integer(radix)),
                                       subtract(integer(radix - 1), digit()));
            append(
                body,
                each_digit(radix, {Assign{element(opposite_.at(pass.target), kernel::add(digit(), integer(k * radix))),
                                          shared_word(kernel::add(base, multiply(own, integer(f.weights.back()))))}}));
            append(all, with_butterfly(k, many, std::move(body)));
        }
        return all;
    }
};

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_fft(const FftSchedule& schedule, const Program& program, const Graph& graph,
                          const std::string& kernel_name, const std::set<ValueId>& padded) {
    kernel::Kernel made = kernel::FftKernel(schedule, program, graph, padded).run(kernel_name);
    for (const NodeId call : schedule.fusion().calls) made.comment.push_back(node_text(graph, program, call));
    for (const FftStep& step : schedule.work->steps)
        if (const auto* cells = std::get_if<FftCells>(&step))
            kernel::add_position_checks(made.positions, cells->cells.plan(), program, std::nullopt);
    return {{std::move(made)}};
}

}  // namespace kasc
