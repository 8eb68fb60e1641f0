#include "model/field/walk_costs.hpp"

#include "model/constants.hpp"

namespace kasc::model {

WalkCosts walk_costs(const FieldChoice& choice) {
    const double rows = choice.rows > 1 ? rows_registers : 0;
    switch (choice.walk) {
        case Walk::grid:
            return {grid_overhead_instructions, rows};
        case Walk::staged:
            return {grid_overhead_instructions, rows};
        case Walk::flat:
            return {grid_overhead_instructions + division_instructions, rows};
        case Walk::column:
            return {column_overhead_instructions, column_registers, true};
        case Walk::warp:
            return {warp_overhead_instructions, column_registers, true};
        case Walk::histogram:
            return {histogram_overhead_instructions, 0, true};
        case Walk::row:
            return {0, rows, false, true};
        case Walk::stored:
        case Walk::product:
        case Walk::fft:
        case Walk::line:  // priced by themselves (predict_line, predict_pipeline, predict_loop)
        case Walk::pipeline:
        case Walk::loop:
        case Walk::scan:
            return {0, rows};
    }
    return {};
}

}  // namespace kasc::model
