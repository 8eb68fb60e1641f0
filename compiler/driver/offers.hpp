#pragma once
// A compilation that programs of the same results are offered to, one rule after the other.

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "driver/variants.hpp"
#include "foundation/pass_times.hpp"

namespace kasc {

/// What the model says of a variant beside the first, and whether it was taken.
[[nodiscard]] std::string verdict_of(const std::vector<Variant>& variants, std::size_t variant, bool taken);

class Offers {
public:
    Offers(Compilation rewritten, const CompileRequest& request)
        : c_(std::move(rewritten)), request_(request), options_(request.plan) {}

protected:
    Compilation c_;
    const CompileRequest& request_;
    PlanOptions options_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();

    /// A budget in seconds is for all variants together, one of schedules for each.
    [[nodiscard]] PlanOptions remaining() const {
        PlanOptions remaining = options_;
        remaining.budget = what_is_left(options_.budget, started_);
        return remaining;
    }
    [[nodiscard]] Plans plan_as_it_is() const {
        const Pass pass("as it is");
        return plan_whole(c_, request_, remaining());
    }
    [[nodiscard]] Variant as_it_is() const {
        return {"as it is", c_.program, c_.graph,
                c_.plans,   {},         own_memory(*c_.plans.front().host, c_.program, c_.problem)};
    }
    [[nodiscard]] Variant made(std::string name, Program program) const {
        return plan_variant(std::move(name), std::move(program), c_, request_, remaining());
    }
    void take(Variant variant) {
        if (!c_.written)
            c_.written =
                std::make_shared<const WrittenProgram>(WrittenProgram{std::move(c_.program), std::move(c_.graph)});
        c_.program = std::move(variant.program);
        c_.graph = std::move(variant.graph);
        c_.plans = std::move(variant.plans);
    }

    /// Beside the program as it is, whose place it takes where the model finds it faster.
    struct Offer {
        bool taken = false;
        std::string said;
    };
    /// `gain`: the part of the time that it saves at least; less than none: that it may cost, for what the model does
    /// not see.
    Offer offer(const char* name, Program program, double gain = 0) {
        std::vector<Variant> variants{as_it_is(), made(name, std::move(program))};
        const bool gains = !variants[1].plans.empty() &&
                           variants[1].plans.front().time_ns <= (1 - gain) * variants[0].plans.front().time_ns;
        const bool taken = gain < 0 ? gains : taken_of(variants) == 1 && (gain == 0 || gains);
        std::string said = verdict_of(variants, 1, taken);
        if (taken) take(std::move(variants.back()));
        return {taken, std::move(said)};
    }

    /// What a rule has found, and of what it could do what became of the offer.
    template <class Found>
    void say(Rule rule, const std::vector<Found>& all, std::string Found::*what, const Offer& offered) {
        for (const Found& found : all) {
            const std::string why = found.verdict.reason() + (found.verdict ? "; " + offered.said : "");
            const bool done = offered.taken && found.verdict;
            c_.rewrites.push_back({rule, found.*what, done ? Verdict::yes(why) : Verdict::no(why)});
        }
    }
    /// Both, of a program that a rule has made.
    template <class Made, class Found>
    void offer_made(Rule rule, const char* name, Made made, std::string Found::*what, double gain = 0) {
        Offer offered;
        if (made.changed) offered = offer(name, std::move(made.program), gain);
        say(rule, made.verdicts, what, offered);
    }
};

}  // namespace kasc
