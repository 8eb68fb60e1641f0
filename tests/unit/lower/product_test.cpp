// Blocks with tiles of results against the reference: each choice that is offered, tiles that the grid's end cuts,
// folds of several parts and of parts that are no whole chunks.
#include <gtest/gtest.h>

#include "frontend/reduction.hpp"
#include "kernel/check_shared.hpp"
#include "kernel/used_names.hpp"
#include "schedule/product/schedule.hpp"
#include "search/legality.hpp"
#include "search/lines.hpp"
#include "support/of_the_day.hpp"
#include "support/without_barrier.hpp"
#include "unit/lower/lower_field_check.hpp"

namespace kasc::test {
namespace {

constexpr const char* product = "float A[i,k], B[k,j], C[i,j]; input A, B; C = sum(A*B, k); return C;";
/// Words along the fold beside each other, words of results in what is made of the sums, two folds of the same cells.
constexpr const char* transposed =
    "float A[k,i], B[k,j], bias[j], C[i,j], D[i,j]; input A, B, bias; C = sum(A*B, k) + bias; "
    "D = max(C, 0)*minimum(A - B, k); return C, D;";
constexpr const char* batched =
    "double A[b,i,k], B[b,k,j], w[k], C[b,i,j]; input A, B, w; C = 2*sum(A*B*w + k, k); return C;";
constexpr const char* pairs =
    "float x[i], y[i], u[j], v[j], m[j], fx[i], fy[i]; "
    "function far() = (u - x)*(u - x) + (v - y)*(v - y) + 0.1; input x, y, u, v, m; "
    "fx = sum(m*(u - x)/far(), j); fy = sum(m*(v - y)/far(), j); return fx, fy;";
constexpr const char* integers =
    "int a[i,k], b[j,k], n[i,j], least[i,j]; input a, b; n = sum(a*b - i, k); least = minimum(a + b, k); return n, "
    "least;";
/// Neighbours by weights, over channels: positions, and cells along three axes.
constexpr const char* convolution =
    "float u[x,y,c], w[i,j,c,o], v[x,y,o]; axis i = 3; axis j = 2; input u, w; "
    "v = max(sum(w*u[x = x + i - 1, y = y - j] + i, i, j, c), 0); return v;";
/// Words of one and two bytes, as reals and as integers, beside a copy of words of four.
constexpr const char* short_words =
    "half A[i,k]; uint8 B[k,j]; bfloat16 w[k]; float u[k], C[i,j]; input A, B, w, u; C = sum(A*(B - 128)*w + u*B, k); "
    "return C;";
constexpr const char* bytes =
    "uint8 a[i,k], b[j,k]; int n[i,j], least[i,j]; input a, b; n = sum(a*b - i, k); least = minimum(a + b, k); "
    "return n, least;";
/// The same field as both factors.
constexpr const char* gram = "float A[i,k], G[i,j]; axis j = extent(i); input A; G = sum(A*A[i = j], k); return G;";

class Products {
public:
    explicit Products(const std::string& text, bool parts_alone = false) : case_(text), fusion_(case_.whole()) {
        if (parts_alone) {
            fusion_.calls.resize(1);
            fusion_.outputs = {case_.graph.nodes[fusion_.calls.front()].writes.front()};
            fusion_.inner.clear();
        }
        ProductWorkResult made = product_work(case_.program, case_.graph, fusion_);
        if (!made.value) throw std::runtime_error(made.reason);
        work_ = made.value;
    }

    [[nodiscard]] std::vector<FieldChoice> choices() const { return product_choices(*work_); }
    [[nodiscard]] std::optional<kernel::Kernel> kernel(const FieldChoice& choice) const {
        const ProductScheduleResult made = schedule_product(work_, choice, case_.program, case_.graph);
        if (!made.value) return std::nullopt;  // it would take too many registers
        return lower_product(*made.value, case_.program, case_.graph, "k0").alternatives.front();
    }

