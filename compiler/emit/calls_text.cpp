// The functions of the header (header_file.cpp): over struct <prefix>_prepared (prepared_text.cpp), behind a door that
// refuses NULL and lets no exception out.
#include "emit/files.hpp"
#include "emit/host_context.hpp"

namespace kasc::emit {

namespace {

void refuse_null(Writer& out, const std::string& pointer) {
    out.line("if ({0} == nullptr) return kasc_null(\"{0}\");", pointer);
}

/// `head`: type, name and parameters.
void open_function(Writer& out, const std::string& head) {
    out.line("KASC_API {}", head);
    out.open_block();
    out.open("return kasc_call([&]() -> int");
}
void close_function(Writer& out) {
    out.close(");");
    out.close();
    out.blank();
}

void message_call(Writer& out, const HostContext& c) {
    out.line("KASC_API const char *{}_message(void)", c.prefix);
    out.open_block();
    out.line("return kasc_message;");
    out.close();
    out.blank();
}

void prepare_call(Writer& out, const HostContext& c) {
    open_function(out, fmt::format("int {0}_prepare(const {0}_arguments *arguments, void *stream, {0}_prepared "
                                   "**prepared)",
                                   c.prefix));
    refuse_null(out, "prepared");
    out.line("*prepared = nullptr;");
    refuse_null(out, "arguments");
    out.line("auto made = std::make_unique<{}_prepared>(stream);", c.prefix);
    out.line("if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);");
    out.line("*prepared = made.release();");
    out.line("return 0;");
    close_function(out);
}

void launch_call(Writer& out, const HostContext& c) {
    open_call(out, c, "launch", fmt::format(", const {}_arguments *arguments, double *kernel_seconds", c.prefix),
              {"arguments"});
    out.line("if (const int status = prepared->memory.enter(); status != 0) return status;");
    out.line("return run_whole(*prepared, *arguments, {}kernel_seconds);", c.has_parts() ? "nullptr, nullptr, " : "");
    close_call(out);
}

void release_call(Writer& out, const HostContext& c) {
    open_function(out, fmt::format("int {0}_release({0}_prepared *prepared)", c.prefix));
    out.line("const std::unique_ptr<{}_prepared> owned(prepared);", c.prefix);
    out.line("return prepared == nullptr ? 0 : release(*prepared);");
    close_function(out);
}

void compute_call(Writer& out, const HostContext& c) {
    const bool loops = c.has_parts();
    open_function(out, fmt::format("int {0}_compute(const {1}_arguments *arguments, {1}_progress{2}, void *{3}, "
                                   "double *kernel_seconds)",
                                   c.prefix, c.program.name, loops ? " progress" : "", loops ? "user" : ""));
    refuse_null(out, "arguments");
    out.line("{}_prepared prepared(nullptr);", c.prefix);
    out.line("const int status = compute(prepared, *arguments, {}kernel_seconds);", loops ? "progress, user, " : "");
    out.line("return status != 0 ? give_up(prepared, status) : release(prepared);");
    close_function(out);
}

}  // namespace

void open_call(Writer& out, const HostContext& context, const std::string& name, const std::string& parameters,
               const std::vector<std::string>& pointers) {
    open_function(out, fmt::format("int {0}_{1}({0}_prepared *prepared{2})", context.prefix, name, parameters));
    refuse_null(out, "prepared");
    for (const std::string& pointer : pointers) refuse_null(out, pointer);
}

void close_call(Writer& out) { close_function(out); }

void write_calls(Writer& out, const HostContext& context) {
    message_call(out, context);
    if (!context.is_reference()) {
        prepare_call(out, context);
        launch_call(out, context);
        release_call(out, context);
    }
    compute_call(out, context);
    if (!context.is_reference() && has_pieces(context.program)) write_piece_calls(out, context);
}

}  // namespace kasc::emit
