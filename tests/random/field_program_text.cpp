#include <fmt/format.h>
#include <fmt/ranges.h>

#include <regex>
#include <set>

#include "random/field_program.hpp"

namespace kasc::random {

namespace {

/// Or a branch.
bool is_loop(const FieldLine& line) {
    return line.text.starts_with("for ") || line.text.starts_with("while ") || line.text.starts_with("if ") ||
           line.text == "else";
}

/// One of four lines stands in a procedure that is called in its place: drawn by the line alone, so that a program has
/// one text.
bool is_in_procedure(const FieldLine& line) {
    unsigned sum = 0;
    for (const char c : line.text) sum += static_cast<unsigned char>(c);
    return sum % 4 == 0;
}

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

/// All iterations are the program's: none of them is left out for what it computes.
bool runs_as_often_as_said(const FieldLine& line) {
    return line.text.starts_with("for ") && line.text.find("&&") == std::string::npos;
}

/// The fields that some line assigns; `certainly`: a line that is in no branch, and in no loop that cells or numbers
/// end.
std::set<std::string> assigned(const std::vector<FieldLine>& lines, bool certainly) {
    std::set<std::string> names;
    for (const FieldLine& line : lines) {
        if (!is_loop(line)) {
            const std::string text = of_cells(line.text);
            names.insert(text.substr(0, text.find_first_of(" [.")));
        } else if (!certainly || runs_as_often_as_said(line)) {
            names.merge(assigned(line.body, certainly));
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

/// "u_x, u_y, u_z"
std::string listed_words(const RandomField& field) {
    if (field.cell.is_number()) return field.name;
    return either(field.name,
                  {fmt::format("{}", fmt::join(by_words(named(field.name, field.cell), field.cell), ", "))});
}

/// The texts of cells and of words.
std::string both_texts(const FieldProgram& program) {
    std::vector<std::string> inputs, outputs;
    const std::set<std::string> somewhere = assigned(program.lines, false), certainly = assigned(program.lines, true);
    for (const RandomField& f : program.fields) {
        if (f.input) inputs.push_back(listed_words(f));
        // What no iteration assigns of a series is zero.
        const bool has_value = f.input || f.is_series();
        if ((has_value ? somewhere : certainly).contains(f.name)) outputs.push_back(listed_words(f));
    }
    for (const RandomField& f : program.fields) {
        if (outputs.empty() && f.name == "A") outputs.push_back(listed_words(f));
    }
    std::string procedures, text = fmt::format("input {};\n", fmt::join(inputs, ", "));
    for (std::size_t k = 0; k < program.lines.size(); ++k) {
        const bool called = is_in_procedure(program.lines[k]);
        if (called) procedures += fmt::format("procedure part_{}() {{\n", k);
        write(called ? procedures : text, {program.lines[k]}, called ? 1 : 0);
        if (called) procedures += "}\n";
        if (called) text += fmt::format("part_{}();\n", k);
    }
    text = program.declarations + procedures + text;
    return text + fmt::format("return {};\n", fmt::join(outputs, ", "));
}

/// The axis x is called `elements`, words of cells keep their names: "e.x[x + 1]" → "e.x[elements + 1]".
std::string with_elements(const std::string& text) {
    static const std::regex axis("(^|[^A-Za-z0-9_.])x(?![A-Za-z0-9_])");
    return std::regex_replace(text, axis, "$1elements");
}

/// "vector3 A[elements] boundary …;" → "vector3 A boundary …;": a type of numbers alone needs the axis.
std::string as_streams(std::string text, const std::vector<RandomField>& fields) {
    for (const RandomField& f : fields) {
        const std::string declared = fmt::format("\n{} {}[elements]", f.cell.type, f.name);
        const std::size_t at = f.cell.is_number() ? std::string::npos : text.find(declared);
        if (at != std::string::npos) text.erase(at + declared.size() - 10, 10);
    }
    return text;
}

}  // namespace

std::string text_of(const FieldProgram& program) {
    const std::string text = of_cells(both_texts(program));
    return program.streams ? as_streams(with_elements(text), program.fields) : text;
}

std::string text_by_words(const FieldProgram& program) {
    const std::string text = by_word(both_texts(program), 0);
    return program.streams ? with_elements(text) : text;
}

bool drop_line(FieldProgram& program, std::size_t k) { return drop(program.lines, k); }

}  // namespace kasc::random
