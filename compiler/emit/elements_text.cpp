// A stream of any number of elements. Blocks work on whole tiles, some of them in vectors of four words, so that a
// launch takes 96 elements or more, say, and multiples of 4 of them:
//
//     n = 1000    all of them where they lie
//     n = 1003    1000 where they lie; the other 3 at the beginning of arrays of 96
//     n = 7       at the beginning of arrays of 96
//
// An element's words do not depend on where it lies.
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/skeleton.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view elements_skeleton = R"(
// Blocks work on ${fewest} elements and more${multiples}: those that are left over lie in arrays of their own.
struct ${prefix}_elements {
    static constexpr long long room = ${room};
    kasc_memory &memory;
    ${prefix}_run whole, rest;
    long long ${n} = 0;  // all elements
    long long in_place = 0;  // the first ones, that `whole` works on where the caller's arrays lie
    ${own_arrays}
    ${p}_arguments callers = {};
    ${iterations}

    explicit ${prefix}_elements(kasc_memory &of) : memory(of), whole(of), rest(of) {}
    static int check(const ${p}_arguments &given) { return ${prefix}_run::check(given); }
    ${p}_arguments first(const ${p}_arguments &given) const;
    ${p}_arguments last(const ${p}_arguments &given) const;
    int prepare(const ${p}_arguments &given);
    int begin(const ${p}_arguments &given);
    int advance(${until});
    int deliver();
    int release();
};

${p}_arguments ${prefix}_elements::first(const ${p}_arguments &given) const {
    ${p}_arguments part = given;
    part.${n} = in_place;
    return part;
}

${p}_arguments ${prefix}_elements::last(const ${p}_arguments &given) const {
    ${p}_arguments part = given;
    part.${n} = room;
    ${own_in_part}
    return part;
}

int ${prefix}_elements::prepare(const ${p}_arguments &given) {
    ${n} = given.${n};
    in_place = ${most_in_place} < ${fewest} ? 0 : ${most_in_place};
    if (in_place > 0) {
        if (const int status = whole.prepare(first(given)); status != 0) return status;
    }
    if (in_place < ${n}) {
        ${rooms}
        if (memory.status() != 0) return memory.status();
        if (const int status = rest.prepare(last(given)); status != 0) return status;
    }
    return memory.status();
}

int ${prefix}_elements::begin(const ${p}_arguments &given) {
    if (given.${n} != ${n}) return kasc_fail(1, "${n} is %lld, the program is prepared for %lld", given.${n}, ${n});
    ${expected}
    if (memory.status() != 0) return memory.status();
    callers = given;
    if (in_place > 0) {
        if (const int status = whole.begin(first(given)); status != 0) return status;
    }
    if (in_place < ${n}) {
        ${copy_in}
        if (const int status = rest.begin(last(given)); status != 0) return status;
    }
    ${count}
    return memory.status();
}

int ${prefix}_elements::advance(${until}) {
    if (in_place > 0) {
        if (const int status = whole.advance(${until_of_whole}); status != 0) return status;
    }
    if (in_place < ${n}${whole_is_done}) {
        if (const int status = rest.advance(${until_of_rest}); status != 0) return status;
    }
    ${count_on}
    return memory.status();
}

int ${prefix}_elements::deliver() {
    if (in_place > 0) {
        if (const int status = whole.deliver(); status != 0) return status;
    }
    if (in_place < ${n}) {
        if (const int status = rest.deliver(); status != 0) return status;
        ${copy_out}
    }
    return memory.status();
}

int ${prefix}_elements::release() {
    const int of_whole = whole.release(), of_rest = rest.release();
    return of_whole != 0 ? of_whole : of_rest;
}

)";

/// An array of the caller's, and what stands for its last elements.
struct ElementArray {
    std::string name;
    int words = 1;  ///< of an element

    [[nodiscard]] std::string own() const { return "rest_" + name; }
    /// "x", and what it is multiplied with.
    [[nodiscard]] std::string times(const std::string& x) const {
        return words == 1 ? x : fmt::format("{} * {}", x, words);
    }
};

std::vector<ElementArray> arrays_of(const HostContext& c, const std::vector<std::string>& names,
                                    const std::vector<VariableId>& variables) {
    std::vector<ElementArray> all;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const TypeId type = std::get<StreamShape>(c.program.variables[variables[i]].shape).type;
        all.push_back({names[i], c.library.types[type].words});
    }
    return all;
}

/// The last elements, between the caller's arrays and their own.
std::string copy(const std::vector<ElementArray>& arrays, const std::string& n, bool in) {
    if (arrays.empty()) return "";
    std::string list;
    for (const ElementArray& a : arrays) {
        const std::string callers = fmt::format("callers.{} + {}", a.name, a.times("in_place")), own = a.own();
        list += fmt::format("{}{{{}, {}, {}}}", list.empty() ? "" : ", ", in ? own : callers, in ? callers : own,
                            a.times(fmt::format("({} - in_place)", n)));
    }
    return fmt::format("kasc_copy_few(memory, {{{}}});", list);
}

void write_elements_of_stream(Writer& out, const HostContext& c) {
    const auto [fewest, multiple] = elements_in_place(c.plan);
    const bool loops = c.has_parts();
    const std::string& n = c.names.elements;
    const std::vector<ElementArray> inputs = arrays_of(c, c.names.inputs, c.program.inputs),
                                    outputs = arrays_of(c, c.names.outputs, c.program.outputs);
    Lines own_arrays, own_in_part, rooms, expected;
    for (const auto& arrays : {inputs, outputs}) {
        for (const ElementArray& a : arrays) {
            own_arrays.add("float *{} = nullptr;", a.own());
            own_in_part.add("part.{} = {};", a.name, a.own());
            rooms.add("{} = memory.room<float>(\"{}\", {});", a.own(), a.name, a.times("room"));
            expected.add("memory.expect(\"{0}\", given.{0});", a.name);
        }
    }
    // Whatever is left over fits.
    const int room = fewest % multiple == 0 ? fewest : (fewest + 2 * (multiple - 1)) / multiple * multiple;
    out.lines(filled(elements_skeleton,
                     {{"prefix", c.prefix},
                      {"p", c.program.name},
                      {"n", n},
                      {"fewest", std::to_string(fewest)},
                      {"multiples", multiple > 1 ? fmt::format(", in multiples of {}", multiple) : ""},
                      {"room", std::to_string(room)},
                      {"own_arrays", own_arrays.take()},
                      {"own_in_part", own_in_part.take()},
                      {"rooms", rooms.take()},
                      {"expected", expected.take()},
                      {"most_in_place", multiple > 1 ? fmt::format("{0} / {1} * {1}", n, multiple) : n},
                      {"copy_in", copy(inputs, n, true)},
                      {"copy_out", copy(outputs, n, false)},
                      {"iterations", loops ? "long long done = 0, total = 0;  // iterations of loops" : ""},
                      {"count", loops ? "done = 0, total = whole.total + rest.total;" : ""},
                      {"count_on", loops ? "done = whole.done + rest.done;" : ""},
                      {"until", loops ? "long long until" : ""},
                      {"until_of_whole", loops ? "std::min(until, whole.total)" : ""},
                      {"whole_is_done", loops ? " && until >= whole.total" : ""},
                      {"until_of_rest", loops ? "until - whole.total" : ""}}));
}

}  // namespace

void write_elements(Writer& out, const HostContext& context) {
    if (context.has_rest()) write_elements_of_stream(out, context);
}

}  // namespace kasc::emit
