#include "runtime/runs/entry_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <filesystem>

namespace kasc::runtime {

namespace {

int report_progress(void* user, long long done, long long total) {
    const auto& go_on = *static_cast<const std::function<bool(long long, long long)>*>(user);
    return go_on(done, total) ? 0 : 1;
}

Diagnostic not_loaded(const std::string& library, const char* why) {
    Diagnostic d;
    d.code = "K0804";
    d.message = fmt::format("cannot load '{}': {}", library, why == nullptr ? "unknown reason" : why);
    d.help = "does the compiler that $CXX or $CUDACXX names build for this machine?";
    return d;
}

}  // namespace

Diagnostic run_fault(const std::string& program, int code, const std::string& message) {
    Diagnostic d;
    d.code = code >= 1 && code <= 5 ? fmt::format("K081{}", code) : "K0810";
    switch (code) {
        case 1:
            d.message = fmt::format("the input of '{}' is at fault", program);
            break;
        case 2:
            d.message = fmt::format("the device failed while running '{}'", program);
            break;
        case 3:
            d.message = fmt::format("a check of '{}' failed", program);
            break;
        case 4:
            d.message = fmt::format("'{}' was stopped on request", program);
            break;
        case 5:
            d.message = fmt::format("'{}' calls functions that have no reference in the library", program);
            break;
        default:
            d.message = fmt::format("'{}' ended with unknown code {}", program, code);
    }
    if (!message.empty()) d.message += ": " + message;
    return d;
}

Outcome<Entry> load_entry(const std::string& library, const std::string& program) {
    // An absolute path: dlopen would look for a bare name in the system's folders.
    std::error_code error;
    const std::string path = std::filesystem::absolute(library, error).string();
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) return failure<Entry>(not_loaded(library, dlerror()));
    Entry entry{program, std::shared_ptr<void>(handle, dlclose), nullptr};
    entry.function = reinterpret_cast<kasc_entry_function>(dlsym(handle, (program + "_entry").c_str()));
    if (entry.function == nullptr) return failure<Entry>(not_loaded(library, dlerror()));
    return success(std::move(entry));
}

kasc_entry_call call_of(const EntryArguments& arguments) {
    kasc_entry_call call{};
    call.extents = arguments.extents.data();
    call.parameters = arguments.parameters.data();
    call.inputs = arguments.inputs.data();
    call.outputs = arguments.outputs.data();
    if (!arguments.rows.empty()) call.rows = arguments.rows.data();
    return call;
}

Outcome<RunReport> invoke(const Entry& entry, const EntryArguments& arguments) {
    RunReport report;
    std::array<char, 1024> message{};
    kasc_entry_call call = call_of(arguments);
    if (arguments.go_on) {
        call.progress = report_progress;
        call.user = const_cast<void*>(static_cast<const void*>(&arguments.go_on));
    }
    call.kernel_seconds = &report.kernel_seconds;
    call.message = message.data();
    call.message_bytes = static_cast<long long>(message.size());
    const auto begin = std::chrono::steady_clock::now();
    const int code = entry.function(&call);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    message.back() = 0;
    if (code != 0) return failure<RunReport>(run_fault(entry.program, code, message.data()));
    return success(report);
}

}  // namespace kasc::runtime
