// Any bytes → read_program: an outcome whose value and errors agree, text for both, and a printed program that reads
// back. And any bytes → format_program: a text that is formatted already, or an error.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "format/format.hpp"
#include "frontend/program.hpp"
#include "unit/frontend/test_library.hpp"

namespace {

/// With its functions expanded, a program may be too deep or too long to be read back.
bool beyond_limits(const kasc::Diagnostics& diagnostics) {
    const std::string& code = diagnostics.front().code;
    return code == "K0105" || code == "K0106";
}

void format(const std::string& text) {
    const auto once = kasc::format_program(kasc::make_source("fuzz.kas", text));
    if (once.value.has_value() == kasc::has_errors(once.diagnostics)) std::abort();
    if (!once) return;
    const auto twice = kasc::format_program(kasc::make_source("fuzz.kas", *once));
    if (twice ? *twice != *once : !beyond_limits(twice.diagnostics)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const kasc::Library library = kasc::test::test_library();
    const std::string text(data, data + size);
    format(text);
    const auto outcome = kasc::read_program(kasc::make_source("fuzz.kas", text), library);
    if (outcome.value.has_value() == kasc::has_errors(outcome.diagnostics)) std::abort();
    if (kasc::render_text(kasc::tidy(outcome.diagnostics)).empty() != outcome.diagnostics.empty()) std::abort();
    if (!outcome) return 0;
    const std::string printed = kasc::print(*outcome, library);
    const auto again = kasc::read_program(kasc::make_source("fuzz.kas", printed), library);
    if (again ? kasc::print(*again, library) != printed : !beyond_limits(again.diagnostics)) std::abort();
    return 0;
}
