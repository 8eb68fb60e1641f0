#pragma once
// A kernel whose blocks run a loop for whole lines.

#include "lower/loop/cells.hpp"

namespace kasc::kernel {

class LoopOfLines : LoopCells {
public:
    using LoopCells::LoopCells;

    Kernel run(const std::string& kernel_name);

private:
    std::set<std::string> registers_;                 ///< of a phase: what a thread knows of its cell
    std::vector<Statement> private_;                  ///< arrays of the threads
    std::map<const WalkedField*, ExprRef> made_now_;  ///< words that the phase has made
    ExprRef this_copy_, next_copy_;                   ///< where two copies begin, of this iteration and of the next

    [[nodiscard]] const LoopLines& lines() const { return work_.lines; }
    [[nodiscard]] bool has_rings() const;
    ExprRef cell() { return name(c().once("cell of the line", "cell")); }
    ExprRef line() { return name(c().once("line of the thread", "line")); }
    ExprRef row();
    ExprRef line_count();
    void place_along(Body& body, const std::vector<std::size_t>& axes, ExprRef number, bool is_wide);
    [[nodiscard]] std::map<AxisId, int> lengths() const;  ///< of the lines
    Body at_cells(Body own);

    std::string words_name(const LinePlace& place);
    void declare_words();
    ExprRef word_at(const LinePlace& place, const ExprRef& cell_of_line);
    ExprRef own_word(const LinePlace& place) { return word_at(place, cell()); }
    ExprRef cell_at(const FieldRead& read, const std::function<ExprRef(std::size_t k)>& coordinate);

    Body first_words();
    Body copies(const ExprRef& iteration);
    Body phase(int number, Kernel& kernel);
    Body statement(std::size_t k, Kernel& kernel);
    ExprRef at_hand(std::size_t k, const FieldRead& read);
    ExprRef shared_word(std::size_t k, const FieldRead& read, const std::function<ExprRef(std::size_t k)>& coordinate);
    Body handed_on();
    Body behind();
    Body last_words();
};

}  // namespace kasc::kernel
