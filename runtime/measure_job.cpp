// {"event": "measured", "candidate": 3, "times_ns": [312000.0, 311500.0]}

#include "runtime/measure_job.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace kasc::runtime {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> event_names{"copy", "begun", "invalid", "measured", "ended"};

json array_files(const std::vector<RawArray>& files) {
    json all = json::array();
    for (const RawArray& file : files)
        all.push_back({{"name", file.name}, {"path", file.path}, {"type", name_of(file.type)}});
    return all;
}

std::vector<RawArray> array_files(const json& all) {
    std::vector<RawArray> files;
    for (const json& file : all) {
        const auto type = find_cell_type(file.at("type").get<std::string>());
        files.push_back({file.at("name"), file.at("path"), type.value_or(WordType::float32)});
    }
    return files;
}

std::string text_of(const json& value) {
    // What emitted code says may be any bytes.
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const MeasureJob& job) {
    json candidates = json::array();
    for (const auto& c : job.candidates) candidates.push_back({{"number", c.number}, {"library", c.library}});
    return text_of({{"target", job.target == BuildTarget::cuda ? "cuda" : "cpu"},
                    {"program", job.program},
                    {"extents", job.extents},
                    {"parameters", job.parameters},
                    {"inputs", array_files(job.inputs)},
                    {"outputs", array_files(job.outputs)},
                    {"check", job.check},
                    {"tolerance", job.tolerance},
                    {"repeats", job.repeats},
                    {"limit_seconds", job.limit_seconds},
                    {"candidates", candidates}});
}

std::optional<MeasureJob> job_from_json(const std::string& text) {
    try {
        const json all = json::parse(text);
        MeasureJob job;
        job.target = all.at("target") == "cuda" ? BuildTarget::cuda : BuildTarget::cpu;
        all.at("program").get_to(job.program);
        all.at("extents").get_to(job.extents);
        all.at("parameters").get_to(job.parameters);
        job.inputs = array_files(all.at("inputs"));
        job.outputs = array_files(all.at("outputs"));
        all.at("check").get_to(job.check);
        all.at("tolerance").get_to(job.tolerance);
        all.at("repeats").get_to(job.repeats);
        all.at("limit_seconds").get_to(job.limit_seconds);
        for (const json& c : all.at("candidates")) job.candidates.push_back({c.at("number"), c.at("library")});
        return job;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

std::string to_json(const MeasureEvent& event) {
    json all{{"event", event_names.at(static_cast<std::size_t>(event.kind))}};
    switch (event.kind) {
        case MeasureEvent::Kind::copy:
            all["gb_s"] = event.gb_s;
            break;
        case MeasureEvent::Kind::invalid:
            all["invalidity"] = event.invalidity;
            all["message"] = event.message;
            all["candidate"] = event.candidate;
            break;
        case MeasureEvent::Kind::measured:
            all["times_ns"] = event.times_ns;
            all["candidate"] = event.candidate;
            break;
        case MeasureEvent::Kind::begun:
            all["candidate"] = event.candidate;
            break;
        case MeasureEvent::Kind::ended:
            break;
    }
    return text_of(all);
}

std::optional<MeasureEvent> event_from_json(const std::string& line) {
    try {
        const json all = json::parse(line);
        MeasureEvent event;
        const auto* name = std::find(event_names.begin(), event_names.end(), all.at("event").get<std::string>());
        if (name == event_names.end()) return std::nullopt;
        event.kind = static_cast<MeasureEvent::Kind>(name - event_names.begin());
        event.candidate = all.value("candidate", 0);
        event.gb_s = all.value("gb_s", 0.0);
        event.invalidity = all.value("invalidity", "");
        event.message = all.value("message", "");
        event.times_ns = all.value("times_ns", std::vector<double>{});
        return event;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

}  // namespace kasc::runtime
