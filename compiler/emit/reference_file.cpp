// The CPU side of a stream program: statement by statement with the library's reference functions, all elements of one
// statement before the next. A result goes through a local copy, since `v = f(v, w)` names one array twice.
#include <set>

#include "emit/files.hpp"
#include "emit/writer.hpp"

namespace kasc::emit {

namespace {

class ReferencePrinter {
public:
    ReferencePrinter(const Program& program, const Library& library, const InterfaceNames& names)
        : program_(program), library_(library), names_(names), scope_(names.local.scope) {}

    std::string run() {
        collect(program_.statements);
        out_.line("// CPU reference made by kasc: the library's reference functions, one statement after the other.");
        out_.line("#include \"{}.h\"", program_.name);
        out_.blank();
        out_.line("#include <math.h>");
        out_.blank();
        out_.line("#include <algorithm>");
        out_.line("#include <chrono>");
        out_.line("#include <cstdio>");
        out_.line("#include <vector>");
        out_.blank();
        const std::string missing = without_reference();
        if (missing.empty()) functions();
        out_.line(
            "extern \"C\" int {0}_reference_compute(const {0}_arguments *arguments, {0}_progress progress, void *user, "
            "double *kernel_seconds)",
            program_.name);
        out_.open_block();
        if (missing.empty()) {
            body();
        } else {
            out_.line("// The library has no reference function for {}: there is nothing to compare with.", missing);
            out_.line("(void)arguments, (void)progress, (void)user, (void)kernel_seconds;");
            out_.line("return {}_no_reference;", program_.name);
        }
        out_.close();
        out_.blank();
        out_.line("namespace {{");
        out_.line("const char kasc_message[] = \"\";");
        out_.line("}}");
        write_entry(out_, program_, names_, program_.name + "_reference");
        return out_.take();
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
    void functions() {
        out_.line("namespace {{");
        out_.blank();
        for (const FunctionId f : used_) {
            out_.raw_line(library_.functions[f].reference->text);
            out_.blank();
        }
        out_.line("}}  // namespace");
        out_.blank();
    }
    [[nodiscard]] int words(VariableId v) const {
        return library_.types[std::get<StreamShape>(program_.variables[v].shape).type].words;
    }

    void body() {
        out_.line("const {}_arguments &args = *arguments;", program_.name);
        out_.line("const long long {} = args.{};", n_, names_.elements);
        out_.line("const auto {} = std::chrono::steady_clock::now();", began_);
        out_.line("(void)progress, (void)user;");
        for (const ParameterId id : program_.parameters.ids()) {
            out_.line("[[maybe_unused]] const int {} = args.{};", names_.local.parameters[id.index],
                      names_.parameters[id.index]);
        }
        for (const VariableId v : program_.variables.ids()) {
            local_.push_back(scope_.fresh("v_" + program_.variables[v].name));
            out_.line("std::vector<float> {}((size_t){} * {});", local_.back(), n_, words(v));
        }
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const VariableId v = program_.inputs[i];
            out_.line("std::copy(args.{0}, args.{0} + {1} * {2}, {3}.begin());", names_.inputs[i], n_, words(v),
                      local_[v.index]);
        }
        statements(program_.statements);
        for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
            const std::string& v = local_[program_.outputs[i].index];
            out_.line("std::copy({0}.begin(), {0}.end(), args.{1});", v, names_.outputs[i]);
        }
        out_.line(
            "if (kernel_seconds != nullptr) *kernel_seconds = "
            "std::chrono::duration<double>(std::chrono::steady_clock::now() - {}).count();",
            began_);
        out_.line("return {}_ok;", program_.name);
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
            arguments += fmt::format("&{}[(size_t){} * {}], ", local_[v.index], e_, words(v));
        out_.line("#pragma omp parallel for");
        out_.open("for (long long {0} = 0; {0} < {1}; ++{0})", e_, n_);
        out_.line("float {}[{}];", result_, words(s.target));
        out_.line("cpu_{}({}{});", library_.functions[s.callee].name, arguments, result_);
        out_.line("std::copy({0}, {0} + {1}, &{2}[(size_t){3} * {1}]);", result_, words(s.target),
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
