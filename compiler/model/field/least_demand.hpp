#pragma once
// What a kernel over fields asks for at least with a choice, known before there is a schedule: enough to leave most
// choices out.

#include <map>
#include <tuple>

#include "model/field/facts.hpp"
#include "model/parts.hpp"
#include "schedule/field/cell_program.hpp"
#include "schedule/field/work.hpp"
#include "search/choice.hpp"

namespace kasc::model {

/// The part of the copy rate that accesses of the choice's threads reach, where all take the path of whole warps.
[[nodiscard]] double access_efficiency(const FieldFacts& facts, const FieldWork& work, const FieldChoice& choice);

/// What a thread does at least in a plane, whatever its block.
struct LeastThread {
    double loads = 0, loaded_registers = 0, words = 0;
    double computing = 0;  ///< instructions of all cells
    double slow_ns = 0;    ///< for a cell
};

/// The demands of many choices of one fusion, of a GPU. The references must outlive it.
class LeastDemands {
public:
    /// `cell`: what a thread of one cell does in the interior; null: its loads are not known.
    LeastDemands(const FieldFacts& facts, const FieldWork& work, const CellProgram* cell, const Device& device);
    /// No schedule of the work with this choice is predicted to take less than this demand is.
    [[nodiscard]] Demand of(const FieldChoice& choice);

private:
    const FieldFacts& facts_;
    const FieldWork& work_;
    const CellProgram* cell_;
    const Device& device_;
    double bytes_beside_ = 0;
    using Key = std::tuple<int, bool, Walk>;  ///< cells of a group, whether there are several rows
    std::map<Key, LeastThread> threads_;
};

}  // namespace kasc::model
