#include <algorithm>
#include <set>

#include "emit/butterflies.hpp"
#include "emit/cpu_launch.hpp"
#include "emit/files.hpp"
#include "emit/kernel_text.hpp"
#include "emit/order_text.hpp"
#include "emit/transform_text.hpp"
#include "emit/writer.hpp"

namespace kasc::emit {

namespace {

/// What tells two uses of one device function apart.
std::string identity(const kernel::FunctionVariant& f) {
    std::string key = f.name;
    for (const auto& [macro, value] : f.macros) key += "|" + macro + "=" + value;
    return key;
}

std::vector<kernel::FunctionVariant> functions_of(const HostPlan& plan) {
    std::vector<kernel::FunctionVariant> all;
    std::set<std::string> known;
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            for (const kernel::FunctionVariant& f : k.functions) {
                if (known.insert(identity(f)).second) all.push_back(f);
            }
        }
    }
    return all;
}

void write_functions(Writer& out, const std::vector<kernel::FunctionVariant>& functions, Target target) {
    std::set<std::string> known;
    for (const kernel::FunctionVariant& f : functions) {
        const UsedHelpers helpers = used_helpers(f);
        for (const std::string& macro : helpers.macros) {
            if (known.insert(macro).second) out.raw_line(macro);
        }
        for (const std::string& helper : helpers.functions) {
            if (!known.insert(helper).second) continue;
            out.raw_line(target == Target::cpu_checking ? traced_text(helper) : helper);
            out.blank();
        }
        write_function(out, f, target);
    }
}

void write_stored(Writer& out, const HostPlan& plan, const std::string& prefix) {
    out.line(
        "// What transforms compute as they store: as functions, and as text that cuFFT links into its own kernels.");
    out.line("KASC_AT_STORE({}_at_store,", prefix);
    for (const std::size_t k : stored_kernels(plan)) write_at_store(out, plan.kernels[k].alternatives.front());
    out.line(")");
    out.blank();
}

void write_types_and_functions(Writer& out, const HostPlan& plan, Target target) {
    const std::vector<kernel::FunctionVariant> functions = functions_of(plan);
    if (functions.empty()) return;
    std::set<std::string> types;
    for (const kernel::FunctionVariant& f : functions) types.merge(types_in(f, plan.stream_types));
    if (!types.empty()) out.line("// Types of the library as its functions take them.");
    for (const std::string& type : plan.stream_types) {
        if (!types.contains(type)) continue;
        out.line("typedef {}{};", target == Target::cpu_checking ? "kasc_pointer " : "float *", type);
    }
    if (!types.empty()) out.blank();
    write_functions(out, functions, target);
}

/// Writes all kernels but those that transforms compute as they store.
void write_kernels(Writer& out, const HostPlan& plan, Target target, Blocks blocks = Blocks::all) {
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) {
            if (k.at_store && target == Target::cuda) continue;
            write_kernel(out, k, target, blocks);
            out.blank();
        }
    }
}

}  // namespace

std::string kernels_text(const HostPlan& plan, const std::string& prefix, const std::string& support_header,
                         Target target) {
    Writer out;
    out.line("// Kernels made by kasc.");
    out.line("#pragma once");
    out.blank();
    out.line("#include \"{}\"", support_header);
    if (has_butterflies(plan)) out.line("#include \"kasc_butterflies.hpp\"");
    if (target == Target::cuda && !stored_kernels(plan).empty()) out.line("#include \"kasc_at_store.cuh\"");
    out.blank();
    out.line("namespace {{");
    out.blank();
    write_types_and_functions(out, plan, target);
    write_kernels(out, plan, target);
    if (target == Target::cuda && !stored_kernels(plan).empty()) write_stored(out, plan, prefix);
    out.line("}}  // namespace");
    return out.take();
}

std::string at_store_text(const HostPlan& plan) {
    Writer out;
    for (const std::size_t k : stored_kernels(plan)) write_at_store(out, plan.kernels[k].alternatives.front());
    return out.take();
}

namespace {

/// Consecutive kernels whose texts have about so many characters together: what NVRTC compiles in 0.1 to 0.3 s, of
/// which its start is 0.02. Alternatives of a kernel may be apart: long ones take seconds each.
constexpr std::size_t unit_characters = 4096;

/// What is written of kernels, of some of a plan; its steps are not for them.
std::vector<HostPlan> in_units(const HostPlan& plan) {
    std::vector<HostPlan> units;
    std::size_t size = unit_characters;
    for (const kernel::Lowered& lowered : plan.kernels)
        for (const kernel::Kernel& k : lowered.alternatives) {
            if (size >= unit_characters) {
                units.emplace_back().stream_types = plan.stream_types;
                size = 0;
            }
            units.back().kernels.push_back({{k}});
            Writer out;
            write_kernel(out, k, Target::cuda);
            size += out.take().size();
        }
    return units;
}

/// `write` writes what has its name in code.
template <class Write>
std::string unit_text(const std::string& prefix, Writer before, Write write) {
    Writer out;
    out.line("// Kernels made by kasc.");
    out.line("#include \"kasc_device.cuh\"");
    out.blank();
    out.raw_line(before.take());
    out.line("extern \"C\" {{");
    out.blank();
    write(out);
    out.line("}}  // of {}", prefix);
    return out.take();
}

}  // namespace

std::vector<std::string> module_texts(const HostPlan& plan, const std::string& prefix, Blocks blocks) {
    std::vector<std::string> units;
    for (const HostPlan& part : in_units(plan)) {
        Writer before;
        if (has_butterflies(part)) before.line("#include \"kasc_butterflies.hpp\"");
        write_types_and_functions(before, part, Target::cuda);
        units.push_back(
            unit_text(prefix, std::move(before), [&](Writer& out) { write_kernels(out, part, Target::cuda, blocks); }));
    }
    const auto stored = stored_kernels(plan);
    if (stored.empty()) return units;
    Writer before;
    before.line("#define KASC_EXTENT(axis, value) value");
    before.raw_line(at_store_text(plan));
    units.push_back(unit_text(prefix, std::move(before), [&](Writer& out) {
        for (const std::size_t k : stored) write_beside_store(out, plan.kernels[k].alternatives.front());
    }));
    return units;
}

std::string orders_module_text() {
    Writer out;
    out.line("// Orders of lists by cell.");
    out.line("#include \"kasc_order_kernels.cuh\"");
    return out.take();
}

std::string cpu_module_text(const HostPlan& plan, const std::vector<Precision>& transforms, bool orders) {
    Writer out;
    out.line("// Kernels made by kasc.");
    out.line("#include \"kasc_cpu.hpp\"");
    for (const Precision p : transforms) out.line("#define KASC_FFTW_{}", p == Precision::dual ? "DOUBLE" : "SINGLE");
    if (!transforms.empty()) out.line("#include \"kasc_transforms.hpp\"");
    if (orders) out.line("#include \"kasc_orders.hpp\"");
    out.blank();
    out.line("namespace {{");
    out.blank();
    write_types_and_functions(out, plan, Target::cpu);
    write_kernels(out, plan, Target::cpu);
    out.line("}}  // namespace");
    out.blank();
    for (const kernel::Lowered& lowered : plan.kernels) {
        for (const kernel::Kernel& k : lowered.alternatives) write_cpu_launch(out, k);
    }
    write_cpu_launches(out);
    for (const Precision p : transforms) write_cpu_transforms(out, p);
    if (orders) write_cpu_orders(out);
    return out.take();
}

}  // namespace kasc::emit
