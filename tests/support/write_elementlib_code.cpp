// write_elementlib_code FOLDER OUT: the element library as C++ for the emulator of the pattern tests, a namespace a
// function, and a table of all implementations. A function that is added to the library is tested without a line here.
//
//     OUT/elementlib_code.hpp    #define MMUL33_1_BX KASC_BX …  namespace mmul33 { … d_mmul33_1_load_1(…) { … } … }
//     OUT/elementlib_table.hpp   {"mmul33_1", {part(mmul33::d_mmul33_1_load_1), …}, part(…save), part(…compute),
//     reference(…)},
#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "library/library.hpp"

namespace {

using namespace kasc;

std::string in_upper_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

/// What the implementations need besides their parts, once; the reference stands there already.
std::string helpers_of(const Function& function) {
    std::string text;
    std::set<std::string> written{"cpu_" + function.name};
    for (const Implementation& how : function.implementations) {
        for (const Macro& macro : how.macros)
            if (written.insert(macro.text).second) text += macro.text + "\n";
        for (const DeviceFunction& helper : how.helpers)
            if (written.insert(helper.name).second) text += helper.text + "\n";
    }
    return text;
}

std::string code_of(const Function& function) {
    std::string text;
    for (const Implementation& how : function.implementations)
        for (const char* dimension : {"BX", "BY"})
            text += fmt::format("#define {0}_{1} KASC_{1}\n", in_upper_case(how.name), dimension);
    text += fmt::format("namespace {} {{\n{}\n{}", function.name, function.reference->text, helpers_of(function));
    for (const Implementation& how : function.implementations) {
        for (const Transfer& load : how.loads) text += load.function.text + "\n";
        text += how.save.function.text + "\n" + how.compute.text + "\n";
    }
    return text + "}\n";
}

std::string row_of(const Function& function, const Implementation& how) {
    std::string loads;
    for (const Transfer& load : how.loads)
        loads += fmt::format("{}part({}::{})", loads.empty() ? "" : ", ", function.name, load.function.name);
    return fmt::format("{{\"{0}\", {{{1}}}, part({2}::{3}), part({2}::{4}), reference({2}::cpu_{2})}},\n", how.name,
                       loads, function.name, how.save.function.name, how.compute.name);
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) return std::fputs("usage: write_elementlib_code FOLDER OUT\n", stderr), 2;
    const auto library = read_library({words[1]});
    if (!library) return std::fputs(render_text(tidy(library.diagnostics)).c_str(), stderr), 1;
    const std::filesystem::path out = words[2];
    std::ofstream code(out / "elementlib_code.hpp"), table(out / "elementlib_table.hpp");
    for (const StreamType& type : library->types) code << fmt::format("typedef float* {};\n", type.name);
    for (const Function& function : library->functions) {
        code << code_of(function);
        for (const Implementation& how : function.implementations) table << row_of(function, how);
    }
    code.close();
    table.close();
    return code && table ? 0 : 1;
}
