#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "random/field_program.hpp"

namespace kasc::random {

namespace {

bool is_loop(const FieldLine& line) { return line.text.starts_with("for "); }

void write(std::string& text, const std::vector<FieldLine>& lines, std::size_t depth) {
    for (const FieldLine& line : lines) {
        text += std::string(4 * depth, ' ') + line.text;
        if (is_loop(line)) {
            text += " {\n";
            write(text, line.body, depth + 1);
            text += std::string(4 * depth, ' ') + "}";
        }
        text += "\n";
    }
}

/// The fields that some line assigns; `certainly`: a line that is in no loop.
std::set<std::string> assigned(const std::vector<FieldLine>& lines, bool certainly) {
    std::set<std::string> names;
    for (const FieldLine& line : lines) {
        if (!is_loop(line)) {
            names.insert(line.text.substr(0, line.text.find_first_of(" [")));
        } else if (!certainly) {
            names.merge(assigned(line.body, false));
        }
    }
    return names;
}

bool drop(std::vector<FieldLine>& lines, std::size_t& k) {
    for (auto it = lines.begin(); it != lines.end(); ++it) {
        if (k-- == 0) {
            lines.erase(it);
            return true;
        }
        if (drop(it->body, k)) return true;
    }
    return false;
}

}  // namespace

std::string text_of(const FieldProgram& program) {
    std::vector<std::string> inputs, outputs;
    const std::set<std::string> somewhere = assigned(program.lines, false), certainly = assigned(program.lines, true);
    for (const RandomField& f : program.fields) {
        if (f.input) inputs.push_back(f.name);
        if (is_complex(f.type)) continue;
        const bool has_value = f.input || f.axes.back() == "t";  // what no iteration assigns of a series is zero
        if ((has_value ? somewhere : certainly).contains(f.name)) outputs.push_back(f.name);
    }
    if (outputs.empty()) outputs.push_back("A");
    std::string text = program.declarations + fmt::format("input {};\n", fmt::join(inputs, ", "));
    write(text, program.lines, 0);
    return text + fmt::format("return {};\n", fmt::join(outputs, ", "));
}

bool drop_line(FieldProgram& program, std::size_t k) { return drop(program.lines, k); }

}  // namespace kasc::random
