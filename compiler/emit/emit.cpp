#include "emit/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "emit/butterflies.hpp"
#include "emit/files.hpp"
#include "emit/host_context.hpp"
#include "emit/order_text.hpp"
#include "emit/transform_text.hpp"
#include "plan/capture.hpp"

namespace kasc::emit {

namespace {

const char* support_header(Target target) {
    switch (target) {
        case Target::cuda:
            return "kasc_device.cuh";
        case Target::cpu:
            return "kasc_cpu.hpp";
        case Target::cpu_checking:
            return "kasc_checking.hpp";
    }
    throw std::logic_error("a target without a support header");
}

/// What the one that emitted code includes includes in turn.
std::vector<std::string> support_headers(Target target) {
    std::vector<std::string> names{support_header(target), "kasc_integers.hpp", "kasc_half.h", "kasc_quotients.hpp",
                                   "kasc_random.hpp"};
    if (target == Target::cuda) names.emplace_back("kasc_vectors.cuh");
    if (target == Target::cpu) names.insert(names.end(), {"kasc_planes.hpp", "kasc_rooms.hpp"});
    if (target == Target::cpu_checking) names.emplace_back("kasc_checking_access.hpp");
    return names;
}

/// The CPU reference of a field program: its unfused plan, printed for the CPU, in one file.
void add_field_reference(const EmitRequest& request, const InterfaceNames& names, std::vector<EmittedFile>& files) {
    const std::string prefix = request.program.name + "_reference", kernels = prefix + "_kernels.hpp";
    files.push_back({kernels, kernels_text(*request.reference, prefix, support_header(Target::cpu), Target::cpu)});
    files.push_back({prefix + ".cpp", host_side_text(request.program_as_written(), request.library, *request.reference,
                                                     names, prefix, kernels, Target::cpu)});
}

std::vector<std::string> libraries_of(const Program& program, const HostPlan& plan, Target target) {
    std::vector<std::string> names;
    const std::vector<Precision> precisions = transform_precisions(program);
    if (target == Target::cuda) {
        if (!precisions.empty()) names.emplace_back("cufft");
        if (!stored_kernels(plan).empty()) names.emplace_back("nvrtc");
        return names;
    }
    for (const Precision p : precisions) {
        names.emplace_back(p == Precision::dual ? "fftw3" : "fftw3f");
    }
    return names;
}

std::vector<std::string> reference_libraries(const EmitRequest& request) {
    if (request.reference == nullptr) return {};
    return libraries_of(request.program_as_written(), *request.reference, Target::cpu);
}

}  // namespace

Outcome<EmittedFile> data_file(const std::string& folder, const std::string& name) {
    std::ifstream in(std::filesystem::path(folder) / name, std::ios::binary);
    std::stringstream text;
    if (!in || !(text << in.rdbuf())) {
        Diagnostic d;
        d.code = "K0602";
        d.message = "cannot read " + name + " of kasc's own data";
        d.help = "the installation is incomplete: install kasc again, or point KASC_DATA to its share folder";
        return failure<EmittedFile>(d);
    }
    return success(EmittedFile{name, text.str()});
}

Outcome<std::vector<EmittedFile>> support_files(const std::string& folder, Target target) {
    std::vector<EmittedFile> files;
    for (const std::string& name : support_headers(target)) {
        auto file = data_file(folder, name);
        if (!file) return failure<std::vector<EmittedFile>>(file.diagnostics);
        files.push_back(*file);
    }
    return success(std::move(files));
}

Outcome<EmittedModule> emit_module(const EmitRequest& request) {
    const bool cuda = request.target == Target::cuda;
    const std::vector<Precision> transforms = transform_precisions(request.program);
    const bool orders = orders_lists(request.program);
    EmittedModule module;
    const std::string name = request.program.name + "_module";
    if (cuda) {
        for (std::string& text : module_texts(request.plan, request.program.name, request.blocks))
            module.units.push_back({fmt::format("{}_{}.cu", name, module.units.size()), std::move(text)});
    } else {
        module.units.push_back({name + ".cpp", cpu_module_text(request.plan, transforms, orders)});
    }
    if (cuda && orders) module.units.push_back({name + "_orders.cu", orders_module_text()});
    if (cuda) module.at_store = at_store_text(request.plan);
    if (!cuda) module.libraries = libraries_of(request.program, request.plan, request.target);
    std::vector<std::string> headers = support_headers(request.target);
    if (!cuda) headers.emplace_back("kasc_crew.hpp");
    if (!cuda && !transforms.empty()) headers.emplace_back("kasc_transforms.hpp");
    if (orders) headers.emplace_back(cuda ? "kasc_order_kernels.cuh" : "kasc_orders.hpp");
    if (has_butterflies(request.plan)) headers.emplace_back("kasc_butterflies.hpp");
    for (const std::string& header : headers) {
        auto file = data_file(request.support_folder, header);
        if (!file) return failure<EmittedModule>(file.diagnostics);
        module.headers.push_back(*file);
    }
    return success(std::move(module));
}

Outcome<EmittedCode> emit_code(const EmitRequest& request) {
    const std::string& p = request.program.name;
    const InterfaceNames names = interface_names(request.program);
    const bool cuda = request.target == Target::cuda;
    const std::string kernels = p + (cuda ? "_kernels.cuh" : "_kernels.hpp");

    EmittedCode code{{},
                     {p + "_entry.cpp", entry_text(request.program, names, p)},
                     {p + "_reference_entry.cpp", entry_text(request.program, names, p + "_reference")},
                     libraries_of(request.program, request.plan, request.target),
                     reference_libraries(request)};
    std::vector<EmittedFile>& files = code.files;
    files.push_back({p + ".h", header_text(request.program, request.library, request.plan, names, request.target)});
    files.push_back({kernels, kernels_text(request.plan, p, support_header(request.target), request.target)});
    files.push_back({p + (cuda ? ".cu" : ".cpp"), host_side_text(request.program, request.library, request.plan, names,
                                                                 p, kernels, request.target)});
    if (request.emitted == Emitted::folder) {
        if (request.reference != nullptr) {
            add_field_reference(request, names, files);
        } else {
            files.push_back({p + "_reference.cpp", stream_reference_text(request.program, request.library, names)});
        }
        files.push_back({p + "_main.cpp", main_text(request, names)});
        files.push_back({"CMakeLists.txt", build_file_text(request, code)});
    }

    std::vector<std::string> support_names{"kasc_calls.hpp"};
    const bool refers_to_pieces = request.reference != nullptr && has_pieces(request.program_as_written());
    if (has_pieces(request.program) || refers_to_pieces) support_names.emplace_back("kasc_pieces.hpp");
    if (cuda && has_rest(request.plan)) support_names.emplace_back("kasc_few.cuh");
    std::vector<Target> support{request.target};
    if (request.reference != nullptr && request.target != Target::cpu) support.push_back(Target::cpu);
    for (const Target target : support) {
        auto headers = support_files(request.support_folder, target);
        if (!headers) return failure<EmittedCode>(headers.diagnostics);
        std::copy_if(headers->begin(), headers->end(), std::back_inserter(files), [&](const EmittedFile& header) {
            return std::none_of(files.begin(), files.end(),
                                [&](const EmittedFile& f) { return f.name == header.name; });
        });
    }
    if (has_butterflies(request.plan)) support_names.emplace_back("kasc_butterflies.hpp");
    const bool crew = std::find(support.begin(), support.end(), Target::cpu) != support.end();
    if (cuda && has_graphs(request.plan)) support_names.push_back("kasc_graphs.cuh");
    if (cuda && !stored_kernels(request.plan).empty()) support_names.push_back("kasc_at_store.cuh");
    const bool transforms = !transform_precisions(request.program).empty();
    const bool referred = request.reference != nullptr && !transform_precisions(request.program_as_written()).empty();
    if (transforms && cuda) support_names.push_back("kasc_transforms.cuh");
    if ((transforms && !cuda) || referred) support_names.push_back("kasc_transforms.hpp");
    const bool orders = orders_lists(request.program);
    const bool refers_to_orders = request.reference != nullptr && orders_lists(request.program_as_written());
    if (orders && cuda) support_names.insert(support_names.end(), {"kasc_orders.cuh", "kasc_order_kernels.cuh"});
    if ((orders && !cuda) || refers_to_orders) support_names.push_back("kasc_orders.hpp");
    if (crew || (transforms && !cuda) || referred) support_names.push_back("kasc_crew.hpp");
    for (const std::string& name : support_names) {
        auto file = data_file(request.support_folder, name);
        if (!file) return failure<EmittedCode>(file.diagnostics);
        files.push_back(*file);
    }
    return success(std::move(code));
}

}  // namespace kasc::emit
