// struct <prefix>_prepared, and the functions that the header's stand on.
#include <algorithm>

#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "plan/capture.hpp"

namespace kasc::emit {

namespace {

/// Iterations between two reports of progress. Waiting now and then keeps them true and lets a request to stop be
/// heard.
int iterations_of_a_report(Target target) { return target == Target::cuda ? 16 : 1; }

class PreparedPrinter {
public:
    PreparedPrinter(Writer& out, const HostContext& context) : out_(out), c_(context) {}

    void print() {
        // A pointer to it is the caller's; a reference is called whole.
        if (!c_.is_reference()) leave_namespace();
        declare();
        if (!c_.is_reference()) enter_namespace();
        prepare();
        run_whole();
        release();
        compute();
        leave_namespace();
    }

private:
    Writer& out_;
    const HostContext& c_;
    const bool own_stream_ = c_.target == Target::cuda && has_graphs(c_.plan);

    void leave_namespace() {
        out_.line("}}  // namespace");
        out_.blank();
    }
    void enter_namespace() {
        out_.line("namespace {{");
        out_.blank();
    }
    void function(const std::string& name, const std::string& parameters) {
        out_.open("int {}({}_prepared &prepared{})", name, c_.prefix, parameters);
    }
    void close() {
        out_.close();
        out_.blank();
    }
    void unless(const std::string& call) { out_.line("if (const int status = {}; status != 0) return status;", call); }

    void declare() {
        out_.line("// What the header's functions work on.");
        out_.open("struct {}{}_prepared", c_.is_reference() ? "" : "__attribute__((visibility(\"hidden\"))) ",
                  c_.prefix);
        if (own_stream_) out_.line("kasc_stream stream;");
        out_.line("kasc_memory memory;");
        out_.line("{}_{} run;", c_.prefix, c_.has_rest() ? "elements" : "run");
        out_.blank();
        out_.line("explicit {}_prepared(void *given) : {}, run(memory) {{}}", c_.prefix,
                  own_stream_ ? "stream(given), memory(stream.get())" : "memory(given)");
        out_.close(";");
        out_.blank();
    }

    void prepare() {
        function("prepare", fmt::format(", const {}_arguments &given", c_.program.name));
        if (own_stream_) unless("prepared.stream.status()");
        unless("prepared.memory.status()");
        unless("prepared.run.check(given)");
        out_.line("return prepared.run.prepare(given);");
        close();
    }

    void release() {
        function("release", "");
        out_.line("int status = prepared.run.release();");
        out_.line("if (const int failed = prepared.memory.release(); status == 0) status = failed;");
        if (own_stream_) out_.line("if (const int failed = prepared.stream.release(); status == 0) status = failed;");
        out_.line("return status;");
        close();
        function("give_up", ", int status");
        out_.line("const kasc_first_message kept;");
        out_.line("(void)release(prepared);");
        out_.line("return status;");
        close();
    }

    /// Parameters of those who are told how far loops have come.
    [[nodiscard]] std::string of_loops() const {
        return c_.has_parts() ? c_.program.name + "_progress progress, void *user, " : "";
    }
    void run_whole() {
        if (c_.has_parts()) out_.line("// In pieces only where someone asks how far it has come.");
        function("run_whole",
                 fmt::format(", const {}_arguments &given, {}double *kernel_seconds", c_.program.name, of_loops()));
        out_.line("kasc_memory &memory = prepared.memory;");
        out_.line("{}_{} &run = prepared.run;", c_.prefix, c_.has_rest() ? "elements" : "run");
        if (!c_.is_reference()) {
            for (const SeriesNames& s : c_.names.series)
                out_.line("if (given.{0} != 0) return kasc_fail(1, \"{0}: only a run in pieces has windows\");",
                          s.rows);
        }
        unless("run.begin(given)");
        out_.line("if (kernel_seconds != nullptr) memory.begin_timing();");
        if (c_.has_parts()) {
            out_.line("const long long piece = progress == nullptr ? run.total : {};",
                      iterations_of_a_report(c_.target));
            out_.open("do");
            unless("run.advance(std::min(run.total, run.done + piece))");
            out_.line("if (progress == nullptr || run.total == 0) continue;");
            out_.line("memory.synchronise();");
            out_.line("if (memory.status() != 0) return memory.status();");
            out_.line("if (progress(user, run.done, run.total) != 0) return kasc_fail(4, \"stopped\");");
            out_.close(" while (run.done < run.total);");
        } else {
            unless("run.advance()");
        }
        out_.line("if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();");
        out_.line("return run.deliver();");
        close();
    }

    void each_array(const auto& print) {
        for (std::size_t i = 0; i < c_.program.inputs.size(); ++i)
            print(c_.names.inputs[i], c_.program.inputs[i], true);
        for (std::size_t i = 0; i < c_.program.outputs.size(); ++i)
            print(c_.names.outputs[i], c_.program.outputs[i], false);
    }

    void compute() {
        out_.line("// Of arrays in host memory: all there is to a run.");
        function("compute",
                 fmt::format(", const {}_arguments &host, {}double *kernel_seconds", c_.program.name, of_loops()));
        out_.line("kasc_memory &memory = prepared.memory;");
        unless("prepared.run.check(host)");
        each_array(
            [&](const std::string& name, VariableId, bool) { out_.line("memory.present(\"{0}\", host.{0});", name); });
        out_.line("{}_arguments given = host;", c_.program.name);
        each_array([&](const std::string& name, VariableId variable, bool in) {
            out_.line("given.{0} = memory.{1}(\"{0}\", host.{0}, {2});", name, in ? "upload" : "result",
                      c_.words(variable, "host."));
        });
        unless("memory.status()");
        unless("prepare(prepared, given)");
        unless(fmt::format("run_whole(prepared, given, {}kernel_seconds)", c_.has_parts() ? "progress, user, " : ""));
        each_array([&](const std::string& name, VariableId variable, bool in) {
            if (!in) out_.line("memory.download(host.{0}, given.{0}, {1});", name, c_.words(variable, "host."));
        });
        out_.line("memory.synchronise();");
        out_.line("return memory.status();");
        close();
    }
};

}  // namespace

void write_prepared(Writer& out, const HostContext& context) { PreparedPrinter(out, context).print(); }

}  // namespace kasc::emit
