// Reductions become statements of their own: which, over which axes, by how many lanes.
#include <gtest/gtest.h>

#include "frontend/axis_lengths.hpp"
#include "frontend/evaluate.hpp"
#include "frontend/program.hpp"
#include "frontend/reduction.hpp"
#include "library/library.hpp"

namespace kasc {
namespace {

Program read_case(const std::string& statements, const std::string& declarations = "") {
    const std::string text = "float u[x, y, z], v[x], line[z], total[], trace[t]; int k[x, y]; double d[x];" +
                             declarations + "param int steps = 3; axis t = steps; input u, v, k, d; " + statements +
                             " return total;";
    const auto program = read_program(make_source("case.kas", text), Library{}, {});
    if (!program) throw std::runtime_error(render_text(program.diagnostics));
    return *program;
}

/// The fold and the names of what it reads and writes: "u_sum_parts by sum over x y z in 1024 lanes, in parts".
std::string text_of(const Program& program, std::size_t statement) {
    const auto& field = std::get<FieldStatement>(program.statements.at(statement));
    if (!field.fold) return program.variables[field.target].name;
    std::string text = program.variables[field.target].name + std::string(" by ") + name_of(field.fold->op) + " over";
    for (const AxisId axis : field.fold->axes) text += " " + program.axes[axis].name;
    return text + " in " + std::to_string(field.fold->lanes) + " lanes" + (field.fold->parts ? ", in parts" : "");
}

TEST(Reduction, OfAllAxesIsTwoFoldsAndANumber) {
    const Program program = read_case("total = 2*sum(u);");
    ASSERT_EQ(program.statements.size(), 3U);
    EXPECT_EQ(text_of(program, 0), "total_sum_parts by sum over x y z in 1024 lanes, in parts");
    EXPECT_EQ(text_of(program, 1), "total_sum by sum over total_sum_part in 1024 lanes");
    EXPECT_EQ(text_of(program, 2), "total");
}

TEST(Reduction, ThatIsAWholeStatementFoldsIntoItsTarget) {
    const Program whole = read_case("total = sum(u);");
    ASSERT_EQ(whole.statements.size(), 2U);
    EXPECT_EQ(text_of(whole, 1), "total by sum over total_part in 1024 lanes");
    const Program recorded =
        read_case("for (n = 0; n < steps; n++) { trace[t = n] = maximum(u); } total = trace[t = 0];");
    const auto& loop = *std::get<std::shared_ptr<const LoopStatement>>(recorded.statements.front());
    ASSERT_EQ(loop.body.size(), 2U);
    EXPECT_EQ(recorded.variables[std::get<FieldStatement>(loop.body[1]).target].name, "trace");
}

/// A warp goes along the first axis where that is folded; where it is left, results lie side by side.
TEST(Reduction, OfNamedAxesFollowsTheMemory) {
    const Program first = read_case("line = sum(u, y, x); total = sum(line);");
    EXPECT_EQ(text_of(first, 0), "line_parts by sum over x y in 128 lanes, in parts");
    EXPECT_EQ(text_of(first, 1), "line by sum over line_part in 128 lanes");
    const Program last = read_case("p = sum(u, z); total = sum(p);", "float p[x, y];");
    EXPECT_EQ(text_of(last, 0), "p_parts by sum over z in 8 lanes, in parts");
    // In the order of the field that has the most axes, wherever it stands.
    const Program mixed = read_case("total = sum(z*v*u);");
    EXPECT_EQ(text_of(mixed, 0), "total_parts by sum over x y z in 1024 lanes, in parts");
}

TEST(Reduction, MayRunAlongAnAxisOfNoField) {
    const Program named = read_case("s = sum(v*j, j); total = sum(s);", "float s[x]; axis j = 5;");
    EXPECT_EQ(text_of(named, 0), "s_parts by sum over j in 1 lanes, in parts");
    const Program all = read_case("total = sum(v*j + m);", "axis j = 5; axis m = 2*extent(x);");
    EXPECT_EQ(text_of(all, 0), "total_sum_first_parts by sum over m in 1 lanes, in parts");
    EXPECT_EQ(text_of(all, 2), "total_parts by sum over x j in 1024 lanes, in parts");
    EXPECT_EQ(axes_by_length(all).size(), 5U) << "j, m, t and those of the parts";
}

TEST(Reduction, OfMoreCellsThanWordsIsChained) {
    const std::string fields = "float a[x,j], b[j,m], w[m], s[x,m], q[x], r[m]; axis j = 5; axis m = 6;";
    const auto last = [&](const std::string& sum) {
        const Program program = read_case(
            "a = 1; b = 2; w = 3; s = 0; q = 0; r = 0; " + sum + " total = s[x = 0, m = 0] + q[x = 0] + r[m = 0];",
            fields);
        for (const Statement& s : program.statements)
            if (const auto* f = std::get_if<FieldStatement>(&s); f != nullptr && f->fold) return f->fold->chained;
        throw std::out_of_range(sum);
    };
    EXPECT_TRUE(last("s = sum(a*b, j);"));
    EXPECT_TRUE(last("s = sum(a*b*w + j, j);"));
    EXPECT_TRUE(last("q = sum(w*(v - m), m);")) << "v[x] and w[m]";
    EXPECT_TRUE(last("q = sum(a*b, j, m);")) << "along m first";
    EXPECT_FALSE(last("q = sum(a, j);")) << "a has all axes";
    EXPECT_TRUE(last("q = sum(a[j = 4 - j]*w[m = 0], j);"))
        << "a window: few cells, and a position that goes along them";
    EXPECT_TRUE(last("q = sum(v[x = x + j - 2]*a, j);")) << "a window";
    EXPECT_FALSE(last("q = sum(k[y = extent(y) - 1 - y], y);")) << "as long as the data are";
    EXPECT_FALSE(last("r = sum(b*w, j);"));
}

TEST(Reduction, EqualOnesOfAStatementAreOne) {
    const Program program = read_case("total = sum(u)*sum(u) + sum(u, x, y, z) + minimum(u) + sum(v);");
    EXPECT_EQ(program.statements.size(), 3 * 2 + 1U);
}

/// An integer overflows where one is asked for alone.
TEST(Reduction, SumsOfIntegersAreRealWhereRealsAreAskedFor) {
    const auto type = [](const std::string& statement, const char* name) {
        const Program program = read_case(statement, "int n[]; int a[j], b[m]; float s[x, y]; axis j = 5; axis m = 6;");
        for (const Variable& v : program.variables)
            if (v.name == name) return std::get<FieldShape>(v.shape).type;
        throw std::out_of_range(name);
    };
    EXPECT_EQ(type("total = 0.5*sum(k);", "total_sum"), CellType::float32);
    EXPECT_EQ(type("total = 0.5*sum(k);", "total_sum_parts"), CellType::float64);
    EXPECT_EQ(type("total = mean(k);", "total_mean"), CellType::float32);
    EXPECT_EQ(type("n = 2*sum(k); total = n;", "n_sum"), CellType::int32);
    // Along one axis first, of pairs.
    EXPECT_EQ(type("a = j; b = m; total = 0.5*sum(a + b);", "total_sum_first"), CellType::float32);
    EXPECT_EQ(type("a = j; b = m; n = sum(a + b); total = n;", "n_sum_first"), CellType::int32);
}

TEST(Reduction, SumsAndProductsAreOfDoubleAndComparisonsOfTheCells) {
    const Program program = read_case("total = sum(u) + maximum(u) + maximum(d) + product(u);");
    const auto type = [&](const char* name) {
        for (const Variable& v : program.variables) {
            if (v.name == name) return std::get<FieldShape>(v.shape).type;
        }
        throw std::out_of_range(name);
    };
    EXPECT_EQ(type("total_sum_parts"), CellType::float64);
    EXPECT_EQ(type("total_sum"), CellType::float32);
    EXPECT_EQ(type("total_maximum_parts"), CellType::float32);
    EXPECT_EQ(type("total_maximum_2"), CellType::float64);
    EXPECT_EQ(type("total_product_parts"), CellType::float64);
    EXPECT_EQ(type("total_product"), CellType::float32);
    const Program integers = read_case("count = sum(k > 0 ? 1 : 0); total = 0;", "int count[];");
    EXPECT_EQ(
        std::get<FieldShape>(integers.variables[std::get<FieldStatement>(integers.statements[0]).target].shape).type,
        CellType::int32);
}

TEST(Reduction, OfIntegersHas64BitsWhereTheTargetOrItsFieldsHave) {
    const auto types = [](const std::string& statement) {
        const Program program = read_case(statement + " total = 0;", "int64 n[x], most[]; int few[];");
        std::vector<CellType> all;
        for (const Statement& s : program.statements) {
            const auto& made = std::get<FieldStatement>(s);
            if (made.fold) all.push_back(std::get<FieldShape>(program.variables[made.target].shape).type);
        }
        return all;
    };
    using Types = std::vector<CellType>;
    EXPECT_EQ(types("n = 0; most = sum(k);"), (Types{CellType::int64, CellType::int64}));
    EXPECT_EQ(types("n = 0; most = 2 + sum(k);"), (Types{CellType::int64, CellType::int64}));
    EXPECT_EQ(types("n = 0; few = sum(n);"), (Types{CellType::int64, CellType::int32}));
    EXPECT_EQ(types("n = 0; few = 2 + minimum(n);"), (Types{CellType::int64, CellType::int64}));
    EXPECT_EQ(types("n = 0; few = sum(k) + n[x = 0];"), (Types{CellType::int32, CellType::int32}));
}

/// Names that came late are taken from no program, and from no library.
TEST(Reduction, AFunctionOfTheProgramKeepsItsName) {
    const std::string own = "function product(a) = 2*a;";
    const Program program = read_case("total = sum(product(u));", own);
    ASSERT_EQ(program.statements.size(), 2U);
    EXPECT_EQ(text_of(program, 0), "total_parts by sum over x y z in 1024 lanes, in parts");
    const Program field = read_case("product = product(u); total = product;", "float product[];");
    EXPECT_EQ(text_of(field, 1), "product by product over product_part in 1024 lanes");
}

TEST(Reduction, AFunctionOfTheLibraryKeepsItsName) {
    Library library;
    library.field_functions.push_back({make_source("early.kas",
                                                   "function early(u) = product(u);\nfunction product(u) = u + 1;\n"
                                                   "function late(u) = product(u);\n")});
    const auto folds = [&](const std::string& value, const std::string& own = "") {
        const auto program = read_program(
            make_source("case.kas", own + "float u[x], r[]; input u; r = maximum(u)*0 + " + value + "; return r;"),
            library);
        if (!program) throw std::runtime_error(render_text(program.diagnostics));
        int count = 0;
        for (const Statement& s : program->statements) {
            const auto& field = std::get<FieldStatement>(s);
            count += field.fold && field.fold->op == FoldOperator::product && field.fold->parts ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(folds("sum(product(u))"), 0);
    EXPECT_EQ(folds("sum(late(u))"), 0);
    EXPECT_EQ(folds("early(u)"), 1) << "the library's own stands below it";
    EXPECT_EQ(folds("early(u) + sum(product(u))", "function product(v) = v - 1;"), 1);
}

/// Reductions by name are no more than what they stand for: the fields between have another name.
TEST(Reduction, ByNameIsWhatItStandsFor) {
    const auto expect_same = [](const std::string& name, const std::string& named, const std::string& written) {
        const auto printed = [](const std::string& value) {
            return print(read_case("line = z; total = 1 + " + value + "; v = v + (" + value + ")*2;"), Library{});
        };
        std::string expected = printed(written);
        for (std::size_t at = 0; (at = expected.find("_sum", at)) != std::string::npos;)
            expected.replace(at, 4, "_" + name);
        EXPECT_EQ(printed(named), expected);
    };
    expect_same("count", "count(u > 0 || d < 1)", "sum(u > 0 || d < 1 ? 1 : 0)");
    expect_same("norm", "norm(u - 1)", "sqrt(sum((u - 1)*(u - 1)))");
    expect_same("norm", "norm(line, z)", "sqrt(sum(line*line))");
    expect_same("mean", "mean(u*u)", "sum(u*u)/(1*extent(x)*extent(y)*extent(z))");
    expect_same("mean", "minimum(mean(u, y, x), z)", "minimum(sum(u, x, y)/(1*extent(x)*extent(y)), z)");
}

TEST(Reduction, PositionsAreTheFirstOfTheExtreme) {
    const auto printed = [](const std::string& statement, const std::string& fields = "") {
        return print(read_case(statement, fields), Library{});
    };
    const std::string one = printed("line = z; total = argmin(line);");
    EXPECT_NE(one.find("minimum(line == total_minimum ? z : extent(z))"), std::string::npos) << one;
    const std::string some = printed("at = argmax(u, y); total = 0;", "int at[x, z];");
    EXPECT_NE(some.find("at = minimum(u == at_maximum ? y : extent(y), y);"), std::string::npos) << some;
    const std::string unread = printed("total = argmax(sin(j));", "axis j = 5;");
    EXPECT_NE(unread.find("? j : extent(j))"), std::string::npos) << unread;
    EXPECT_THROW((void)printed("total = argmax(u);"), std::runtime_error) << "along three axes";
    EXPECT_THROW((void)printed("total = argmax(u, x, y);"), std::runtime_error);
}

TEST(Reduction, OfConditionsAreConditions) {
    const auto printed = [](const std::string& condition) {
        return print(read_case("total = " + condition + " ? 1.5 : 3;"), Library{});
    };
    const std::string any = printed("any(u > 2) && v[x = 0] < 1"), all = printed("!all(u > 2, x, y, z)");
    EXPECT_NE(any.find("total_any = maximum(u > 2 ? 1 : 0);\n"), std::string::npos) << any;
    EXPECT_NE(any.find("total = total_any > 0 && "), std::string::npos) << any;
    EXPECT_NE(all.find("total_all = minimum(u > 2 ? 1 : 0);\ntotal = !(total_all > 0) ? 1.5 : 3;\n"), std::string::npos)
        << all;
}

TEST(Reduction, ByNameSharesTheFoldOfWhatItStandsFor) {
    EXPECT_EQ(read_case("total = norm(u) + sum(u*u) + mean(u*u);").statements.size(), 2 + 1U);
}

TEST(Reduction, CountsAreIntegersWhereTheseAreWanted) {
    const Program program = read_case("n = count(k > 0); some = any(k > 0) ? 1 : 0; total = 0;", "int n[], some[];");
    ASSERT_EQ(program.statements.size(), 6U);
    for (const std::size_t fold : {0U, 2U}) {
        const auto& parts = std::get<FieldStatement>(program.statements[fold]);
        EXPECT_EQ(std::get<FieldShape>(program.variables[parts.target].shape).type, CellType::int32);
    }
}

TEST(Reduction, PartsAreOfSomeHundredOrThousandCells) {
    const Parts whole = parts_of({}, true, true), rows = parts_of({}, false, true),
                columns = parts_of({}, false, false);
    EXPECT_EQ(part_count(1, whole), 1);
    EXPECT_EQ(part_count(4096, whole), 1);
    EXPECT_EQ(part_count(4097, whole), 2);
    EXPECT_EQ(part_count(1LL << 40, whole), 16384);
    EXPECT_EQ(part_count(16384, rows), 32);
    EXPECT_EQ(part_count(16384, columns), 64);
    EXPECT_EQ(part_count(1LL << 40, columns), 1LL << 32);
    EXPECT_EQ(fold_share(4097, whole, 1024), 4096);
    EXPECT_EQ(fold_share(1LL << 28, whole, 1024), 16384);
    EXPECT_EQ(fold_share(700, rows, 128), 512);
    const Program program = read_case("total = sum(u);");
    for (const Axis& axis : program.axes) {
        if (!axis.parts) continue;
        std::vector<long long> extents(program.axes.size(), 0);
        for (const auto& [each, parts] : {std::pair{16, 1}, {17, 2}, {256, 4096}, {4000, 16384}}) {
            for (const AxisId folded : axis.parts->of) extents[folded.index] = each;
            EXPECT_EQ(evaluate(*axis.fallback_extent, {}, {}, extents), parts) << each;
        }
    }
}

}  // namespace
}  // namespace kasc
