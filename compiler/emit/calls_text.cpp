// The functions of the header (header_file.cpp), all over struct <prefix>_run.
#include <algorithm>

#include "emit/files.hpp"
#include "emit/host_context.hpp"

namespace kasc::emit {

namespace {

class CallPrinter {
public:
    CallPrinter(Writer& out, const HostContext& context) : out_(out), c_(context) {}

    void print() {
        local_functions();
        if (!c_.is_reference()) {
            out_.open("extern \"C\" const char *{}_message(void)", c_.prefix);
            out_.line("return kasc_message;");
            out_.close();
            out_.blank();
            pieces();
        }
        launch();
        compute();
    }

private:
    Writer& out_;
    const HostContext& c_;

    void local_functions() {
        out_.line("namespace {{");
        out_.blank();
        prepare_on_host();
        run_whole();
        out_.line("}}  // namespace");
        out_.blank();
    }

    void prepare_on_host() {
        const InterfaceNames& names = c_.names;
        out_.line("// Allocates and copies in, so that the run computes in the target's memory.");
        out_.open("int prepare_on_host({}_run &run)", c_.prefix);
        out_.line("run.on_host = true;");
        out_.line("run.host = run.args;");
        out_.line("[[maybe_unused]] const {}_arguments &host = run.host;", c_.program.name);
        out_.line("{}_arguments &args = run.args;", c_.program.name);
        if (c_.program.kind == ProgramKind::stream) {
            out_.line("if (host.{} < 1) return kasc_fail(1, \"no elements\");", names.elements);
            out_.line("// Blocks work on whole tiles: a stream shorter than one is padded with zeros.");
            out_.line("args.{0} = std::max(host.{0}, {1}LL);", names.elements, std::max(1, c_.plan.minimum_elements));
            if (c_.plan.element_multiple > 1)
                out_.line("args.{0} = (args.{0} + {1}) / {2} * {2};", names.elements, c_.plan.element_multiple - 1,
                          c_.plan.element_multiple);
        }
        for (std::size_t i = 0; i < c_.program.inputs.size(); ++i)
            transfer("upload", names.inputs[i], c_.program.inputs[i], true, i);
        for (std::size_t i = 0; i < c_.program.outputs.size(); ++i)
            transfer("result", names.outputs[i], c_.program.outputs[i], false, i);
        out_.line("return run.memory.status() != 0 ? run.memory.status() : run.prepare();");
        out_.close();
        out_.blank();
    }
    void transfer(const char* how, const std::string& name, VariableId variable, bool input, std::size_t position) {
        const auto series = std::find_if(c_.names.series.begin(), c_.names.series.end(), [&](const SeriesNames& s) {
            return s.series.input == input && s.series.position == position;
        });
        const std::string whole =
            series == c_.names.series.end() ? "" : fmt::format("if (args.{} == 0) ", series->rows);
        out_.line("{0}args.{1} = run.memory.{2}(\"{1}\", host.{1}, {3}, {4});", whole, name, how,
                  c_.words(variable, "host."), c_.words(variable, "args."));
    }

    void run_whole() {
        out_.line("// In pieces only where someone asks how far it has come.");
        out_.open("int run_whole({}_run &run, {}_progress progress, void *user, double *kernel_seconds)", c_.prefix,
                  c_.program.name);
        for (const SeriesNames& s : c_.names.series)
            out_.line("if (run.args.{0} != 0) return kasc_fail(1, \"{0}: only a run in pieces has windows\");", s.rows);
        // Waiting now and then keeps the report true and lets a request to stop be heard.
        out_.line("const long long piece = progress == nullptr ? run.total : {};", c_.target == Target::cuda ? 16 : 1);
        out_.line("if (kernel_seconds != nullptr) run.memory.begin_timing();");
        out_.open("do");
        out_.line(
            "if (const int status = run.advance(std::min(run.total, run.done + piece)); status != 0) return status;");
        out_.line("if (progress == nullptr || run.total == 0) continue;");
        out_.line("run.memory.synchronise();");
        out_.line("if (progress(user, run.done, run.total) != 0) return kasc_fail(4, \"stopped\");");
        out_.close(" while (run.done < run.total);");
        out_.line("if (kernel_seconds != nullptr) *kernel_seconds = run.memory.end_timing();");
        out_.line("return run.deliver();");
        out_.close();
        out_.blank();
    }

    void launch() {
        open_with_run("launch", ", void *stream", "stream", "run.prepare()");
        out_.line("if (const int status = run_whole(run, progress, user, kernel_seconds); status != 0) return status;");
        out_.line("if (kernel_seconds != nullptr) run.memory.synchronise();");
        out_.line("return run.memory.status();");
        out_.close();
        out_.blank();
    }

    void compute() {
        open_with_run("compute", "", "nullptr", "prepare_on_host(run)");
        out_.line("return run_whole(run, progress, user, kernel_seconds);");
        out_.close();
        out_.blank();
    }

