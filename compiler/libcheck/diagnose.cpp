#include "libcheck/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "libcheck/data_sets.hpp"
#include "library/faults.hpp"

namespace kasc::libcheck {

namespace {

/// How a fault is told: its code, what is said of "load 1 of f_1", what stands beside the caret, and the mend.
struct Wording {
    const char* code;
    Severity severity;
    const char* message;  ///< with {} for the array, and for who is at fault
    const char* label;
    const char* mend;
};

/// 5e-7 is few_roundings, rounded up.
constexpr const char* state_roundings =
    "sums in one order, with fmaf, have equal bits; where they need not, state 'Accuracy = 5e-7' in the function's "
    "block: "
    "programs are compared to ten times that, and to the bit otherwise";
constexpr const char* larger_than_roundings =
    "that is more than four roundings of what is summed: correct it, or state an error that is meant by 'Accuracy' in "
    "the "
    "function's block";

/// In the order of Fault.
constexpr std::array wordings{
    Wording{"K0410", Severity::error, "{1} touches words of {0} that the pattern lacks", "declares other words",
            "declare what the code touches"},
    Wording{"K0411", Severity::error, "{1} leaves words of {0} unwritten", "declares words that are not written",
            "write every declared word"},
    Wording{"K0411", Severity::error, "{1} leaves words of {0} unread", "declares words that are not read",
            "read every declared word"},
    Wording{"K0412", Severity::warning, "{1} never reads some declared words of {0}",
            "declares words that are not read",
            "declare what the code reads: a word too many costs registers or barriers"},
    Wording{"K0413", Severity::error, "{1} reads {0} before writing it", "is written by this part",
            "keep sums in a local variable"},
    Wording{"K0413", Severity::error, "{1} writes {0}", "is read by this part",
            "write to the result only: others may read the argument"},
    Wording{"K0414", Severity::error, "{1} leaves its tile of {0}", "this part moves the tile",
            "block bx moves tile bx: bx * (words of a tile) and on"},
    Wording{"K0415", Severity::error, "{1} puts words of {0} in other places", "a tile lies as in global memory",
            "copy without reordering: fused functions share the tile"},
    Wording{"K0416", Severity::error, "{1}: threads disagree about a word of {0}", "the declared words overlap",
            "let one thread write each word"},
    Wording{"K0417", Severity::error, "{1} goes wrong with values in registers", "may lie in registers",
            "reach words by APLS, APIN0, …, APOUT only, or declare noreg 1"},
    Wording{"K0418", Severity::error, "{1} disagrees with its reference", "", larger_than_roundings},
    Wording{"K0418", Severity::error, "{1} disagrees with an implementation before it", "",
            "no reference is known that tells which of the two is right"},
    Wording{"K0418", Severity::warning, "{1} differs from its reference by roundings", "", state_roundings},
    Wording{"K0418", Severity::warning, "{1} differs from an implementation before it by roundings", "",
            state_roundings},
    Wording{"K0427", Severity::warning, "{1} picks words of {0} by the thread's number", "may lie in registers",
            "declare noreg 1: registers cannot be indexed, and compilers put such arrays into slow local memory"},
    Wording{"K0419", Severity::error, "{1} writes beyond its result", "", ""},
    Wording{"K0420", Severity::error, "the loads and {1} move different numbers of elements",
            "the block serves as many", "let all loads and the save move one number"},
};

/// The variant for registers is looked at only where that for shared memory is good: what is wrong with it has one
/// cause.
const Wording& wording(const FindingKey& key) {
    return wordings.at(static_cast<std::size_t>(key.site.registers ? Fault::registers_differ : key.fault));
}

/// The name in a function's first line.
Span name_span(const Span& function, const std::string& name) {
    const std::size_t at = text_of(function).find(name);
    if (at == std::string_view::npos) return function;
    return {function.source, function.begin + at, function.begin + at + name.size()};
}
Span name_span(const DeviceFunction& function) { return name_span(function.span, function.name); }

class Sites {
public:
    Sites(const Library& library, const CheckedFunction& checked)
        : function_(library.functions[checked.function]), checked_(checked) {}

