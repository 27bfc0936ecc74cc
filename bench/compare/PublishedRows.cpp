#include "bench/compare/PublishedRows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace compare {
namespace {

std::string grouped(unsigned long long value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}
double errorOf(const PublishedRow &row, std::size_t figure) {
  const auto published = static_cast<double>(row.published[figure]);
  return (static_cast<double>(row.ours[figure]) - published) / published * 100;
}
/// Median of the errors without their sign.
double median(const std::vector<PublishedRow> &rows, bool heldBack, std::size_t figure) {
  std::vector<double> errors;
  for (const PublishedRow &row : rows)
    if (row.heldBack == heldBack)
      errors.push_back(std::abs(errorOf(row, figure)));
  if (errors.empty())
    return 0;
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2;
}

} // namespace

std::vector<PublishedRow> publishedRows() {
  return {
      {"fc_layer_80_1324_100", false, {15822, 6667667, 132536}, {17638, 6661324, 132512}},
      {"inception_tr_bs1_i10_dmax_pool", false, {36221, 4324100, 17304}, {36737, 4394710, 16608}},
      {"resnet50_tr_bs1_bm128L0A0_reduce", false, {2591, 322561, 16440}, {2825, 320258, 16416}},
      {"fc_layer_4_1000_5_half", false, {11789, 636861, 131128}, {9876, 637174, 131104}},
      {"mobilenet_depthwise_6", false, {12882, 16724785, 135400}, {14911, 16866622, 135368}},
      {"inception_tr_bs1_i9_dmax_pool", false, {47963, 5048072, 17032}, {35809, 2986146, 16520}},
      {"inception_tr_bs4_i8_b3x3", false, {39069, 39955744, 140344}, {44859, 39936836, 140320}},
      {"inception_tr_bs1_i4_cmaxpool", false, {29333, 4136852, 17976}, {30115, 4032500, 3696}},
      {"mobilenet_depthwise_2", false, {45258, 55665393, 142056}, {46130, 61645995, 142024}},
      {"inception_tr_bs4_i9_c1x1", false, {44655, 39137722, 136600}, {53136, 41054698, 136576}},
      {"resnet50_tr_bs4_bm64L0", false, {26012, 30898702, 133784}, {29389, 30902166, 133760}},
      {"inception_tr_bs4_i1_db1x1", false, {18949, 22612253, 134232}, {23852, 23090024, 134208}},
      {"gemm_200x64x10000", false, {11597, 35728944, 138008}, {12404, 35645122, 137984}},
      {"bert_reduce_4", false, {2446, 1036460, 1076}, {2507, 1055192, 1088}},
      {"inception_tr_bs4_i9_d1x1", false, {26682, 27915496, 134424}, {33805, 29713258, 134400}},
      {"inception_tr_bs4_i10_c1x1", true, {62753, 54219497, 143384}, {71801, 58707844, 143360}},
      {"gemm_200x256x30000", true, {77980, 145695688, 150936}, {79615, 146195356, 150912}},
      {"fc_layer_1440x100x200", true, {23431, 14441901, 132696}, {25542, 14037220, 132672}},
      {"mobilenet_conv_pw_6_1", true, {35635, 30097104, 136728}, {42962, 31323744, 136704}},
      {"resnet50_tr_bs4_bm512L0A2", true, {57713, 51090848, 135320}, {67633, 52720572, 135296}},
      {"inception_tr_bs1_i3_dmaxpool", true, {31882, 7974488, 18904}, {32559, 8370238, 16968}},
      {"mobilenet_conv_pw_13_1", true, {58993, 50492812, 135320}, {67979, 51326958, 135296}},
      {"fc_layer_4_1000_5_float", true, {9397, 702871, 131160}, {10545, 732810, 131136}},
      {"mobilenet_conv_pw_12_1", true, {36949, 42888377, 135320}, {44852, 44258804, 135296}},
      {"bert_grouped_16x128x64x128", true, {15302, 9262084, 133144}, {17640, 9268058, 133120}},
      {"inception_tr_bs4_i1_a1x1", true, {27056, 32406922, 135256}, {31540, 32895432, 135232}},
      {"gemm_200x64x20000", true, {18424, 49273128, 144376}, {19068, 49157072, 144352}},
  };
}

void printPublishedRows() {
  std::puts("\n## Benchmark rows of PopLibs 1.2\n\n"
            "Cycles, total bytes and largest tile (with gaps) of the IPU Model of ipu1, from the benchmark results of "
            "PopLibs, release 1.2,\n"
            "branch of July 2020: 208 rows. The rows were chosen blindly: of their names in the order of their SHA-256 "
            "the first 64, the\n"
            "first, third, fifth ... to look at while rules were chosen, the others held back. Of the 64 those are "
            "listed that were run, short ones\n"
            "first (so the list is not blind to size), each by the tool and the options that PopLibs gives it, on 22 "
            "November 2026, with `popscope.stackRule` = `linked` and\n"
            "`popscope.openingRule` = `byPrograms` ([CYCLES.md](CYCLES.md), \"Releases\"). Ours are records of these "
            "runs: PopLibs is not part of\n"
            "this repository, and no test runs it. No constant was fitted to a row; the opening, the order of streams "
            "and the memory elements of\n"
            "copies were chosen while rows looked at, and reductions outside the 64, were seen.\n");
  const std::vector<PublishedRow> rows = publishedRows();
  std::puts("| Median error, without sign | rows | cycles | total bytes | largest tile |\n|---|---|---|---|---|");
  for (const bool held : {false, true})
    std::printf("| %s | %d | %.2f %% | %.2f %% | %.2f %% |\n", held ? "held back" : "looked at",
                static_cast<int>(
                    std::count_if(rows.begin(), rows.end(), [&](const PublishedRow &r) { return r.heldBack == held; })),
                median(rows, held, 0), median(rows, held, 1), median(rows, held, 2));
  std::puts("\n| Row | | cycles: published | ours | error | bytes: published | ours | error | largest tile: published "
            "| ours | error |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|");
  for (const PublishedRow &row : rows) {
    std::printf("| %s | %s ", row.name, row.heldBack ? "held back" : "looked at");
    for (std::size_t figure = 0; figure < 3; ++figure)
      std::printf("| %s | %s | %+.2f %% ", grouped(row.published[figure]).c_str(), grouped(row.ours[figure]).c_str(),
                  errorOf(row, figure));
    std::puts("|");
  }
}

} // namespace compare
