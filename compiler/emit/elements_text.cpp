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

namespace kasc::emit {

namespace {

class ElementsPrinter {
public:
    ElementsPrinter(Writer& out, const HostContext& context) : out_(out), c_(context) {}

    void print() {
        const auto [fewest, multiple] = elements_in_place(c_.plan);
        const std::string of = multiple > 1 ? fmt::format(", in multiples of {}", multiple) : "";
        out_.line("// Blocks work on {} elements and more{}: those that are left over lie in arrays of their own.",
                  fewest, of);
        out_.open("struct {}_elements", c_.prefix);
        // Whatever is left over fits.
        out_.line("static constexpr long long room = {};",
                  fewest % multiple == 0 ? fewest : (fewest + 2 * (multiple - 1)) / multiple * multiple);
        out_.line("kasc_memory &memory;");
        out_.line("{}_run whole, rest;", c_.prefix);
        out_.line("long long {} = 0;  // all elements", elements());
        out_.line("long long in_place = 0;  // the first ones, that `whole` works on where the caller's arrays lie");
        for (const std::string& array : arrays()) out_.line("float *{} = nullptr;", own(array));
        out_.line("{}_arguments callers = {{}};", c_.program.name);
        if (c_.has_parts()) out_.line("long long done = 0, total = 0;  // iterations of loops");
        out_.blank();
        out_.line("explicit {}_elements(kasc_memory &of) : memory(of), whole(of), rest(of) {{}}", c_.prefix);
        out_.line("static int check(const {}_arguments &given) {{ return {}_run::check(given); }}", c_.program.name,
                  c_.prefix);
        for (const char* function : {"first", "last"})
            out_.line("{0}_arguments {1}(const {0}_arguments &given) const;", c_.program.name, function);
        for (const char* function : {"prepare", "begin"})
            out_.line("int {}(const {}_arguments &given);", function, c_.program.name);
        out_.line("int advance({});", c_.has_parts() ? "long long until" : "");
        out_.line("int deliver();");
        out_.line("int release();");
        out_.close(";");
        out_.blank();
        arguments();
        prepare(fewest, multiple);
        begin();
        advance();
        deliver();
        release();
    }

private:
    Writer& out_;
    const HostContext& c_;

    [[nodiscard]] const std::string& elements() const { return c_.names.elements; }
    static std::string own(const std::string& array) { return "rest_" + array; }
    [[nodiscard]] std::vector<std::string> arrays() const {
        std::vector<std::string> all = c_.names.inputs;
        all.insert(all.end(), c_.names.outputs.begin(), c_.names.outputs.end());
        return all;
    }
    [[nodiscard]] int words(VariableId v) const {
        return c_.library.types[std::get<StreamShape>(c_.program.variables[v].shape).type].words;
    }
    /// "x", and what it is multiplied with.
    static std::string times(const std::string& x, int words) {
        return words == 1 ? x : fmt::format("{} * {}", x, words);
    }

    void open(const char* type, const char* name, const std::string& parameters) {
        out_.open("{} {}_elements::{}({})", type, c_.prefix, name, parameters);
    }
    void close() {
        out_.close();
        out_.blank();
    }
    [[nodiscard]] std::string given() const { return fmt::format("const {}_arguments &given", c_.program.name); }
    void on(const char* condition, const std::string& statement) {
        out_.open("if ({})", condition);
        out_.line("if (const int status = {}; status != 0) return status;", statement);
        out_.close();
    }