    [[nodiscard]] const Implementation& implementation(const Site& site) const {
        return function_
            .implementations[checked_.implementations[static_cast<std::size_t>(site.implementation)].number];
    }
    [[nodiscard]] std::string part(const Site& site) const {
        switch (site.part) {
            case PartKind::load:
                return fmt::format("load {} of {}", site.argument + 1, implementation(site).name);
            case PartKind::save:
                return "the save of " + implementation(site).name;
            case PartKind::compute:
                return "compute of " + implementation(site).name;
            case PartKind::reference:
                break;
        }
        return "the reference of " + function_.name;
    }
    [[nodiscard]] std::string array(const Site& site) const {
        if (site.part != PartKind::compute) return site.global ? "global memory" : "the tile";
        return site.argument < 0 ? "its result" : fmt::format("input {}", site.argument);
    }
    [[nodiscard]] const Pattern& pattern(const Site& site) const {
        const Implementation& how = implementation(site);
        const auto k = static_cast<std::size_t>(std::max(site.argument, 0));
        if (site.part == PartKind::load) return how.loads[k].pattern;
        if (site.part == PartKind::save) return how.save.pattern;
        return site.argument < 0 ? how.output : how.inputs[k];
    }
    [[nodiscard]] Span code(const Site& site) const {
        if (site.part == PartKind::reference)
            return function_.reference ? name_span(function_.reference->span, "cpu_" + function_.name) : function_.span;
        const Implementation& how = implementation(site);
        if (site.part == PartKind::load)
            return name_span(how.loads[static_cast<std::size_t>(std::max(site.argument, 0))].function);
        return name_span(site.part == PartKind::save ? how.save.function : how.compute);
    }

private:
    const Function& function_;
    const CheckedFunction& checked_;
};

bool is_about_code(Fault fault) {
    return fault == Fault::value || fault == Fault::value_among || fault == Fault::rounding ||
           fault == Fault::rounding_among || fault == Fault::reference_overrun;
}

/// The mend and the first example as help, the other examples as notes.
void add_examples(const Wording& wording, const FindingText& text, Diagnostic& d) {
    for (std::size_t i = 1; i < text.examples.size(); ++i) d.notes.push_back({{}, text.examples[i]});
    const auto shown = static_cast<std::int64_t>(text.examples.size());
    if (text.count > shown) d.notes.push_back({{}, fmt::format("and {} more", text.count - shown)});
    d.help = text.examples.front();
    if (*wording.mend != '\0') d.help = fmt::format("{}; {}", wording.mend, d.help);
}

}  // namespace

Diagnostics diagnose(const Library& library, const CheckedFunction& checked, const Findings& findings) {
    const Sites sites(library, checked);
    Diagnostics all;
    for (const auto& [key, text] : findings.all()) {
        // Roundings are no news beside a difference that they do not explain.
        if (key.fault == Fault::rounding && findings.has(Fault::value, key.site)) continue;
        if (key.fault == Fault::rounding_among && findings.has(Fault::value_among, key.site)) continue;
        const Wording& w = wording(key);
        const Span at = is_about_code(key.fault) ? sites.code(key.site) : sites.pattern(key.site).span;
        Diagnostic d = library::fault(
            w.code, at, fmt::format(fmt::runtime(w.message), sites.array(key.site), sites.part(key.site)), w.label, "");
        d.severity = w.severity;
        if (!is_about_code(key.fault)) d.notes.push_back({sites.code(key.site), "the code is here"});
        add_examples(w, text, d);
        all.push_back(std::move(d));
    }
    return all;
}

Diagnostic diagnose_end(const Library& library, const CheckedFunction& checked, const Whereabouts& where,
                        EarlyEnd end) {
    const Sites sites(library, checked);
    const bool endless = end == EarlyEnd::endless;
    const std::string on = where.data_set < 0 ? "" : fmt::format(" on {}", data_set_name(where.data_set));
    const std::string who =
        where.site.part == PartKind::reference
            ? ""
            : fmt::format("in thread {} of block {} x {} x {}{}: ", where.thread, where.block[0], where.block[1],
                          where.block[2], where.site.registers ? " with values in registers" : "");
    return library::fault(endless ? "K0421" : "K0422", sites.code(where.site),
                          fmt::format("{} {}{}", sites.part(where.site), endless ? "does not end" : "crashes", on),
                          endless ? "was stopped after a second" : "ended the process",
                          fmt::format("{}{}", who, endless ? "bound its loops" : "look for indices out of range"));
}

Diagnostic diagnose_build(const Library& library, const CheckedFunction& checked, const Diagnostics& why) {
    const Function& function = library.functions[checked.function];
    const Implementation& first = function.implementations[checked.implementations.front().number];
    Diagnostic d = library::fault("K0423", name_span(first.compute),
                                  fmt::format("the code of {} cannot be compiled for checking", function.name), "",
                                  "arrays are passed as pointers that watch every access: index them, or add to them");
    for (const Diagnostic& cause : why) d.notes.insert(d.notes.end(), cause.notes.begin(), cause.notes.end());
    return d;
}

Diagnostic diagnose_no_block(const Library& library, const CheckedFunction& checked,
                             const CheckedImplementation& implementation) {
    const Implementation& how = library.functions[checked.function].implementations[implementation.number];
    return library::fault("K0425", how.save.pattern.span, fmt::format("no block of {} can be used", how.name),
                          "tells how many elements a block serves", implementation.no_block);
}

}  // namespace kasc::libcheck
