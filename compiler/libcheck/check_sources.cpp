// A unit holds functions, each implementation in a namespace of its own, then one caller a variant:
//
//     namespace f_svmul3_1 { … d_svmul3_1_load_1_3_32_1_s … d_svmul3_1_load_1_3_32_1_r … }
//     void part_0(…) { f_svmul3_1::d_svmul3_1_load_1_3_32_1_s(a[0], a[1], at[0], at[1], at[3]); }
//
// and at its end kasc_trace, which calls part n, and kasc_refer, which calls reference n (see traced_unit.hpp).

#include "libcheck/check_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "emit/kernel_text.hpp"
#include "emit/writer.hpp"
#include "patterns/expression.hpp"

namespace kasc::libcheck {

namespace {

constexpr const char* unit_name = "check.cpp";

/// A part of an implementation and what its constants stand for.
struct Part {
    const DeviceFunction& function;
    std::size_t arrays;
    std::vector<std::pair<std::string, const Pattern*>> constants;  ///< ("APIN0", the pattern), in order
};

Part transfer_part(const Transfer& transfer) { return {transfer.function, 2, {{"APLS", &transfer.pattern}}}; }

Part compute_part(const Implementation& how) {
    Part part{how.compute, how.inputs.size() + 1, {}};
    for (std::size_t k = 0; k < how.inputs.size(); ++k)
        part.constants.emplace_back(fmt::format("APIN{}", k), &how.inputs[k]);
    part.constants.emplace_back("APOUT", &how.output);
    return part;
}

class UnitWriter {
public:
    UnitWriter(const Library& library, std::size_t unit) : unit_(unit) {
        out_.line("// Functions of a library over traced pointers, made by kasc check-lib.");
        out_.line("#include \"kasc_checking.hpp\"");
        out_.blank();
        out_.line("namespace {{");
        for (const StreamType& type : library.types) out_.line("typedef kasc_pointer {};", type.name);
        out_.blank();
    }

    FunctionPlace add(const Function& function, const CheckedFunction& checked) {
        FunctionPlace place;
        place.unit = unit_;
        if (function.reference) place.reference = reference(function);
        for (const CheckedImplementation& how : checked.implementations)
            place.parts.push_back(implementation(function.implementations[how.number], how));
        return place;
    }

    std::string finish() {
        out_.line("}}  // namespace");
        out_.blank();
        table("kasc_parts", "void (*const {}[])(const kasc_pointer *, const int *)", "part", parts_);
        table("kasc_references", "void (*const {}[])(const float *const *, float *)", "reference", references_);
        out_.raw_line(entry);
        return out_.take();
    }

private:
    emit::Writer out_;
    std::size_t unit_;
    int parts_ = 0, references_ = 0;
    std::vector<std::string> calls_;  ///< of the implementation that is being written

    static constexpr const char* entry =
        "struct kasc_traced_array {\n"
        "    float *data;\n"
        "    long long words;\n"
        "    void *user;\n"
        "};\n"
        "extern \"C\" void kasc_trace(int part, const int *at, const kasc_traced_array *arrays, int count,\n"
        "                           void (*touch)(void *user, long long word, int writes)) {\n"
        "    std::vector<kasc_region> regions((size_t)count);\n"
        "    std::vector<kasc_pointer> pointers((size_t)count);\n"
        "    for (size_t i = 0; i < regions.size(); ++i) {\n"
        "        regions[i].data = arrays[i].data;\n"
        "        regions[i].words = arrays[i].words;\n"
        "        regions[i].touch = touch;\n"
        "        regions[i].user = arrays[i].user;\n"
        "        pointers[i] = kasc_pointer(&regions[i], 0, arrays[i].words);\n"
        "    }\n"
        "    kasc_parts[part](pointers.data(), at);\n"
        "}\n"
        "extern \"C\" void kasc_refer(int reference, const float *const *arguments, float *result) {\n"
        "    kasc_references[reference](arguments, result);\n"
        "}";

    void table(const std::string& name, const char* declaration, const char* entries, int count) {
        out_.line("{} = {{", fmt::format(fmt::runtime(declaration), name));
        for (int i = 0; i < count; ++i) out_.line("    {}_{},", entries, i);
        out_.line("    nullptr}};");
    }

    /// The author's text behind a #line, so that the compiler names the library's own line wherever the text is used
    /// from.
    void authors_text(const Span& made, const std::string& text) {
        const Span span = as_given(made);
        if (span.source)
            out_.raw_line(fmt::format("#line {} \"{}\"", line_column(*span.source, span.begin).line,
                                      std::filesystem::path(span.source->name).filename().string()));
        out_.raw_line(text);
        out_.raw_line(fmt::format("#line {} \"{}\"", out_.next_line() + 1, unit_name));
        out_.blank();
    }

