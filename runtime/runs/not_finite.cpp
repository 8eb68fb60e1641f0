#include "runtime/runs/not_finite.hpp"

#include <fmt/format.h>

#include <utility>

#include "runtime/finite.hpp"

namespace kasc::runtime {

namespace {

std::string text_of(const NotFinite& n) {
    std::string place;
    for (const std::uint64_t at : n.first) place += fmt::format("{}{}", place.empty() ? "" : ", ", at);
    return fmt::format("{} of {} values of '{}', the first at [{}]", n.count, n.of, n.name, place);
}

}  // namespace

void NotFinite::add(NotFinite more) {
    if (count == 0) first = std::move(more.first);
    count += more.count;
    of += more.of;
}

NotFinite not_finite(const ArrayView& result) {
    const WordType type = result.values.type();
    NotFinite all{result.name};
    if (is_integer(type) || result.values.empty()) return all;
    const std::uint64_t reals = parts_of_cell(type);
    all.of = result.values.size() * reals;
    const NotFiniteCount found = count_all_not_finite(type, result.values.data(), result.values.size());
    all.count = found.count;
    if (found.count > 0) all.first = cell_position(result.shape, found.first / reals);
    return all;
}

Diagnostics not_finite_results(const std::vector<NotFinite>& results) {
    Diagnostic d;
    for (const NotFinite& result : results) {
        if (result.count == 0) continue;
        if (d.message.empty()) {
            d.message = "results are not finite: " + text_of(result);
        } else {
            d.notes.push_back({{}, "so are " + text_of(result)});
        }
    }
    if (d.message.empty()) return {};
    d.severity = Severity::warning;
    d.code = "K0748";
    d.help =
        "the computation overflowed: its input is too large, or its time step too long; --allow not-finite leaves "
        "this out";
    return {d};
}

}  // namespace kasc::runtime
