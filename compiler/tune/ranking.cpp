// Predicted 1 2 3, measured 10 30 20: ranks 1 2 3 and 1 3 2, correlation 0.5; the best is the predicted first.

#include "tune/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace kasc::tune {

namespace {

std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return values[i] < values[j]; });
    std::vector<double> rank(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
        const double mean = static_cast<double>(begin + end + 1) / 2;
        for (std::size_t k = begin; k < end; ++k) rank[order[k]] = mean;
    }
    return rank;
}

}  // namespace

double Measurement::quantile_ns(double share) const {
    std::vector<double> sorted = times_ns;
    std::sort(sorted.begin(), sorted.end());
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) throw std::logic_error("two rankings of different lengths");
    if (a.size() < 2) return 0;
    const std::vector<double> x = ranks(a), y = ranks(b);
    const double mean = static_cast<double>(a.size() + 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

std::vector<Measurement> ranked(std::vector<Measurement> all) {
    std::stable_sort(all.begin(), all.end(), [](const Measurement& a, const Measurement& b) {
        if (a.valid() != b.valid()) return a.valid();
        if (a.valid() && a.median_ns() != b.median_ns()) return a.median_ns() < b.median_ns();
        return a.position < b.position;
    });
    return all;
}

Quality quality_of(const std::vector<Measurement>& all) {
    Quality q;
    const Measurement *first = nullptr, *best = nullptr;
    std::vector<double> predicted, measured;
    for (const Measurement& m : all) {
        if (!m.valid()) {
            ++q.invalid;
            continue;
        }
        ++q.valid;
        predicted.push_back(m.predicted_ns);
        measured.push_back(m.median_ns());
        if (first == nullptr || m.position < first->position) first = &m;
        if (best == nullptr || m.median_ns() < best->median_ns()) best = &m;
    }
    if (best == nullptr) return q;
    q.known = true;
    q.first_over_best = best->median_ns() > 0 ? first->median_ns() / best->median_ns() : 1;
    q.position_of_best = best->position;
    q.correlation = spearman(predicted, measured);
    return q;
}

}  // namespace kasc::tune
