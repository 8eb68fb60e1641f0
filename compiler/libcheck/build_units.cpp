#include "libcheck/build_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <thread>

#include "emit/emit.hpp"
#include "runtime/building/build.hpp"
#include "runtime/files/output_folder.hpp"

namespace kasc::libcheck {

namespace {

/// So many functions are one unit. More units than processors only repeat the price of the headers, 0.3 s; but a
/// compiler needs some 20 times a source's size in memory, and a faulty unit is built again in parts. Measured with g++
/// 12 in 2026.
constexpr std::size_t functions_a_unit = 12;

/// "lib.cu:12: …" among the compiler's words; else it failed for reasons of its own, such as too little memory.
bool names_a_line(const Diagnostic& refused) {
    return std::any_of(refused.notes.begin(), refused.notes.end(), [](const Note& note) {
        for (std::size_t at = note.text.find(':'); at != std::string::npos; at = note.text.find(':', at + 1)) {
            if (at + 1 < note.text.size() && note.text[at + 1] >= '0' && note.text[at + 1] <= '9') return true;
        }
        return false;
    });
}

class Builder {
public:
    explicit Builder(const CheckRequest& request) : request_(request) {}

    Outcome<std::vector<BuiltFunction>> run() {
        const CheckPlan& plan = request_.plan;
        const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
        const std::size_t wanted = (plan.size() + functions_a_unit - 1) / functions_a_unit;
        const CheckSources sources =
            check_sources(request_.library, plan, std::max(wanted, std::min(processors, plan.size())));
        auto built = build(sources, "unit", processors);
        for (std::size_t f = 0; built && f < plan.size(); ++f) {
            if (!built->at(f).library.empty()) continue;
            auto alone = build(check_sources(request_.library, {plan[f]}, 1), fmt::format("function_{}_", f), 1);
            if (!alone) return alone;
            built.value->at(f) = std::move(alone.value->front());
        }
        return built;
    }

private:
    const CheckRequest& request_;

    using Built = Outcome<std::string>;

    Outcome<std::vector<BuiltFunction>> build(const CheckSources& sources, const std::string& name,
                                              std::size_t processors) {
        using Result = std::vector<BuiltFunction>;
        const auto support = emit::support_files(request_.support_folder.string(), emit::Target::cpu_checking);
        if (!support) return failure<Result>(support.diagnostics);
        std::vector<emit::EmittedFile> files = *support;
        for (std::size_t u = 0; u < sources.units.size(); ++u)
            files.push_back({fmt::format("{}{}.cpp", name, u), sources.units[u]});
        if (const auto faults = runtime::write_folder(request_.work_folder / "source", files); !faults.empty())
            return failure<Result>(faults);

        std::vector<Built> built(sources.units.size());
        for (std::size_t first = 0; first < built.size(); first += processors) {
            if (request_.go_on && !request_.go_on(0, static_cast<long long>(request_.plan.size())))
                return failure<Result>(stopped_check());
            build_side_by_side(name, first, std::min(first + processors, built.size()), built);
        }
        Result functions;
        for (const FunctionPlace& place : sources.functions) {
            const Built& unit = built[place.unit];
            for (const Diagnostic& d : unit.diagnostics)
                if (d.code == "K0801" || (sources.functions.size() == 1 && !names_a_line(d))) return failure<Result>(d);
            functions.push_back({unit ? *unit : "", place, unit ? Diagnostics{} : unit.diagnostics});
        }
        return success(std::move(functions));
    }

    void build_side_by_side(const std::string& name, std::size_t first, std::size_t end, std::vector<Built>& built) {
        std::vector<std::future<Built>> running;
        for (std::size_t u = first; u < end; ++u) {
            runtime::BuildRequest unit;
            unit.purpose = runtime::BuildPurpose::one_look;
            unit.sources.push_back((request_.work_folder / "source" / fmt::format("{}{}.cpp", name, u)).string());
            unit.library = (request_.work_folder / fmt::format("{}{}.so", name, u)).string();
            unit.title = "check-lib";
            unit.cache = request_.cache;
            running.push_back(std::async(std::launch::async | std::launch::deferred,
                                         [unit] { return runtime::build_shared_library(unit); }));
        }
        for (std::size_t u = first; u < end; ++u) built[u] = running[u - first].get();
    }
};

}  // namespace

Outcome<std::vector<BuiltFunction>> build_units(const CheckRequest& request) { return Builder(request).run(); }

}  // namespace kasc::libcheck