    void arguments() {
        for (const bool first : {true, false}) {
            out_.open("{0}_arguments {1}_elements::{2}(const {0}_arguments &given) const", c_.program.name, c_.prefix,
                      first ? "first" : "last");
            out_.line("{}_arguments part = given;", c_.program.name);
            out_.line("part.{} = {};", elements(), first ? "in_place" : "room");
            if (!first) {
                for (const std::string& array : arrays()) out_.line("part.{} = {};", array, own(array));
            }
            out_.line("return part;");
            close();
        }
    }
    void prepare(int fewest, int multiple) {
        open("int", "prepare", given());
        out_.line("{0} = given.{0};", elements());
        const std::string most = multiple > 1 ? fmt::format("{0} / {1} * {1}", elements(), multiple) : elements();
        out_.line("in_place = {0} < {1} ? 0 : {0};", most, fewest);
        on("in_place > 0", "whole.prepare(first(given))");
        out_.open("if (in_place < {})", elements());
        const auto room = [&](const std::string& array, VariableId v) {
            out_.line("{} = memory.room<float>(\"{}\", {});", own(array), array, times("room", words(v)));
        };
        for (std::size_t i = 0; i < c_.names.inputs.size(); ++i) room(c_.names.inputs[i], c_.program.inputs[i]);
        for (std::size_t i = 0; i < c_.names.outputs.size(); ++i) room(c_.names.outputs[i], c_.program.outputs[i]);
        out_.line("if (memory.status() != 0) return memory.status();");
        out_.line("if (const int status = rest.prepare(last(given)); status != 0) return status;");
        out_.close();
        out_.line("return memory.status();");
        close();
    }
    void begin() {
        open("int", "begin", given());
        out_.line(
            "if (given.{0} != {0}) return kasc_fail(1, \"{0} is %lld, the program is prepared for %lld\", given.{0}, "
            "{0});",
            elements());
        for (const std::string& array : arrays()) out_.line("memory.expect(\"{0}\", given.{0});", array);
        out_.line("if (memory.status() != 0) return memory.status();");
        out_.line("callers = given;");
        on("in_place > 0", "whole.begin(first(given))");
        out_.open("if (in_place < {})", elements());
        if (!c_.names.inputs.empty()) copy(c_.names.inputs, c_.program.inputs, true);
        out_.line("if (const int status = rest.begin(last(given)); status != 0) return status;");
        out_.close();
        if (c_.has_parts()) out_.line("done = 0, total = whole.total + rest.total;");
        out_.line("return memory.status();");
        close();
    }
    /// The last elements, between the caller's arrays and their own.
    void copy(const std::vector<std::string>& names, const std::vector<VariableId>& variables, bool in) {
        std::string list;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const int w = words(variables[i]);
            const std::string callers = fmt::format("callers.{} + {}", names[i], times("in_place", w)),
                              rest = own(names[i]);
            list += fmt::format("{}{{{}, {}, {}}}", i == 0 ? "" : ", ", in ? rest : callers, in ? callers : rest,
                                times(fmt::format("({} - in_place)", elements()), w));
        }
        out_.line("kasc_copy_few(memory, {{{}}});", list);
    }
    void advance() {
        open("int", "advance", c_.has_parts() ? "long long until" : "");
        if (!c_.has_parts()) {
            on("in_place > 0", "whole.advance()");
            on(fmt::format("in_place < {}", elements()).c_str(), "rest.advance()");
            out_.line("return memory.status();");
            close();
            return;
        }
        on("in_place > 0", "whole.advance(std::min(until, whole.total))");
        on(fmt::format("in_place < {} && until >= whole.total", elements()).c_str(),
           "rest.advance(until - whole.total)");
        out_.line("done = whole.done + rest.done;");
        out_.line("return memory.status();");
        close();
    }
    void deliver() {
        open("int", "deliver", "");
        on("in_place > 0", "whole.deliver()");
        out_.open("if (in_place < {})", elements());
        out_.line("if (const int status = rest.deliver(); status != 0) return status;");
        copy(c_.names.outputs, c_.program.outputs, false);
        out_.close();
        out_.line("return memory.status();");
        close();
    }
    void release() {
        open("int", "release", "");
        out_.line("const int of_whole = whole.release(), of_rest = rest.release();");
        out_.line("return of_whole != 0 ? of_whole : of_rest;");
        close();
    }
};

}  // namespace

void write_elements(Writer& out, const HostContext& context) {
    if (context.has_rest()) ElementsPrinter(out, context).print();
}

}  // namespace kasc::emit
