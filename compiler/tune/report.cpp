// rank  plan   predicted    measured   quartiles          ratio  kernels   GB/s  of copy
//    1     2   262.10 us   270.30 us   269.80-271.20       1.03  5         2980     98 %

#include "tune/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kasc::tune {

namespace {

using nlohmann::ordered_json;

constexpr double ns_per_us = 1e3;

double gb_s(const Measurement& m) { return m.minimum_bytes / m.median_ns(); }
bool has_gb_s(const Measurement& m) { return m.minimum_bytes > 0; }

std::string row_text(int rank, const Measurement& m) {
    if (!m.valid()) {
        return fmt::format("{:>4}  {:>4}  {:>10.2f}  {}: {}\n", "-", m.position, m.predicted_ns / ns_per_us,
                           m.invalidity, m.message.substr(0, m.message.find('\n')));
    }
    const double median = m.median_ns();
    return fmt::format(
        "{:>4}  {:>4}  {:>10.2f}  {:>10.2f}  {:>19}  {:>5.2f}  {:>7}  {:>7}  {}\n", rank, m.position,
        m.predicted_ns / ns_per_us, median / ns_per_us,
        fmt::format("{:.2f}-{:.2f}", m.quantile_ns(0.25) / ns_per_us, m.quantile_ns(0.75) / ns_per_us),
        m.predicted_ns > 0 ? median / m.predicted_ns : 0, has_gb_s(m) ? fmt::format("{:.0f}", gb_s(m)) : "?",
        m.copy_gb_s > 0 && has_gb_s(m) ? fmt::format("{:.0f} %", 100 * gb_s(m) / m.copy_gb_s) : "?", m.parts);
}

std::string copy_text(const std::vector<Measurement>& all) {
    double least = 0, most = 0;
    for (const Measurement& m : all) {
        if (m.copy_gb_s <= 0) continue;
        least = least == 0 ? m.copy_gb_s : std::min(least, m.copy_gb_s);
        most = std::max(most, m.copy_gb_s);
    }
    if (most == 0) return "unknown";
    return fmt::format("{:.0f}", least) == fmt::format("{:.0f}", most)
               ? fmt::format("{:.0f} GB/s", most)
               : fmt::format("{:.0f} to {:.0f} GB/s", least, most);
}

std::string quality_text(const Quality& q) {
    if (!q.known) return "no plan could be measured\n";
    return fmt::format(
        "predicted first: {:.3f} of the best time; best measured: plan {} of the predicted order; rank correlation "
        "{:.2f} over {} plans{}\n",
        q.first_over_best, q.position_of_best, q.correlation, q.valid,
        q.invalid > 0 ? fmt::format(", {} more without a time", q.invalid) : "");
}

}  // namespace

std::string report_text(const TuningKey& key, const std::string& program, const std::vector<Measurement>& all) {
    std::string out = fmt::format("{} on {}, {}{}; copy rate {}\n", program, key.device, key.sizes,
                                  key.parameters.empty() ? "" : "; " + key.parameters, copy_text(all));
    fmt::format_to(std::back_inserter(out), "{:>4}  {:>4}  {:>10}  {:>10}  {:>19}  {:>5}  {:>7}  {:>7}  {}\n", "rank",
                   "plan", "predicted", "measured", "quartiles (us)", "ratio", "GB/s", "of copy", "calls a kernel");
    int rank = 0;
    for (const Measurement& m : ranked(all)) out += row_text(++rank, m);
    return out + quality_text(quality_of(all));
}

std::string report_json(const TuningKey& key, const std::string& program, const std::vector<Measurement>& all,
                        const std::vector<ordered_json>& kernels) {
    ordered_json plans = ordered_json::array();
    for (const Measurement& m : ranked(all)) {
        ordered_json plan{{"plan", m.position},
                          {"predicted_ns", m.predicted_ns},
                          {"invalidity", m.invalidity},
                          {"kernels", m.parts},
                          {"text", m.plan},
                          {"checked", m.checked},
                          {"message", m.message},
                          {"compilation_s", m.compilation_s},
                          {"copy_gb_s", m.copy_gb_s}};
        if (m.valid()) {
            plan["measured_ns"] = m.median_ns();
            plan["low_quartile_ns"] = m.quantile_ns(0.25);
            plan["high_quartile_ns"] = m.quantile_ns(0.75);
            if (has_gb_s(m)) plan["minimum_gb_s"] = gb_s(m);
        }
        plan["launches"] = kernels.at(static_cast<std::size_t>(m.position) - 1);
        plans.push_back(std::move(plan));
    }
    const Quality q = quality_of(all);
    ordered_json quality = nullptr;
    if (q.known) {
        quality = {{"first_over_best", q.first_over_best},
                   {"position_of_best", q.position_of_best},
                   {"rank_correlation", q.correlation}};
    }
    const ordered_json file{{"program", program},           {"device", key.device}, {"driver", key.driver},
                            {"compiler", key.compiler},     {"kasc", key.kasc},     {"sizes", key.sizes},
                            {"parameters", key.parameters}, {"plans", plans},       {"quality", quality}};
    return file.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace kasc::tune
