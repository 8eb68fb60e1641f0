// Block programs made by hand (hand_made_blocks.hpp): their barriers are those that they need, and what the one
// lowering makes of them is run by an emitted program in checking mode, which compares it with its statements one by
// one.
#include "run/hand_made_blocks.hpp"

#include <gtest/gtest.h>

#include "driver/compilation.hpp"
#include "kernel/check_shared.hpp"
#include "support/shell.hpp"
#include "support/temporary.hpp"
#include "support/without_barrier.hpp"

namespace kasc::test {
namespace {

class HandMadeBlocks : public testing::TestWithParam<HandMadeBlock (*)()> {
protected:
    const HandMadeBlock made_ = GetParam()();

    static std::vector<SlotId> output_slots(const HostPlan& plan) {
        std::vector<SlotId> slots;
        for (const HostStep& step : plan.steps) {
            const auto* deliver = std::get_if<DeliverStep>(&step.what);
            if (deliver == nullptr) continue;
            slots.resize(std::max(slots.size(), deliver->position + 1));
            slots[deliver->position] = deliver->slot;
        }
        return slots;
    }

    /// The kernel in place of all that the plan launches.
    [[nodiscard]] HostPlan plan(const Compilation& c) const {
        HostPlan plan = *c.plans.front().host;
        kernel::Kernel kernel = made_.kernel;
        kernel.name = made_.name + "_k0";
        LaunchStep launch;
        const std::size_t inputs = c.graph.inputs.size();
        const std::vector<SlotId> outputs = output_slots(plan);
        for (std::size_t k = 0; k < made_.arrays.size(); ++k) {
            const ValueId value = k < inputs ? c.graph.inputs[k] : c.graph.outputs[k - inputs];
            if (k < inputs)
                kernel.parameters.push_back({kernel::Type::f32, made_.arrays[k], kernel::ArrayIn{value}});
            else
                kernel.parameters.push_back({kernel::Type::f32, made_.arrays[k], kernel::ArrayOut{value}});
            for (const SlotId slot : plan.slots.ids()) {
                const auto* in = std::get_if<InputStorage>(&plan.slots[slot].storage);
                if (k < inputs && in != nullptr && in->position == k) launch.arrays[value] = slot;
            }
            if (k >= inputs) launch.arrays[value] = outputs[k - inputs];
        }
        for (const auto& [axis, extent] : made_.extents) {
            for (const AxisId id : c.program.axes.ids())
                if (c.program.axes[id].name == axis)
                    kernel.parameters.push_back({kernel::Type::i32, "n" + axis, kernel::AxisExtent{id}});
        }
        plan.kernels = {{{std::move(kernel)}}};
        std::erase_if(plan.steps, [](const HostStep& step) { return !std::holds_alternative<DeliverStep>(step.what); });
        plan.steps.insert(plan.steps.begin(), HostStep{std::move(launch)});
        return plan;
    }
};

TEST_P(HandMadeBlocks, EachBarrierIsNeededAndNoOther) {
    const block::BlockProgram& block = made_.block;
    int kept = 0;
    for (std::size_t k = 0; k < block.steps.size(); ++k) kept += barrier_before(block, k) != nullptr ? 1 : 0;
    EXPECT_EQ(kept, made_.barriers);
    EXPECT_EQ(barriers_met(block), kept);
    kernel::Kernel kernel = made_.kernel;
    for (const std::string& array : made_.arrays)
        kernel.parameters.push_back({kernel::Type::f32, array, kernel::ArrayOut{}});
    for (const auto& extent : made_.extents)
        kernel.parameters.push_back({kernel::Type::i32, "n" + extent.first, kernel::AxisExtent{}});
    ASSERT_EQ(verify(kernel), "");
    EXPECT_EQ(check_shared(kernel), std::vector<std::string>{});
    const std::vector<kernel::Kernel> broken = without_each_barrier(kernel);
    EXPECT_EQ(static_cast<int>(broken.size()), kept);
    for (const kernel::Kernel& k : broken) EXPECT_FALSE(check_shared(k, 1).empty());
}

TEST_P(HandMadeBlocks, RunsInCheckingMode) {
    CompileRequest request;
    request.source = make_source(made_.name + ".kas", made_.text);
    request.data_folder = KASC_SOURCE_DIR;
    request.device = "cpu";
    request.plan.strategy = "none";
    const auto c = compile(request);
    ASSERT_TRUE(c) << render_text(c.diagnostics);
    const HostPlan hand = plan(*c);
    const HostPlan reference =
        build_host_plan(c->program, c->library, c->plans.front(), c->program.name + "_reference", Riding::never);
    const emit::EmitRequest emission{
        c->program, c->library, hand, emit::Target::cpu_checking, &reference, std::string(KASC_SOURCE_DIR) + "/support",
        1e-5};
    const auto code = emit::emit_code(emission);
    ASSERT_TRUE(code) << render_text(code.diagnostics);
    Temporary here;
    std::string sources, extents;
    for (const emit::EmittedFile& file : code->files) {
        write_file(here.path() / file.name, file.text);
        if (file.name.ends_with(".cpp")) sources += " " + file.name;
    }
    for (const auto& [axis, extent] : made_.extents) extents += " n" + axis + "=" + std::to_string(extent);
    const std::string in = "cd '" + here.path().string() + "' && ";
    const ShellResult built = shell(in + "${CXX:-g++} -std=c++17 -O0 -w -ffp-contract=off -o program" + sources);
    ASSERT_EQ(built.status, 0) << built.output;
    const ShellResult ran = shell(in + "./program" + extents);
    EXPECT_EQ(ran.status, 0) << ran.output;
    EXPECT_NE(ran.output.find("all words equal the reference"), std::string::npos) << ran.output;
}

INSTANTIATE_TEST_SUITE_P(All, HandMadeBlocks, testing::Values(two_steps, sum_of_rows, transform),
                         [](const auto& block) { return block.param().name; });

}  // namespace
}  // namespace kasc::test