    /// Opens a function that makes a run of all iterations and prepares it.
    void open_with_run(const std::string& name, const char* parameter, const char* stream, const char* prepare) {
        const std::string head = fmt::format("extern \"C\" int {}_{}(", c_.prefix, name);
        out_.line("{}const {}_arguments *arguments{}, {}_progress progress,", head, c_.program.name, parameter,
                  c_.program.name);
        out_.open("{}void *user, double *kernel_seconds)", std::string(head.size(), ' '));
        out_.line("{}_run run(*arguments, {});", c_.prefix, stream);
        out_.line("if (const int status = {}; status != 0) return status;", prepare);
    }

    // ---- a run in pieces ---------------------------------------------------------------------------------------

    void pieces() {
        begin("begin", ", void *stream", "stream", "made->prepare()");
        begin("begin_on_host", "", "nullptr", "prepare_on_host(*made)");
        out_.open("extern \"C\" int {0}_advance({0}_run *run, long long iterations, double *kernel_seconds)",
                  c_.prefix);
        out_.line("const long long left = run->total - run->done;");
        out_.line("const long long until = iterations < 0 || iterations > left ? run->total : run->done + iterations;");
        out_.line("if (kernel_seconds != nullptr) run->memory.begin_timing();");
        out_.line("const int status = run->advance(until);");
        out_.line("if (kernel_seconds != nullptr) *kernel_seconds = run->memory.end_timing();");
        out_.line("return status != 0 ? status : run->memory.status();");
        out_.close();
        out_.blank();
        simple("int", "wait", "{}", {"run->memory.synchronise();", "return run->memory.status();"});
        simple("long long", "done", "const {}", {"return run->done;"});
        simple("long long", "total", "const {}", {"return run->total;"});
        simple(
            "int", "finish", "{}",
            {"if (const int status = run->advance(run->total); status != 0) return status;", "return run->deliver();"});
        simple("void", "end", "{}", {"delete run;"});
        state();
        simple("int", "seek", "{}, long long iteration", {"return run->seek(iteration);"});
        windows();
    }

    void begin(const char* name, const char* parameter, const char* stream, const char* prepare) {
        out_.open("extern \"C\" int {0}_{1}(const {0}_arguments *arguments{2}, {0}_run **run)", c_.prefix, name,
                  parameter);
        out_.line("auto made = std::make_unique<{}_run>(*arguments, {});", c_.prefix, stream);
        out_.line("const int status = {};", prepare);
        out_.line("*run = status == 0 ? made.release() : nullptr;");
        out_.line("return status;");
        out_.close();
        out_.blank();
    }
    /// `parameters` begin with the run.
    void simple(const char* type, const char* name, const char* parameters, const std::vector<std::string>& body) {
        out_.open("extern \"C\" {} {}_{}({})", type, c_.prefix, name,
                  fmt::format(fmt::runtime(parameters), c_.prefix + "_run *run"));
        for (const std::string& line : body) out_.line("{}", line);
        out_.close();
        out_.blank();
    }

    void state() {
        out_.open("extern \"C\" int {0}_state(const {0}_run *run, int index, {0}_array *array)", c_.prefix);
        out_.line("const std::vector<kasc_live_array> arrays = run->state();");
        out_.line("if (index < 0 || index >= (int)arrays.size()) return 0;");
        out_.line("*array = {{arrays[index].name, arrays[index].type, arrays[index].words}};");
        out_.line("return 1;");
        out_.close();
        out_.blank();
        for (const char* way : {"read", "write"}) {
            const bool read = std::string(way) == "read";
            out_.open("extern \"C\" int {0}_{1}_state({0}_run *run, int index, {2}void *values)", c_.prefix, way,
                      read ? "" : "const ");
            out_.line("const std::vector<kasc_live_array> arrays = run->state();");
            out_.line(
                "if (index < 0 || index >= (int)arrays.size()) return kasc_fail(1, \"the state has no array %d\", "
                "index);");
            out_.line("const kasc_live_array &a = arrays[index];");
            out_.line("return run->memory.{};", read ? "read(values, a.array, 0, a.words, a.word_bytes)"
                                                     : "write(a.array, values, a.words, a.word_bytes)");
            out_.close();
            out_.blank();
        }
    }

    void windows() {
        if (c_.names.series.empty()) return;
        for (const char* way : {"load", "save"}) {
            const bool load = std::string(way) == "load";
            out_.open(
                "extern \"C\" int {0}_{1}({0}_run *run, int series, long long first, long long rows, {2}void *values)",
                c_.prefix, way, load ? "const " : "");
            out_.line("kasc_rows *window = run->window(series);");
            out_.line("if (window == nullptr) return kasc_fail(1, \"series %d has no window\", series);");
            out_.line("return window->{}(run->memory, first, rows, values);", way);
            out_.close();
            out_.blank();
        }
    }
};

}  // namespace

void write_calls(Writer& out, const HostContext& context) { CallPrinter(out, context).print(); }

}  // namespace kasc::emit
