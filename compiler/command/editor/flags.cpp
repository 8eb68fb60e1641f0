#include "command/editor/flags.hpp"

#include "command/run/flags.hpp"

namespace kasc::command {

void add_format(CLI::App& app, FormatOptions& o) {
    CLI::App* sub = app.add_subcommand("format", "Lay programs out as kasc's examples are");
    sub->add_option("files", o.files, "programs, replaced by their formatted texts; -: standard input to output")
        ->required()
        ->type_name("PROGRAM.kas");
    sub->add_flag("--check", o.check, "change nothing; name what is not formatted, with status 1");
    add_diagnostics(*sub, o.diagnostics);
    sub->footer(
        "Words, signs and comments stay as they are, and so do line breaks and up to one blank line; indentation and "
        "blanks\nare set, 6*T and 6 * T both left as they are. A program with syntax errors is not touched.\n"
        "Example:\n  kasc format heat.kas waves.kas\n  kasc format --check *.kas\n  kasc format - < heat.kas");
}

void add_lsp(CLI::App& app, LspOptions& o) {
    CLI::App* sub = app.add_subcommand("lsp", "Serve an editor, by the Language Server Protocol (docs/editor.md)");
    sub->add_option("--lib", o.libraries, "a folder of elementary functions, beyond kasc's own")
        ->type_name("DIR")
        ->allow_extra_args(false);
    sub->add_option("--device", o.device, "for which costs are predicted: h100, h200, a100, cpu, or a device file")
        ->type_name("NAME|FILE");
    sub->add_option("--set", o.settings, "an option, an extent or a parameter, for all programs; may be repeated")
        ->type_name("name=value")
        ->allow_extra_args(false);
    sub->add_flag("--stdio", o.stdio, "over standard input and output: there is no other way, and editors may say so");
    sub->footer(
        "Editors start it; messages go over standard input and output. It tells what is at fault as one types, what a "
        "name\nmeans, its extents and its access, what a statement's kernel is predicted to cost, goes to definitions, "
        "completes\nnames and formats. editors/vscode is an extension for VS Code.");
}

}  // namespace kasc::command
