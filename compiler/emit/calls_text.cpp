// The functions of the header (header_file.cpp): over struct <prefix>_prepared (prepared_text.cpp), behind a door that
// refuses NULL and lets no exception out.
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/skeleton.hpp"

namespace kasc::emit {

namespace {

constexpr std::string_view message_skeleton = R"(
KASC_API const char *${p}_message(void)
{
    return kasc_message;
}

)";

constexpr std::string_view prepared_calls_skeleton = R"(
KASC_API int ${p}_prepare(const ${p}_arguments *arguments, void *stream, ${p}_prepared **prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        *prepared = nullptr;
        if (arguments == nullptr) return kasc_null("arguments");
        auto made = std::make_unique<${p}_prepared>(stream);
        if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);
        *prepared = made.release();
        return 0;
    });
}

KASC_API int ${p}_launch(${p}_prepared *prepared, const ${p}_arguments *arguments, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return run_whole(*prepared, *arguments, ${unheard}kernel_seconds);
    });
}

KASC_API int ${p}_release(${p}_prepared *prepared)
{
    return kasc_call([&]() -> int {
        const std::unique_ptr<${p}_prepared> owned(prepared);
        return prepared == nullptr ? 0 : release(*prepared);
    });
}

)";

constexpr std::string_view compute_skeleton = R"(
KASC_API int ${prefix}_compute(const ${p}_arguments *arguments, ${p}_progress${progress}, void *${user}, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (arguments == nullptr) return kasc_null("arguments");
        ${prefix}_prepared prepared(nullptr);
        const int status = compute(prepared, *arguments, ${heard}kernel_seconds);
        return status != 0 ? give_up(prepared, status) : release(prepared);
    });
}

)";

}  // namespace

void write_calls(Writer& out, const HostContext& context) {
    const bool loops = context.has_parts();
    out.lines(filled(message_skeleton, {{"p", context.prefix}}));
    if (!context.is_reference())
        out.lines(
            filled(prepared_calls_skeleton, {{"p", context.prefix}, {"unheard", loops ? "nullptr, nullptr, " : ""}}));
    out.lines(filled(compute_skeleton, {{"prefix", context.prefix},
                                        {"p", context.program.name},
                                        {"progress", loops ? " progress" : ""},
                                        {"user", loops ? "user" : ""},
                                        {"heard", loops ? "progress, user, " : ""}}));
    if (!context.is_reference() && has_pieces(context.program)) write_piece_calls(out, context);
}

}  // namespace kasc::emit
