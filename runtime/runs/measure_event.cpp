// {"event": "measured", "candidate": 3, "times_ns": [312000.0, 311500.0]}

#include "runtime/runs/measure_event.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace kasc::runtime {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> event_names{"copy", "begun", "invalid", "measured", "ended"};

std::string text_of(const json& value) {
    // What emitted code says may be any bytes.
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

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
