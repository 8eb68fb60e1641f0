// A run that goes on elsewhere: from a checkpoint, with windows on its series.
#include "emit/run_printer.hpp"

namespace kasc::emit {

void RunPrinter::go_on_elsewhere() {
    seek();
    state();
    if (!series_.empty()) window();
}

void RunPrinter::seek() {
    out_.line("// To the start of an iteration; its state is the caller's to write.");
    out_.open("int {}_run::seek(long long iteration)", c_.prefix);
    if (!loops_.empty()) out_.line("long long first = 0;");
    for (std::size_t k = 0; k < loops_.size(); ++k) {
        const auto& [several, step, from, to, count] = loops_[k];
        out_.line("const long long {} = std::max(0LL, (long long){} - {});", count, to, from);
        out_.open("if (iteration >= first && iteration < first + {})", count);
        out_.line("{} = {} + (int)(iteration - first), part = {}, done = iteration;", index(*step), from, 2 * k + 1);
        out_.line("return 0;");
        out_.close();
        if (k + 1 < loops_.size()) out_.line("first += {};", count);
    }
    out_.line("return kasc_fail(1, \"the run has no iteration %lld of %lld\", iteration, total);");
    out_.close();
    out_.blank();
}

void RunPrinter::state() {
    out_.line("// What an iteration needs of those before it.");
    out_.open("std::vector<kasc_live_array> {}_run::state() const", c_.prefix);
    for (std::size_t k = 0; k < loops_.size(); ++k) {
        if (loops_[k].step->state.empty()) continue;
        out_.open("if (part == {})", 2 * k + 1);
        out_.line("return kasc_live({{");
        for (const StateArray& a : loops_[k].step->state) {
            const VariableId variable = c_.plan.slots[a.slot].variable;
            const CellType type = cell_type_of(c_.program, variable);
            const SeriesSlot* series = series_at(a.slot);
            const std::string words = c_.words(variable);
            const auto rows = c_.rows_apart(a.slot);
            out_.line("    {{\"{}\", {}, {}, {}, sizeof({}){}}},", a.name, static_cast<int>(type), c_.slot(a.slot),
                      series == nullptr ? words : fmt::format("args.{} == 0 ? {} : -1", series->names->rows, words),
                      word(variable), rows ? fmt::format(", {}, {}", rows->words, rows->apart) : "");
        }
        out_.line("}});");
        out_.close();
    }
    out_.line("return {{}};");
    out_.close();
    out_.blank();
}

void RunPrinter::window() {
    out_.line("// Null: there is no such series, or all of it lies in memory.");
    out_.open("kasc_rows *{}_run::window(int series)", c_.prefix);
    for (std::size_t k = 0; k < series_.size(); ++k) {
        out_.line("if (series == {} && args.{} != 0) return &{};", k, series_[k].names->rows, series_[k].names->window);
    }
    out_.line("return nullptr;");
    out_.close();
    out_.blank();
}

}  // namespace kasc::emit