    int reference(const Function& function) {
        const std::string space = "r_" + function.name;
        out_.open("namespace {}", space);
        authors_text(function.reference->span, function.reference->text);
        out_.close();
        std::string arguments;
        for (std::size_t k = 0; k < function.arguments.size(); ++k) arguments += fmt::format("a[{}], ", k);
        out_.line("void reference_{}(const float *const *a, float *r) {{ {}::cpu_{}({}r); }}", references_, space,
                  function.name, arguments);
        return references_++;
    }

    std::vector<BlockParts> implementation(const Implementation& how, const CheckedImplementation& checked) {
        const std::string space = "f_" + how.name;
        out_.open("namespace {}", space);
        for (const Macro& macro : how.macros) authors_text(macro.span, macro.text);
        for (const DeviceFunction& helper : how.helpers) authors_text(helper.span, emit::traced_text(helper.text));
        std::vector<BlockParts> blocks;
        for (const EnumeratedImplementation& block : checked.blocks) blocks.push_back(block_parts(how, block.block));
        for (const Macro& macro : how.macros)
            if (const std::string name = emit::macro_name(macro.text); !name.empty()) out_.raw_line("#undef " + name);
        out_.close();
        for (const std::string& call : calls_)
            out_.line("void part_{}(const kasc_pointer *a, const int *at) {{ {}::{}; }}", parts_++, space, call);
        calls_.clear();
        out_.blank();
        return blocks;
    }

    BlockParts block_parts(const Implementation& how, const BlockShape& block) {
        kernel::FunctionVariant at_block;
        const std::vector<std::string> dimensions = patterns::dimension_names(how.name);
        for (std::size_t d = 0; d < dimensions.size(); ++d)
            at_block.macros.emplace_back(dimensions[d], std::to_string(block[d]));
        at_block.name = fmt::format("_{}_{}_{}_", block[0], block[1], block[2]);
        BlockParts parts;
        for (const Transfer& load : how.loads) parts.loads.push_back(variants(transfer_part(load), at_block));
        parts.save = variants(transfer_part(how.save), at_block);
        parts.compute = variants(compute_part(how), at_block);
        return parts;
    }

    PartVariants variants(const Part& part, const kernel::FunctionVariant& at_block) {
        const bool may = std::any_of(part.constants.begin(), part.constants.end(),
                                     [](const auto& constant) { return !constant.second->noreg; });
        PartVariants both;
        both.shared = variant(part, at_block, false);
        if (may) both.registers = variant(part, at_block, true);
        return both;
    }

    int variant(const Part& part, kernel::FunctionVariant v, bool registers) {
        v.function = part.function;
        v.author_name = part.function.name;
        v.name = v.author_name + v.name;
        for (const auto& [macro, pattern] : part.constants) {
            const bool in_registers = registers && !pattern->noreg;
            v.name += in_registers ? 'r' : 's';
            v.macros.emplace_back(macro, in_registers ? "0" : "(" + pattern->start + ")");
        }
        emit::write_checked_function(out_, v, unit_name, emit::Target::cpu_checking);
        std::string call = v.name + "(";
        for (std::size_t k = 0; k < part.arrays; ++k) call += fmt::format("{}a[{}]", k == 0 ? "" : ", ", k);
        for (const Coordinate c : part.function.coordinates) call += fmt::format(", at[{}]", static_cast<int>(c));
        calls_.push_back(call + ")");
        return parts_ + static_cast<int>(calls_.size()) - 1;
    }
};

/// What a function costs to compile: its text times its blocks.
std::size_t cost(const Function& function, const CheckedFunction& checked) {
    std::size_t bytes = 1;
    for (const CheckedImplementation& c : checked.implementations) {
        const Implementation& how = function.implementations[c.number];
        std::size_t text = how.compute.text.size() + how.save.function.text.size();
        for (const Transfer& load : how.loads) text += load.function.text.size();
        bytes += text * c.blocks.size();
    }
    return bytes;
}

}  // namespace

CheckSources check_sources(const Library& library, const CheckPlan& plan, std::size_t units) {
    std::size_t total = 0, done = 0;
    for (const CheckedFunction& f : plan) total += cost(library.functions[f.function], f);
    CheckSources sources;
    std::optional<UnitWriter> writer;
    for (const CheckedFunction& f : plan) {
        if (!writer) writer.emplace(library, sources.units.size());
        sources.functions.push_back(writer->add(library.functions[f.function], f));
        done += cost(library.functions[f.function], f);
        if (done * units >= total * (sources.units.size() + 1)) {
            sources.units.push_back(writer->finish());
            writer.reset();
        }
    }
    if (writer) sources.units.push_back(writer->finish());
    return sources;
}

}  // namespace kasc::libcheck
