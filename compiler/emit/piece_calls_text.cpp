// The header's functions that run a prepared program in pieces.
#include "emit/files.hpp"
#include "emit/host_context.hpp"

namespace kasc::emit {

namespace {

class PieceCallPrinter {
public:
    PieceCallPrinter(Writer& out, const HostContext& context) : out_(out), c_(context) {}

    void print() {
        begin();
        advance();
        call("wait", "", {}, {"prepared->memory.synchronise();", "return prepared->memory.status();"});
        count("done");
        count("total");
        finish();
        state();
        move_state("read", "void", "read(values, a.array, 0, a.words, a.word_bytes)");
        move_state("write", "const void", "write(a.array, values, a.words, a.word_bytes)");
        call("seek", ", long long iteration", {}, {begun, "return prepared->run.seek(iteration);"});
        if (c_.names.series.empty()) return;
        window("load", "const void");
        window("save", "void");
    }

private:
    Writer& out_;
    const HostContext& c_;
    static constexpr const char* begun = "if (prepared->run.part < 0) return kasc_fail(1, \"no run has begun\");";

    void call(const char* name, const std::string& parameters, const std::vector<std::string>& pointers,
              const std::vector<std::string>& body) {
        open_call(out_, c_, name, parameters, pointers);
        for (const std::string& line : body) out_.line("{}", line);
        close_call(out_);
    }
    void begin() {
        call("begin", fmt::format(", const {}_arguments *arguments", c_.prefix), {"arguments"},
             {"if (const int status = prepared->memory.enter(); status != 0) return status;",
              "return prepared->run.begin(*arguments);"});
    }
    void advance() {
        call("advance", ", long long iterations, double *kernel_seconds", {},
             {begun, "auto &run = prepared->run;", "kasc_memory &memory = prepared->memory;",
              "const long long left = run.total - run.done;",
              "const long long until = iterations < 0 || iterations > left ? run.total : run.done + iterations;",
              "if (kernel_seconds != nullptr) memory.begin_timing();", "const int status = run.advance(until);",
              "if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();",
              "return status != 0 ? status : memory.status();"});
    }
    void count(const char* name) {
        out_.line("KASC_API long long {0}_{1}(const {0}_prepared *prepared)", c_.prefix, name);
        out_.open_block();
        out_.line("if (prepared == nullptr) return kasc_null(\"prepared\"), -1;");
        out_.line("return prepared->run.{};", name);
        out_.close();
        out_.blank();
    }
    void finish() {
        call("finish", "", {},
             {begun, "auto &run = prepared->run;",
              "if (const int status = run.advance(run.total); status != 0) return status;", "return run.deliver();"});
    }

    void state() {
        call("state", fmt::format(", int index, {}_array *array", c_.prefix), {"array"},
             {"*array = {nullptr, 0, 0};", "const std::vector<kasc_live_array> arrays = prepared->run.state();",
              "if (index < 0) return kasc_fail(1, \"the state has no array %d\", index);",
              "if (index < (int)arrays.size()) *array = {arrays[index].name, arrays[index].type, arrays[index].words};",
              "return 0;"});
    }
    void move_state(const std::string& way, const std::string& type, const std::string& move) {
        call(
            (way + "_state").c_str(), fmt::format(", int index, {} *values", type), {"values"},
            {"const std::vector<kasc_live_array> arrays = prepared->run.state();",
             "if (index < 0 || index >= (int)arrays.size()) return kasc_fail(1, \"the state has no array %d\", index);",
             "const kasc_live_array &a = arrays[index];", fmt::format("return prepared->memory.{};", move)});
    }
    void window(const std::string& way, const std::string& type) {
        call(way.c_str(), fmt::format(", int series, long long first, long long rows, {} *values", type), {},
             {begun, "kasc_rows *window = prepared->run.window(series);",
              "if (window == nullptr) return kasc_fail(1, \"series %d has no window\", series);",
              fmt::format("if (values == nullptr{}) return kasc_null(\"values\");", way == "load" ? is_input() : ""),
              fmt::format("return window->{}(prepared->memory, first, rows, values);", way)});
    }
    /// A condition on the series' number: it is an input. An output begins as zeros, so that nothing of it has to be
    /// loaded.
    [[nodiscard]] std::string is_input() const {
        std::string any;
        for (std::size_t i = 0; i < c_.names.series.size(); ++i) {
            if (c_.names.series[i].series.input) any += fmt::format("{}series == {}", any.empty() ? "" : " || ", i);
        }
        return " && " + (any.empty() ? "false" : "(" + any + ")");
    }
};

}  // namespace

void write_piece_calls(Writer& out, const HostContext& context) { PieceCallPrinter(out, context).print(); }

}  // namespace kasc::emit
