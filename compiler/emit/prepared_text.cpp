// struct <prefix>_prepared, and the functions that the header's stand on.
#include <algorithm>

#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/skeleton.hpp"
#include "plan/capture.hpp"

namespace kasc::emit {

namespace {

/// Iterations between two reports of progress. Waiting now and then keeps them true and lets a request to stop be
/// heard.
int iterations_of_a_report(Target target) { return target == Target::cuda ? 16 : 1; }

/// The struct of a program is the caller's by a pointer, so that it stands outside of unnamed namespaces; that of a
/// reference does not.
constexpr std::string_view prepared_skeleton = R"(
${leave_namespace}
// What the header's functions work on.
struct ${hidden}${prefix}_prepared {
    ${stream_member}
    kasc_memory memory;
    ${run} run;

    explicit ${prefix}_prepared(void *given) : ${members}, run(memory) {}
};

${enter_namespace}
int prepare(${prefix}_prepared &prepared, const ${p}_arguments &given) {
    ${stream_status}
    if (const int status = prepared.memory.status(); status != 0) return status;
    if (const int status = prepared.run.check(given); status != 0) return status;
    return prepared.run.prepare(given);
}

${about_pieces}
int run_whole(${prefix}_prepared &prepared, const ${p}_arguments &given, ${progress_parameters}double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    ${run} &run = prepared.run;
    ${no_windows}
    if (const int status = run.begin(given); status != 0) return status;
    ${whole_call}
    if (kernel_seconds != nullptr) memory.begin_timing();
    ${advance}
    if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
    return run.deliver();
}

int release(${prefix}_prepared &prepared) {
    int status = prepared.run.release();
    if (const int failed = prepared.memory.release(); status == 0) status = failed;
    ${release_stream}
    return status;
}

int give_up(${prefix}_prepared &prepared, int status) {
    const kasc_first_message kept;
    (void)release(prepared);
    return status;
}

// Of arrays in host memory: all there is to a run.
int compute(${prefix}_prepared &prepared, const ${p}_arguments &host, ${progress_parameters}double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    if (const int status = prepared.run.check(host); status != 0) return status;
    ${present}
    ${p}_arguments given = host;
    ${upload}
    if (const int status = memory.status(); status != 0) return status;
    if (const int status = prepare(prepared, given); status != 0) return status;
    if (const int status = run_whole(prepared, given, ${progress}kernel_seconds); status != 0) return status;
    ${download}
    memory.synchronise();
    return memory.status();
}

}  // namespace

)";

/// The loops of a program in pieces, each followed by a report.
constexpr std::string_view advance_in_pieces = R"(
const long long piece = progress == nullptr ? run.total : ${iterations};
do {
    if (const int status = run.advance(std::min(run.total, run.done + piece)); status != 0) return status;
    if (progress == nullptr || run.total == 0) continue;
    memory.synchronise();
    if (memory.status() != 0) return memory.status();
    if (progress(user, run.done, run.total) != 0) return kasc_fail(4, "stopped");
} while (run.done < run.total);)";

std::string advance(const HostContext& c) {
    if (!c.has_parts()) return "if (const int status = run.advance(); status != 0) return status;";
    return filled_part(advance_in_pieces, {{"iterations", std::to_string(iterations_of_a_report(c.target))}});
}

std::string no_windows(const HostContext& c) {
    Lines all;
    if (c.is_reference()) return "";
    for (const SeriesNames& s : c.names.series)
        all.add("if (given.{0} != 0) return kasc_fail(1, \"{0}: only a run in pieces has windows\");", s.rows);
    return all.take();
}

/// Lines on the caller's arrays.
struct ArrayLines {
    std::string present, upload, download;
};
ArrayLines lines_on_arrays(const HostContext& c) {
    Lines present, upload, download;
    const auto add = [&](const std::string& name, VariableId variable, const char* way) {
        present.add("memory.present(\"{0}\", host.{0});", name);
        upload.add("given.{0} = memory.{1}(\"{0}\", host.{0}, {2});", name, way,
                   callers_words_text(c.program, c.library, c.names, variable, "host."));
    };
    for (std::size_t i = 0; i < c.program.inputs.size(); ++i) add(c.names.inputs[i], c.program.inputs[i], "upload");
    for (std::size_t i = 0; i < c.program.outputs.size(); ++i) {
        add(c.names.outputs[i], c.program.outputs[i], "result");
        download.add("memory.download(host.{0}, given.{0}, {1});", c.names.outputs[i],
                     callers_words_text(c.program, c.library, c.names, c.program.outputs[i], "host."));
    }
    return {present.take(), upload.take(), download.take()};
}

}  // namespace

void write_prepared(Writer& out, const HostContext& c) {
    const bool stream = c.target == Target::cuda && has_graphs(c.plan), loops = c.has_parts();
    const ArrayLines arrays = lines_on_arrays(c);
    out.lines(filled(prepared_skeleton,
                     {{"prefix", c.prefix},
                      {"p", c.program.name},
                      {"run", c.prefix + (c.has_rest() ? "_elements" : "_run")},
                      {"leave_namespace", c.is_reference() ? "" : "}  // namespace\n"},
                      {"enter_namespace", c.is_reference() ? "" : "namespace {\n"},
                      {"hidden", c.is_reference() ? "" : "__attribute__((visibility(\"hidden\"))) "},
                      {"stream_member", stream ? "kasc_stream stream;" : ""},
                      {"members", stream ? "stream(given), memory(stream.get())" : "memory(given)"},
                      {"stream_status",
                       stream ? "if (const int status = prepared.stream.status(); status != 0) return status;" : ""},
                      {"release_stream",
                       stream ? "if (const int failed = prepared.stream.release(); status == 0) status = failed;" : ""},
                      {"about_pieces", loops ? "// In pieces only where someone asks how far it has come." : ""},
                      {"progress_parameters", loops ? c.program.name + "_progress progress, void *user, " : ""},
                      {"progress", loops ? "progress, user, " : ""},
                      {"no_windows", no_windows(c)},
                      {"advance", advance(c)},
                      {"whole_call", c.whole_call("memory")},
                      {"present", arrays.present},
                      {"upload", arrays.upload},
                      {"download", arrays.download}}));
}

}  // namespace kasc::emit