    /// "": all choices, of which every `apart`-th is looked at, every day every second of these, compute what the
    /// reference does.
    [[nodiscard]] std::string compared(std::vector<long long> extents, std::size_t apart = 3) const {
        for (const Axis& axis : case_.program.axes) {
            if (!axis.parts) continue;
            long long cells = 1;
            for (const AxisId of : axis.parts->of) cells *= extents.at(of.index);
            extents.push_back(part_count(cells, *axis.parts));
        }
        const Problem problem = make_problem(case_, extents, {});
        const FieldReference reference(case_.program, case_.graph, problem);
        const std::vector<FieldChoice> all = choices();
        int seen = 0;
        apart *= one_of(2);
        for (auto k = static_cast<std::size_t>(extents.front()) % apart; k < all.size(); k += apart) {
            const auto made = kernel(all[k]);
            if (!made) continue;
            ++seen;
            if (std::string fault = kernel::verify(*made); !fault.empty()) return fault;
            const std::string fault = run_and_compare(case_, fusion_, *made, reference, problem, [&](ValueId v) {
                return Cells(reference.words(v), std::numeric_limits<double>::quiet_NaN());
            });
            if (!fault.empty()) return print(Choice(all[k])) + ": " + fault;
        }
        return seen > 0 ? "" : "no choice";
    }

private:
    FieldCase case_;
    Fusion fusion_;
    std::shared_ptr<const ProductWork> work_;
};

TEST(Products, ResultsAreNamedWhereOthersReadThem) {
    const Products products(
        "float A[i,k], B[k,j], C[i,j], D[i,j]; input A, B; C = sum(A*B, k)/2; D = C > 0 ? C : 1; return D;");
    for (const FieldChoice& choice : products.choices()) {
        const auto kernel = products.kernel(choice);
        if (!kernel) continue;
        kernel::Kernel shorter = *kernel;
        shorter.body = kernel::without_unused(kernel->body);
        EXPECT_EQ(kernel::print(*kernel), kernel::print(shorter)) << print(Choice(choice));
    }
}

TEST(Products, OfMatricesEqualTheReference) {
    const Products products(product);
    for (const long long i : {1, 7, 33}) EXPECT_EQ(products.compared({i, 5, 9}), "") << i;
    EXPECT_EQ(products.compared({131, 16, 3}), "");
}

TEST(Products, OfShortWordsEqualTheReference) {
    for (const char* text : {short_words, bytes}) {
        const Products products(text);
        for (const long long i : {3, 65}) EXPECT_EQ(products.compared({i, 37, 66}), "") << text;
    }
}

TEST(Products, OfSeveralPartsEqualTheReference) {
    const Products products(product);
    for (const long long k : {512, 513, 1061}) EXPECT_EQ(products.compared({3 + k % 3, k, 5}, 4), "") << k;
}

TEST(Products, PartsAloneEqualTheReference) {
    const Products products(product, true);
    EXPECT_EQ(products.compared({20, 540, 5}, 4), "");
}

TEST(Products, PartsHaveMoreCellsWhereThereWouldBeTooMany) {
    constexpr long long cells = 512LL * 256 + 700;  // parts of 1024, the last ones without any
    for (const bool parts_alone : {false, true}) {
        const Products products("float x[i], u[j], s[i]; input x, u; s = sum(x*u, j); return s;", parts_alone);
        EXPECT_EQ(products.compared({2, cells}, 36), "") << parts_alone;
    }
}

TEST(Products, WordsOfResultsAreMadeOfThem) {
    const Products products(transposed);
    for (const long long k : {3, 40}) EXPECT_EQ(products.compared({k, 9, 18}), "") << k;
}

TEST(Products, MayHaveFurtherAxes) {
    const Products products(batched);
    EXPECT_EQ(products.compared({2, 9, 21, 7}), "");
    EXPECT_EQ(products.compared({1, 3, 520, 2}), "");
}

TEST(Products, OfPairsHaveOneAxis) {
    const Products products(pairs);
    for (const long long j : {1, 30, 129, 600}) EXPECT_EQ(products.compared({70 + j % 3, j}, 5), "") << j;
}

TEST(Products, CopyNothingWhereNoWordIsAnotherForEachCell) {
    const Products products("float x[i], s[i]; axis k = 9; input x; s = sum(x/(k + 1.5), k); return s;");
    EXPECT_EQ(products.compared({70, 9}, 2), "");
    for (const FieldChoice& choice : products.choices()) {
        const auto kernel = products.kernel(choice);
        ASSERT_TRUE(kernel);
        EXPECT_EQ(kernel::print(*kernel).find("shared "), kernel::print(*kernel).find("shared 0 words"));
        EXPECT_TRUE(without_each_barrier(*kernel).empty());
        EXPECT_EQ(kernel::print(*kernel).find("if 0 < tiles"), std::string::npos) << kernel::print(*kernel);
    }
}

TEST(Products, IntegersFoldAsIntegers) {
    const Products products(integers);
    EXPECT_EQ(products.compared({9, 35, 12}), "");
}

TEST(Products, MayFoldAlongSeveralAxesAtPositions) {
    const Products products(convolution);
    EXPECT_EQ(products.compared({37, 3, 4, 3, 2, 5}), "");
    EXPECT_EQ(products.compared({5, 2, 90, 3, 2, 19}, 5), "");  // two parts
    EXPECT_EQ(products.compared({8, 23, 2, 3, 2, 3}), "");      // a tile has several rows, of whole groups
}

TEST(Products, AreCountedThroughRowsOfSeveralAxes) {
    const Products products(
        "float u[x,c,y,b], w[i,c,o], t[y], v[x,y,o,b]; axis i = 3; input u, w, t; "
        "v = sum(w*u[x = x + i - 1] + t*x, i, c) - y; return v;");
    for (const long long x : {4, 7, 40}) EXPECT_EQ(products.compared({x, 3, 5, 6, 3, 9}), "") << x;
}

TEST(Products, AFieldMayBeBothFactors) {
    const Products products(gram);
    EXPECT_EQ(products.compared({12, 20, 12}), "");
}

TEST(Products, EachBarrierIsNeeded) {
    for (const char* text : {product, pairs, convolution}) {
        const Products products(text);
        for (const FieldChoice& choice : of_the_day(products.choices())) {
            const auto kernel = products.kernel(choice);
            if (!kernel || choice.rows * choice.vector > 4 || choice.chunk > 32) continue;  // it takes long
            EXPECT_EQ(kernel::verify(*kernel), "");
            EXPECT_TRUE(kernel::check_shared(*kernel).empty()) << print(Choice(choice));
            for (const kernel::Kernel& broken : without_each_barrier(*kernel))
                EXPECT_FALSE(kernel::check_shared(broken, 1).empty()) << print(Choice(choice));
        }
    }
}

TEST(Products, WhatNeedsASumIsNoCellOfTheKernelThatJoinsItsParts) {
    const FieldCase c("float A[i,k], B[k,j], C[i,j]; input A, B; C = 2*sum(A*B, k) + 1; return C;");
    Fusion behind = c.whole();  // parts, their join, C
    ASSERT_EQ(behind.calls.size(), 3U);
    behind.inputs = {c.graph.nodes[behind.calls.front()].writes.front()};
    behind.calls.erase(behind.calls.begin());
    behind.inner.clear();
    for (const NodeId call : behind.calls) behind.inner.push_back(c.graph.nodes[call].writes.front());
    behind.outputs = {behind.inner.back()};
    behind.inner.pop_back();
    EXPECT_EQ(field_work(c.program, c.graph, behind).reason, "what is folded is complete when its kernel ends");
}

std::string why_not(const std::string& text) {
    const FieldCase c(text);
    return product_work(c.program, c.graph, c.whole()).reason;
}

TEST(Products, SayWhatIsReadFromMemory) {
    EXPECT_EQ(why_not("float x[i], u[j] boundary mirror, s[i]; input x, u; s = sum(x*u[j + 1], j); return s;"),
              "neighbours are read from memory, pair by pair");
    EXPECT_EQ(why_not("complex x[i]; float u[j], s[i]; input x, u; s = sum(real(x)*u, j); return s;"),
              "complex numbers are not copied");
    EXPECT_EQ(why_not("float x[i], u[j], s[i]; int p[j]; input x, u, p; s = sum(x*u[j = p], j); return s;"),
              "cells at positions that are read are read from memory, pair by pair");
    EXPECT_EQ(why_not("float x[i], u[j], s[i]; input x, u; s = sum(x*u[j = i + j], j); return s;"),
              "each cell has a word of its own, which no other result needs");
    EXPECT_EQ(why_not("int64 x[i, k], u[j], s[i, k]; input x, u; s = sum(x*u[j = i + j], j); return s;"),
              "positions of the library's functions, or of 64 bits, are computed pair by pair");
}

}  // namespace
}  // namespace kasc::test
