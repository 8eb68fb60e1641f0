// The header's functions that run a prepared program in pieces.
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/skeleton.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view pieces_skeleton = R"(
KASC_API int ${p}_begin(${p}_prepared *prepared, const ${p}_arguments *arguments)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return prepared->run.begin(*arguments);
    });
}

KASC_API int ${p}_advance(${p}_prepared *prepared, long long iterations, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        auto &run = prepared->run;
        kasc_memory &memory = prepared->memory;
        ${whole_call}
        const long long left = run.total - run.done;
        const long long until = iterations < 0 || iterations > left ? run.total : run.done + iterations;
        if (kernel_seconds != nullptr) memory.begin_timing();
        const int status = run.advance(until);
        if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
        return status != 0 ? status : memory.status();
    });
}

KASC_API int ${p}_wait(${p}_prepared *prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        prepared->memory.synchronise();
        return prepared->memory.status();
    });
}

KASC_API long long ${p}_done(const ${p}_prepared *prepared)
{
    if (prepared == nullptr) return kasc_null("prepared"), -1;
    return prepared->run.done;
}

KASC_API long long ${p}_total(const ${p}_prepared *prepared)
{
    if (prepared == nullptr) return kasc_null("prepared"), -1;
    return prepared->run.total;
}

KASC_API int ${p}_finish(${p}_prepared *prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        auto &run = prepared->run;
        ${whole_finish}
        if (const int status = run.advance(run.total); status != 0) return status;
        return run.deliver();
    });
}

KASC_API int ${p}_state(${p}_prepared *prepared, int index, ${p}_array *array)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (array == nullptr) return kasc_null("array");
        *array = {nullptr, 0, 0};
        const std::vector<kasc_live_array> arrays = prepared->run.state();
        if (index < 0) return kasc_fail(1, "the state has no array %d", index);
        if (index < (int)arrays.size()) *array = {arrays[index].name, arrays[index].type, arrays[index].words};
        return 0;
    });
}

KASC_API int ${p}_read_state(${p}_prepared *prepared, int index, void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (values == nullptr) return kasc_null("values");
        const std::vector<kasc_live_array> arrays = prepared->run.state();
        if (index < 0 || index >= (int)arrays.size()) return kasc_fail(1, "the state has no array %d", index);
        return kasc_read_live(prepared->memory, arrays[index], values);
    });
}

KASC_API int ${p}_write_state(${p}_prepared *prepared, int index, const void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (values == nullptr) return kasc_null("values");
        const std::vector<kasc_live_array> arrays = prepared->run.state();
        if (index < 0 || index >= (int)arrays.size()) return kasc_fail(1, "the state has no array %d", index);
        return kasc_write_live(prepared->memory, arrays[index], values);
    });
}

KASC_API int ${p}_seek(${p}_prepared *prepared, long long iteration)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        return prepared->run.seek(iteration);
    });
}

)";

/// An output needs no load: it begins as zeros.
constexpr std::string_view windows_skeleton = R"(
KASC_API int ${p}_load(${p}_prepared *prepared, int series, long long first, long long rows, const void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        kasc_rows *window = prepared->run.window(series);
        if (window == nullptr) return kasc_fail(1, "series %d has no window", series);
        if (values == nullptr && ${is_input}) return kasc_null("values");
        return window->load(prepared->memory, first, rows, values);
    });
}

KASC_API int ${p}_save(${p}_prepared *prepared, int series, long long first, long long rows, void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        kasc_rows *window = prepared->run.window(series);
        if (window == nullptr) return kasc_fail(1, "series %d has no window", series);
        if (values == nullptr) return kasc_null("values");
        return window->save(prepared->memory, first, rows, values);
    });
}

)";

/// A condition on the series' number: it is an input.
std::string is_input(const std::vector<SeriesNames>& series) {
    std::string any;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (series[i].series.input) any += fmt::format("{}series == {}", any.empty() ? "" : " || ", i);
    }
    return any.empty() ? "false" : "(" + any + ")";
}

}  // namespace

void write_piece_calls(Writer& out, const HostContext& context) {
    out.lines(filled(pieces_skeleton, {{"p", context.prefix},
                                       {"whole_call", context.whole_call("memory")},
                                       {"whole_finish", context.whole_call("prepared->memory")}}));
    const std::vector<SeriesNames>& series = context.names.series;
    if (series.empty()) return;
    out.lines(filled(windows_skeleton, {{"p", context.prefix}, {"is_input", is_input(series)}}));
}

}  // namespace kasc::emit
