// Statements of interpreted kernels become closures over the places of names, once; these run for all blocks and
// threads.

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>

#include "support/few_numbers.hpp"
#include "support/ir_interpreter.hpp"
#include "support/stand_in_function.hpp"

namespace kasc::test {

Interpreter::Interpreter(const kernel::Kernel& kernel) : kernel_(kernel), memory_(kernel) {
    for (const kernel::Statement& s : kernel.body) body_.push_back(compile(s));
    for (const kernel::ExprRef& g : kernel.grid) grid_.push_back(compile(g));
}

void Interpreter::run_share(const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& blocks) {
    int number = 0;
    each(blocks, [&](const std::array<std::int64_t, 3>& block) {
        for (std::size_t k = 0; k < 3; ++k) block_[k] = first[k] + block[k];
        memory_.begin_block(number++);
        for (const Action& a : body_) a();
    });
}

Interpreter::Action Interpreter::compile(const kernel::Statement& s) {
    return std::visit([&](const auto& node) { return action(node); }, s.node);
}

Interpreter::Action Interpreter::compile(const kernel::Body& body) {
    std::vector<Action> all;
    for (const kernel::Statement& s : body) all.push_back(compile(s));
    return [all = std::move(all)] {
        for (const Action& a : all) a();
    };
}

Interpreter::Action Interpreter::let(kernel::Type type, const std::string& name, const kernel::ExprRef& e) {
    return [this, type, name, to = slot(name), v = compile(e)] {
        Scalar value = v();
        check_type(type, value, name);
        value.is_long = type == kernel::Type::i64;
        *to = value;
    };
}

Interpreter::Action Interpreter::action(const kernel::RegisterArray& s) {
    std::vector<Value> values;
    for (const kernel::ExprRef& e : s.values) values.push_back(compile(e));
    return [this, s, array = memory_.number(s.name), values] {
        memory_.declare_registers(array, s.type, static_cast<std::size_t>(s.words));
        for (std::size_t k = 0; k < values.size(); ++k) {
            const Scalar value = values[k]();
            check_type(s.type, value, s.name);
            memory_.store(array, static_cast<std::int64_t>(k), value);
        }
    };
}

Interpreter::Action Interpreter::action(const kernel::Call& s) {
    const auto called = std::find_if(kernel_.functions.begin(), kernel_.functions.end(),
                                     [&](const kernel::FunctionVariant& f) { return f.name == s.function; });
    if (called == kernel_.functions.end() || !called->of_cell) fault("calls what is no function of cells");
    const kernel::ExprRef& offset = std::get<kernel::ArrayArgument>(s.arguments.back()).offset;
    const Value first = offset ? compile(offset) : [] { return whole(0); };
    return [this, s, first, operations = called->operations, of_result = called->words] {
        work_.reals += operations;
        std::vector<double> words;
        const auto array = [&](std::size_t k) {
            return memory_.number(std::get<kernel::ArrayArgument>(s.arguments.at(k)).array);
        };
        for (std::size_t k = 0; k + 1 < s.arguments.size(); ++k) {
            for (std::size_t word = 0; word < memory_.register_words(array(k)); ++word)
                words.push_back(memory_.load(array(k), static_cast<std::int64_t>(word)).f);
        }
        const std::size_t result = array(s.arguments.size() - 1);
        const std::int64_t begin = first().i;
        for (int word = 0; word < of_result; ++word)
            memory_.store(result, begin + word, Scalar::single(stand_in_word(words, static_cast<std::size_t>(word))));
    };
}

Interpreter::Action Interpreter::action(const kernel::PrivateArray& s) {
    return [this, s, array = memory_.number(s.name)] { memory_.declare_private(array, s.type, s.words); };
}

Interpreter::Action Interpreter::action(const kernel::SharedArray& s) {
    return [this, s, array = memory_.number(s.name)] { memory_.declare_shared(array, s.type, s.words); };
}

Interpreter::Action Interpreter::action(const kernel::Barrier&) {
    return [this] { memory_.barrier(); };
}

Interpreter::Action Interpreter::action(const kernel::CountBlock& s) {
    return [this, array = memory_.number(s.into), at = compile(s.index), blocks = compile(s.blocks)] {
        memory_.store(array, at().i, whole(memory_.count_block(blocks().i)));
    };
}

Interpreter::Action Interpreter::action(const kernel::Exchange& s) {
    return [this, s, from = memory_.number(s.from), to = memory_.number(s.into)] { memory_.exchange(s, from, to); };
}

Interpreter::Action Interpreter::action(const kernel::Assign& s) {
    const Value v = compile(s.value);
    if (const auto* name = std::get_if<kernel::Name>(&s.target->node)) return [to = slot(name->name), v] { *to = v(); };
    const auto& e = std::get<kernel::Element>(s.target->node);
    return [this, array = memory_.number(e.array), at = compile(e.index), v, adds = s.adds] {
        adds ? memory_.add(array, at().i, v()) : memory_.store(array, at().i, v());
    };
}

Interpreter::Action Interpreter::action(const kernel::Fetch& s) {
    return [this, array = memory_.number(s.from), into = memory_.number(s.into), &s, to = compile(s.into_index),
            from = compile(s.from_index)] {
        for (int k = 0; k < s.words; ++k) memory_.store(into, to().i + k, memory_.load(array, from().i + k));
    };
}

Interpreter::Action Interpreter::action(const kernel::Prefetch& s) {
    return [this, array = memory_.number(s.array), at = compile(s.index), last = s.words - 1] {
        memory_.find(array, at().i), memory_.find(array, at().i + last);
    };
}

Interpreter::Action Interpreter::action(const kernel::Butterfly& s) {
    std::vector<Value> turn;
    for (const char* part : {".x", ".y"})
        if (s.turn) turn.push_back(compile(kernel::name(kernel::text_of(s.turn) + part)));
    return [this, s, turn, array = memory_.number(s.registers)] {
        const std::complex<double> step(turn.empty() ? 1 : turn[0]().f, turn.empty() ? 0 : turn[1]().f);
        work_.reals += few_numbers(memory_, array, s, step);
    };
}

Interpreter::Action Interpreter::action(const kernel::LoadVector& s) {
    return [this, s, array = memory_.number(s.array), registers = memory_.number(s.registers), first = compile(s.first),
            at = compile(s.index)] {
        const std::int64_t from = at().i, to = first().i;
        if (from % s.width != 0) fault(fmt::format("unaligned load of {}[{}]", s.array, from));
        for (int k = 0; k < s.width; ++k) memory_.store(registers, to + k, memory_.load(array, from + k));
    };
}

Interpreter::Action Interpreter::action(const kernel::StoreVector& s) {
    return [this, s, array = memory_.number(s.array), registers = memory_.number(s.registers), first = compile(s.first),
            at = compile(s.index)] {
        const std::int64_t to = at().i, from = first().i;
        if (to % s.width != 0) fault(fmt::format("unaligned store of {}[{}]", s.array, to));
        for (int k = 0; k < s.width; ++k) memory_.store(array, to + k, memory_.load(registers, from + k));
    };
}

Interpreter::Action Interpreter::action(const kernel::For& s) {
    return [this, step = compile(s.stride ? s.stride : kernel::integer(s.step)), at = slot(s.variable),
            from = compile(s.from), to = compile(s.to), body = compile(s.body),
            going = compile(s.going ? s.going : kernel::integer(1))] {
        const std::int64_t end = to().i, forward = step().i;
        if (forward <= 0) fault("a loop does not move forward");
        for (std::int64_t i = from().i; i < end && going().i != 0; i += forward) {
            *at = whole(i);
            body();
        }
    };
}

Interpreter::Action Interpreter::action(const kernel::If& s) {
    return [c = compile(s.condition), then = compile(s.then), otherwise = compile(s.otherwise)] {
        c().i != 0 ? then() : otherwise();
    };
}

void Interpreter::for_threads(const Action& body) {
    each({kernel_.block[0], kernel_.block[1], kernel_.block[2]}, [&](const std::array<std::int64_t, 3>& at) {
        thread_ = at;
        memory_.begin_thread(thread());
        body();
    });
    memory_.end_threads();
}

Interpreter::Action Interpreter::action(const kernel::Threads& s) {
    return [this, body = compile(s.body)] { for_threads(body); };
}

Interpreter::Action Interpreter::action(const kernel::Cells& s) {
    struct Axis {
        Scalar* at;
        Value origin, low, high;
        std::optional<std::size_t> dimension;
        int count, step;
    };
    std::vector<Axis> axes;
    for (const kernel::CellAxis& a : s.axes) {
        std::optional<std::size_t> d;
        if (a.dimension) d = static_cast<std::size_t>(*a.dimension);
        if (d && a.count != kernel_.block[*d]) fault("cells and block disagree");
        axes.push_back({slot(a.name), compile(a.origin), compile(a.low), compile(a.high), d, a.count, a.step});
    }
    return [this, axes, body = compile(s.body)] {
        for_threads([&] {
            for (const Axis& a : axes) {
                const std::int64_t at = a.origin().i + (a.dimension ? thread_[*a.dimension] * a.step : 0);
                *a.at = whole(at);
                if (at < a.low().i || at >= a.high().i) return;
            }
            body();
        });
    };
}

}  // namespace kasc::test
