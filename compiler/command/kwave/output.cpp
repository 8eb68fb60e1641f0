#include "command/kwave/output.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "runtime/hdf5/attributes.hpp"

namespace kasc::command {

namespace {

constexpr const char* simulation_time = "simulation_phase_execution_time";

/// With SOURCE_DATE_EPOCH (reproducible-builds.org) in the environment, seconds since 1970, the file depends on the
/// simulation alone: that is its date, and what belongs to this machine and hour is left out.
std::optional<std::time_t> told_date() {
    const char* text = std::getenv("SOURCE_DATE_EPOCH");
    if (text == nullptr || *text == '\0') return std::nullopt;
    return static_cast<std::time_t>(std::strtoll(text, nullptr, 10));
}

std::string date_text() {
    const auto told = told_date();
    const std::tm when = told ? fmt::gmtime(*told) : fmt::localtime(std::time(nullptr));
    return fmt::format("{:%d/%m/%y, %H:%M:%S}", when);
}

std::string host_name() {
    std::array<char, 256> name{};
    if (told_date() || gethostname(name.data(), name.size() - 1) != 0) return "";
    return name.data();
}

long long memory_megabytes() {
    rusage usage{};
    return told_date() || getrusage(RUSAGE_SELF, &usage) != 0 ? 0 : usage.ru_maxrss / 1024;
}

/// Texts of one width, so that they can be changed in the file.
std::string seconds_text(double seconds) { return fmt::format("{:10.2f}s", told_date() ? 0 : seconds); }

runtime::Attributes changing_attributes(const KwaveRecord& record) {
    const RunFigures& f = record.figures;
    const double simulated = record.seconds_before + f.compute_seconds;
    const std::string memory = fmt::format("{:8} MB", memory_megabytes());
    return {{"creation_date", date_text()},
            {"total_memory_in_use", memory},
            {"peak_core_memory_in_use", memory},
            {"total_execution_time", seconds_text(f.prepare_seconds + simulated)},
            {"data_loading_phase_execution_time", seconds_text(0)},
            {"pre-processing_phase_execution_time", seconds_text(f.prepare_seconds)},
            {simulation_time, seconds_text(simulated)},
            {"post-processing_phase_execution_time", seconds_text(0)}};
}

runtime::Attributes type_attributes(bool integer) {
    return {{"domain_type", "real"}, {"data_type", integer ? "long" : "float"}};
}

runtime::ConstantSpec number(const std::string& name, bool integer, double value) {
    runtime::ConstantSpec spec{
        name, {1, 1, 1}, std::vector<float>{static_cast<float>(value)}, type_attributes(integer)};
    if (integer) spec.values = std::vector<std::uint64_t>{static_cast<std::uint64_t>(std::max(value, 0.0))};
    return spec;
}

/// k-Wave tells the steps that are done.
runtime::ConstantSpec time_index(long long done) { return number("t_index", true, static_cast<double>(done)); }

runtime::ConstantSpec list(const std::string& name, runtime::Shape shape, std::vector<std::uint64_t> values) {
    return {name, std::move(shape), std::move(values), type_attributes(true)};
}

std::vector<runtime::ConstantSpec> constants(const KwaveOptions& options, const KwaveInput& input,
                                             const std::vector<std::int32_t>& sensor) {
    std::vector<runtime::ConstantSpec> all;
    for (const KwaveNumber& n : kwave_numbers()) {
        const std::string name = n.name;
        if (name == "sensor_mask_type" ? options.copy_sensor_mask : name == "axisymmetric_flag" || applies(n, input))
            all.push_back(number(name, n.kind != KwaveNumber::Kind::real, input.number(name)));
    }
    all.push_back(time_index(0));
    if (!options.copy_sensor_mask) return all;
    if (input.boxes.empty()) {
        all.push_back(list("sensor_mask_index", {1, 1, sensor.size()}, {sensor.begin(), sensor.end()}));
    } else {
        std::vector<std::uint64_t> corners;
        for (const KwaveBox& box : input.boxes) {
            corners.insert(corners.end(), box.low.begin(), box.low.end());
            corners.insert(corners.end(), box.high.begin(), box.high.end());
        }
        all.push_back(list("sensor_mask_corners", {1, input.boxes.size(), 6}, std::move(corners)));
    }
    return all;
}

/// `shape` as the program has it: (t, s) or (s) at the sensor, (z, y, x) of all points.
runtime::ArraySpec placed(const std::string& name, const runtime::Shape& shape, const std::vector<KwaveBox>& boxes) {
    const bool series = shape.size() == 2;
    const runtime::Attributes attributes = type_attributes(false);
    runtime::ArraySpec spec{name, shape, runtime::WordType::float32, attributes};
    if (shape.size() > 2) return spec;
    if (boxes.empty()) {
        while (spec.shape.size() < 3) spec.shape.insert(spec.shape.begin(), 1);
        return spec;
    }
    if (series) spec.rows = shape.front();
    for (std::size_t b = 0; b < boxes.size(); ++b) {
        runtime::Shape box;
        if (series) box.push_back(shape.front());
        for (const std::size_t axis : {2U, 1U, 0U}) box.push_back(static_cast<std::uint64_t>(boxes[b].cells(axis)));
        spec.parts.push_back({fmt::format("{}/{}", name, b + 1), box, runtime::WordType::float32, attributes});
    }
    return spec;
}

}  // namespace

runtime::OutputForm kwave_form(const KwaveOptions& options, const KwaveInput& input,
                               const std::vector<std::int32_t>& sensor, const runtime::ProgramInterface& program,
                               const std::vector<long long>& extents, const KwaveRecord& record) {
    runtime::OutputForm form;
    for (const runtime::ArrayInterface& output : program.outputs)
        form.layout.arrays.push_back(placed(output.name, expected_shape(program, output, extents), input.boxes));
    const int threads =
        options.threads > 0 ? options.threads : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    form.layout.attributes = {{"created_by", "kasc " KASC_VERSION},
                              {"file_description", input.description},
                              {"file_type", "output"},
                              {"major_version", "1"},
                              {"minor_version", "2"},
                              {"host_names", host_name()},
                              {"number_of_cpu_cores", fmt::format("{}", told_date() ? 0 : threads)}};
    const runtime::Attributes changing = changing_attributes(record);
    form.layout.attributes.insert(form.layout.attributes.end(), changing.begin(), changing.end());
    form.layout.constants = constants(options, input, sensor);
    form.compression = options.compression;
    form.amended = [&record, from = static_cast<long long>(input.number("p0_source_flag"))](long long done) {
        return runtime::FileLayout{{}, changing_attributes(record), {time_index(from + done)}};
    };
    return form;
}

double told_seconds(const std::string& path) {
    const auto told = runtime::read_attributes(path, {simulation_time});
    if (!told || !told->contains(simulation_time)) return 0;
    const double seconds = std::strtod(told->at(simulation_time).c_str(), nullptr);
    return seconds > 0 ? seconds : 0;
}

}  // namespace kasc::command
