#include "schedule/schedule.hpp"

namespace kasc {

const Fusion& fusion_of(const KernelSchedule& schedule) {
    if (const auto* field = std::get_if<FieldSchedule>(&schedule)) return field->fusion();
    if (const auto* line = std::get_if<LineSchedule>(&schedule)) return line->fusion();
    if (const auto* pipeline = std::get_if<PipelineSchedule>(&schedule)) return pipeline->fusion();
    if (const auto* loop = std::get_if<LoopSchedule>(&schedule)) return loop->fusion();
    if (const auto* product = std::get_if<ProductSchedule>(&schedule)) return product->fusion();
    if (const auto* fft = std::get_if<FftSchedule>(&schedule)) return fft->fusion();
    if (const auto* scan = std::get_if<ScanSchedule>(&schedule)) return scan->fusion();
    if (const auto* stream = std::get_if<StreamSchedule>(&schedule)) return stream->fusion;
    return std::get<TransformSchedule>(schedule).fusion;
}

Choice choice_of(const KernelSchedule& schedule) {
    return std::visit([](const auto& s) { return Choice(s.choice); }, schedule);
}

std::string print(const KernelSchedule& schedule, const Program& program, const Graph& graph, const Library& library) {
    if (const auto* stream = std::get_if<StreamSchedule>(&schedule)) return print(*stream, program, graph, library);
    if (const auto* field = std::get_if<FieldSchedule>(&schedule)) return print(*field, program, graph);
    if (const auto* line = std::get_if<LineSchedule>(&schedule)) return print(*line, program, graph);
    if (const auto* pipeline = std::get_if<PipelineSchedule>(&schedule)) return print(*pipeline, program, graph);
    if (const auto* loop = std::get_if<LoopSchedule>(&schedule)) return print(*loop, program, graph);
    if (const auto* product = std::get_if<ProductSchedule>(&schedule)) return print(*product, program, graph);
    if (const auto* fft = std::get_if<FftSchedule>(&schedule)) return print(*fft, program, graph);
    if (const auto* scan = std::get_if<ScanSchedule>(&schedule)) return print(*scan, program, graph);
    return print(std::get<TransformSchedule>(schedule), program, graph);
}

}  // namespace kasc
