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
        out_.line("#include <exception>");
        out_.blank();
        const std::string missing = without_reference();
        out_.line("namespace {{");
        out_.blank();
        out_.line("thread_local const char *message = \"\";");
        out_.blank();
        if (missing.empty()) {
            functions();
            out_.raw_line(
                "struct stream_words {\n"
                "    float *at;\n"
                "\n"
                "    explicit stream_words(size_t count) : at(new float[count]()) {}\n"
                "    ~stream_words() { delete[] at; }\n"
                "    stream_words(const stream_words &) = delete;\n"
                "};\n");
            out_.open("void compute(const {}_arguments &args, double *kernel_seconds)", program_.name);
            body();
            out_.close();
            out_.blank();
        }
        out_.line("}}  // namespace");
        out_.blank();
        calls(missing);
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
        for (const FunctionId f : used_) {
            out_.raw_line(library_.functions[f].reference->text);
            out_.blank();
        }
    }
    /// Writes the header's functions. `missing`: functions without a reference.
    void calls(const std::string& missing) {
        out_.open("extern \"C\" const char *{}_reference_message(void)", program_.name);
        out_.line("return message;");
        out_.close();
        out_.blank();
        out_.line(
            "extern \"C\" int {0}_reference_compute(const {0}_arguments *arguments, {0}_progress, void *, double "
            "*kernel_seconds)",
            program_.name);
        out_.open_block();
        if (!missing.empty()) {
            out_.line("// The library has no reference function for {}: there is nothing to compare with.", missing);
            out_.line("(void)arguments, (void)kernel_seconds;");
            out_.line("return {}_no_reference;", program_.name);
            out_.close();
            return;
        }
        refuse("arguments == nullptr", "arguments is NULL");
        refuse(fmt::format("arguments->{} < 1", names_.elements), "there are no elements");
        for (const auto* arrays : {&names_.inputs, &names_.outputs}) {
            for (const std::string& array : *arrays)
                refuse(fmt::format("arguments->{} == nullptr", array), array + " is NULL");
        }
        out_.open("try");
        out_.line("compute(*arguments, kernel_seconds);");
        out_.line("return {}_ok;", program_.name);
        out_.reopen("catch (const std::exception &)");
        out_.line("return message = \"no memory is left on the host\", {}_device_failed;", program_.name);
        out_.close();
        out_.close();
    }
    void refuse(const std::string& condition, const std::string& why) {
        out_.line("if ({}) return message = \"{}\", {}_bad_argument;", condition, why, program_.name);
    }
    [[nodiscard]] int words(VariableId v) const {
        return library_.types[std::get<StreamShape>(program_.variables[v].shape).type].words;
    }

    void body() {
        out_.line("const long long {} = args.{};", n_, names_.elements);
        out_.line("const auto {} = std::chrono::steady_clock::now();", began_);
        for (const ParameterId id : program_.parameters.ids()) {
            out_.line("[[maybe_unused]] const int {} = args.{};", names_.local.parameters[id.index],
                      names_.parameters[id.index]);
        }
        for (const VariableId v : program_.variables.ids()) {
            local_.push_back(scope_.fresh("v_" + program_.variables[v].name));
            out_.line("stream_words {}((size_t){} * {});", local_.back(), n_, words(v));
        }
        for (std::size_t i = 0; i < program_.inputs.size(); ++i) {
            const VariableId v = program_.inputs[i];
            out_.line("std::copy(args.{0}, args.{0} + {1} * {2}, {3}.at);", names_.inputs[i], n_, words(v),
                      local_[v.index]);
        }
        statements(program_.statements);
        for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
            const std::string& v = local_[program_.outputs[i].index];
            out_.line("std::copy({0}.at, {0}.at + {1} * {2}, args.{3});", v, n_, words(program_.outputs[i]),
                      names_.outputs[i]);
        }
        out_.line(
            "if (kernel_seconds != nullptr) *kernel_seconds = "
            "std::chrono::duration<double>(std::chrono::steady_clock::now() - {}).count();",
            began_);
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
