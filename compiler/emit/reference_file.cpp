// The CPU side of a stream program: statement by statement with the library's reference functions, all elements of one
// statement before the next. A result goes through a local copy, since `v = f(v, w)` names one array twice.
#include <set>

#include "emit/files.hpp"
#include "emit/skeleton.hpp"
#include "emit/writer.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view reference_skeleton = R"(
// CPU reference made by kasc: the library's reference functions, one statement after the other.
#include "${p}.h"

#include <math.h>

#include <algorithm>
#include <chrono>
#include <exception>

namespace {

thread_local const char *message = "";

${compute}
}  // namespace

extern "C" const char *${p}_reference_message(void) {
    return message;
}

extern "C" int ${p}_reference_compute(const ${p}_arguments *arguments, ${p}_progress, void *, double *kernel_seconds)
{
    ${call}
}
)";

constexpr std::string_view compute_function = R"(
${functions}
struct stream_words {
    float *at;

    explicit stream_words(size_t count) : at(new float[count]()) {}
    ~stream_words() { delete[] at; }
    stream_words(const stream_words &) = delete;
};

void compute(const ${p}_arguments &args, double *kernel_seconds) {
    const long long ${n} = args.${elements};
    const auto ${began} = std::chrono::steady_clock::now();
    ${parameters}
    ${variables}
    ${inputs}
    ${statements}
    ${outputs}
    if (kernel_seconds != nullptr) *kernel_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - ${began}).count();
}
)";

constexpr std::string_view call_of_compute = R"(
if (arguments == nullptr) return message = "arguments is NULL", ${p}_bad_argument;
if (arguments->${elements} < 1) return message = "there are no elements", ${p}_bad_argument;
${null_arrays}
try {
    compute(*arguments, kernel_seconds);
    return ${p}_ok;
} catch (const std::exception &) {
    return message = "no memory is left on the host", ${p}_device_failed;
})";

constexpr std::string_view nothing_to_call = R"(
// The library has no reference function for ${missing}: there is nothing to compare with.
(void)arguments, (void)kernel_seconds;
return ${p}_no_reference;)";

class ReferencePrinter {
public:
    ReferencePrinter(const Program& program, const Library& library, const InterfaceNames& names)
        : program_(program), library_(library), names_(names), scope_(names.local.scope) {
        collect(program.statements);
        for (const VariableId v : program.variables.ids())
            local_.push_back(scope_.fresh("v_" + program.variables[v].name));
    }

    std::string run() {
        const std::string& p = program_.name;
        if (const std::string missing = without_reference(); !missing.empty())
            return filled(
                reference_skeleton,
                {{"p", p}, {"compute", ""}, {"call", filled_part(nothing_to_call, {{"p", p}, {"missing", missing}})}});
        statements(program_.statements);
        std::string steps = out_.take();
        if (!steps.empty()) steps.pop_back();  // the last line break
        const std::string compute = filled(compute_function, {{"p", p},
                                                              {"functions", functions()},
                                                              {"n", n_},
                                                              {"began", began_},
                                                              {"elements", names_.elements},
                                                              {"parameters", parameters()},
                                                              {"variables", variables()},
                                                              {"inputs", inputs()},
                                                              {"statements", steps},
                                                              {"outputs", outputs()}});
        const std::string call =
            filled_part(call_of_compute, {{"p", p}, {"elements", names_.elements}, {"null_arrays", null_arrays()}});
        return filled(reference_skeleton, {{"p", p}, {"compute", compute}, {"call", call}});
    }

private:
    const Program& program_;
    const Library& library_;
    const InterfaceNames& names_;
    kernel::Names scope_;
    const std::string n_ = scope_.fresh("n"), e_ = scope_.fresh("e"), began_ = scope_.fresh("began"),
                      result_ = scope_.fresh("result");
    Writer out_;
    std::set<FunctionId> used_;
    std::vector<std::string> local_;  // by variable

    void collect(const std::vector<Statement>& statements) {
        for (const Statement& s : statements) {
            if (const auto* call = std::get_if<CallStatement>(&s)) used_.insert(call->callee);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) collect((*loop)->body);
        }
    }
    [[nodiscard]] std::string without_reference() const {
        std::string missing;
        for (const FunctionId f : used_) {
            if (!library_.functions[f].reference) missing += (missing.empty() ? "" : ", ") + library_.functions[f].name;
        }
        return missing;
    }
    [[nodiscard]] std::string functions() const {
        std::string all;
        for (const FunctionId f : used_) all += library_.functions[f].reference->text + "\n\n";
        if (!all.empty()) all.pop_back();
        return all;
    }
    [[nodiscard]] std::string parameters() const {
        Lines all;
        for (const ParameterId id : program_.parameters.ids())
            all.add("[[maybe_unused]] const int {} = args.{};", names_.local.parameters[id.index],
                    names_.parameters[id.index]);
        return all.take();
    }
    [[nodiscard]] std::string variables() const {
        Lines all;
        for (const VariableId v : program_.variables.ids())
            all.add("stream_words {}((size_t){} * {});", local_[v.index], n_, words(v));
        return all.take();
    }
    [[nodiscard]] std::string inputs() const {
        Lines all;
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const VariableId v = program_.inputs[i];
            all.add("std::copy(args.{0}, args.{0} + {1} * {2}, {3}.at);", names_.inputs[i], n_, words(v),
                    local_[v.index]);
        }
        return all.take();
    }
    [[nodiscard]] std::string outputs() const {
        Lines all;
        for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
            const std::string& v = local_[program_.outputs[i].index];
            all.add("std::copy({0}.at, {0}.at + {1} * {2}, args.{3});", v, n_, words(program_.outputs[i]),
                    names_.outputs[i]);
        }
        return all.take();
    }
    [[nodiscard]] std::string null_arrays() const {
        Lines all;
        for (const auto* arrays : {&names_.inputs, &names_.outputs}) {
            for (const std::string& array : *arrays)
                all.add("if (arguments->{0} == nullptr) return message = \"{0} is NULL\", {1}_bad_argument;", array,
                        program_.name);
        }
        return all.take();
    }
    [[nodiscard]] int words(VariableId v) const {
        return library_.types[std::get<StreamShape>(program_.variables[v].shape).type].words;
    }

    void statements(const std::vector<Statement>& all) {
        for (const Statement& s : all) {
            if (const auto* call = std::get_if<CallStatement>(&s)) this->call(*call);
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&s)) this->loop(**loop);
        }
    }
    void call(const CallStatement& s) {
        std::string arguments;
        for (const VariableId v : s.arguments)
            arguments += fmt::format("&{}.at[(size_t){} * {}], ", local_[v.index], e_, words(v));
        out_.line("#pragma omp parallel for");
        out_.open("for (long long {0} = 0; {0} < {1}; ++{0})", e_, n_);
        out_.line("float {}[{}];", result_, words(s.target));
        out_.line("cpu_{}({}{});", library_.functions[s.callee].name, arguments, result_);
        out_.line("std::copy({0}, {0} + {1}, &{2}.at[(size_t){3} * {1}]);", result_, words(s.target),
                  local_[s.target.index], e_);
        out_.close();
    }
    void loop(const LoopStatement& s) {
        const std::string& i = names_.local.loops.at(s.loop.index);
        out_.open("for (int {0} = {1}; {0} < {2}; ++{0})", i, host_text(*s.from, names_), host_text(*s.to, names_));
        statements(s.body);
        out_.close();
    }
};

}  // namespace

std::string stream_reference_text(const Program& program, const Library& library, const InterfaceNames& names) {
    return ReferencePrinter(program, library, names).run();
}

}  // namespace kasc::emit
