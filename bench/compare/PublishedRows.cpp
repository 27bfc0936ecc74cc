#include "bench/compare/PublishedRows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
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

/// Median of the errors with their sign, the smallest and the largest.
std::array<double, 3> spread(const std::vector<PublishedRow> &rows, const std::string &kind, std::size_t figure) {
  std::vector<double> errors;
  for (const PublishedRow &row : rows)
    if (row.kind == kind)
      errors.push_back(errorOf(row, figure));
  std::sort(errors.begin(), errors.end());
  const std::size_t half = errors.size() / 2;
  return {errors.size() % 2 == 1 ? errors[half] : (errors[half - 1] + errors[half]) / 2, errors.front(), errors.back()};
}

void printKinds(const std::vector<PublishedRow> &rows) {
  std::map<std::string, std::size_t> kinds;
  for (const PublishedRow &row : rows)
    ++kinds[row.kind];
  std::puts("\n| Kind of row: median error, with sign (from, to) | rows | cycles | total bytes |\n|---|---|---|---|");
  for (const auto &[kind, count] : kinds) {
    std::printf("| %s | %d ", kind.c_str(), static_cast<int>(count));
    for (std::size_t figure = 0; figure < 2; ++figure) {
      const std::array<double, 3> e = spread(rows, kind, figure);
      std::printf("| %+.2f %% (%+.2f, %+.2f) ", e[0], e[1], e[2]);
    }
    std::puts("|");
  }
}

/// The rows as they were with rules that came later taken away one by one: all of the release's first.
std::array<std::vector<PublishedRow>, 3> underRules(const std::vector<PublishedRow> &rows) {
  std::array<std::vector<PublishedRow>, 3> sets{rows, rows, rows};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sets[1][i].ours = {rows[i].byMessage, rows[i].plain[1], 0};
    sets[2][i].ours = {rows[i].plain[0], rows[i].plain[1], 0};
  }
  return sets;
}

void printRules(const std::vector<PublishedRow> &all) {
  const auto sets = underRules(all);
  std::puts("\n"
            "The same rows under other rules ([CYCLES.md](CYCLES.md), \"Releases\"). *Release*: as above. *Copied*: "
            "`popscope.elideCopies` = `false`. *Whole*: this and\n"
            "`popscope.sharedBus` = `whole`, the rules of the built-in ipu1. Both rules came from rows looked at, and "
            "what neighbours share from\n"
            "PopLibs' planner. Bytes do not depend on buses; largest tiles were not recorded under each.\n\n"
            "| Median error, without sign | rows | cycles: release | copied | whole | total bytes: release | copied "
            "|\n|---|---|---|---|---|---|---|");
  for (const bool held : {false, true})
    std::printf("| %s | %d | %.2f %% | %.2f %% | %.2f %% | %.2f %% | %.2f %% |\n", held ? "held back" : "looked at",
                static_cast<int>(
                    std::count_if(all.begin(), all.end(), [&](const PublishedRow &r) { return r.heldBack == held; })),
                median(sets[0], held, 0), median(sets[1], held, 0), median(sets[2], held, 0), median(sets[0], held, 1),
                median(sets[1], held, 1));
  std::puts("\n| Row where they differ | | cycles: published | release | error | copied | error | whole | error "
            "|\n|---|---|---|---|---|---|---|---|---|");
  for (std::size_t i = 0; i < all.size(); ++i)
    if (sets[0][i].ours[0] != sets[1][i].ours[0] || sets[1][i].ours[0] != sets[2][i].ours[0]) {
      std::printf("| %s | %s | %s ", all[i].name, all[i].heldBack ? "held back" : "looked at",
                  grouped(all[i].published[0]).c_str());
      for (const auto &set : sets)
        std::printf("| %s | %+.2f %% ", grouped(set[i].ours[0]).c_str(), errorOf(set[i], 0));
      std::puts("|");
    }
}

} // namespace

std::vector<PublishedRow> publishedRows() {
  return {
      {"fc_layer_80_1324_100",
       "fully connected",
       false,
       {15822, 6667667, 132536},
       {16678, 6661324, 132512},
       {17638, 6661324},
       16678},
      {"inception_tr_bs1_i10_dmax_pool",
       "pooling",
       false,
       {36221, 4324100, 17304},
       {36737, 4394710, 16608},
       {36737, 4394710},
       36737},
      {"bert_proj_128x768x768",
       "fully connected",
       false,
       {29003, 25719950, 135192},
       {30125, 25757436, 135168},
       {34601, 25964844},
       30505},
      {"resnet50_tr_bs1_bm128L0A0_reduce",
       "reduction",
       false,
       {2591, 322561, 16440},
       {2825, 320258, 16416},
       {2825, 320258},
       2825},
      {"fc_layer_4_1000_5_half",
       "fully connected",
       false,
       {11789, 636861, 131128},
       {9876, 637174, 131104},
       {9876, 637174},
       9876},
      {"inception_tr_bs1_i9_dmax_pool",
       "pooling",
       false,
       {47963, 5048072, 17032},
       {35809, 2986146, 16520},
       {35809, 2986146},
       35809},
      {"inception_tr_bs1_i4_cmaxpool",
       "pooling",
       false,
       {29333, 4136852, 17976},
       {30115, 4032500, 16528},
       {30115, 4032500},
       30115},
      {"resnet50_tr_bs4_bm64L0",
       "convolution 1x1",
       false,
       {26012, 30898702, 133784},
       {28369, 30901494, 133760},
       {29389, 30902166},
       28717},
      {"gemm_200x64x10000",
       "matrix product",
       false,
       {11597, 35728944, 138008},
       {11955, 35388376, 137984},
       {12404, 35645122},
       12404},
      {"bert_reduce_4", "reduction", false, {2446, 1036460, 1076}, {2507, 1055192, 1088}, {2507, 1055192}, 2507},
      {"fc_layer_1_1000_5_half",
       "fully connected",
       false,
       {12120, 527244, 131128},
       {12885, 572506, 131104},
       {12885, 572506},
       12885},
      {"resnet50_tr_bs1_bm128L0_reduce",
       "reduction",
       false,
       {3065, 944862, 16440},
       {3031, 943412, 16416},
       {3031, 943412},
       3031},
      {"inception_tr_bs1_i6_dmaxpool",
       "pooling",
       false,
       {15290, 2692521, 17448},
       {15881, 2787338, 16480},
       {15881, 2787338},
       15881},
      {"bert_reduce_3", "reduction", false, {2758, 553960, 2568}, {2775, 571912, 2488}, {2775, 571912}, 2775},
      {"bert_reduce_2", "reduction", false, {2758, 553960, 2568}, {2775, 571912, 2488}, {2775, 571912}, 2775},
      {"mobilenet_conv_pw_7_1",
       "convolution 1x1",
       false,
       {56819, 48067226, 137688},
       {57608, 49040408, 137664},
       {66472, 49083416},
       57956},
      {"inception_tr_bs1_i1_dmaxpool",
       "pooling",
       false,
       {18097, 4811156, 18056},
       {18874, 5558896, 16776},
       {18874, 5558896},
       18874},
      {"gemm_200x256x30000",
       "matrix product",
       true,
       {77980, 145695688, 150936},
       {78323, 146015356, 150912},
       {79615, 146195356},
       78623},
      {"fc_layer_1440x100x200",
       "fully connected",
       true,
       {23431, 14441901, 132696},
       {23590, 14037220, 132672},
       {25542, 14037220},
       23590},
      {"mobilenet_conv_pw_6_1",
       "convolution 1x1",
       true,
       {35635, 30097104, 136728},
       {36713, 30864476, 136704},
       {42962, 31323744},
       38666},
      {"inception_tr_bs1_i3_dmaxpool",
       "pooling",
       true,
       {31882, 7974488, 18904},
       {32559, 8370238, 16968},
       {32559, 8370238},
       32559},
      {"mobilenet_conv_pw_13_1",
       "convolution 1x1",
       true,
       {58993, 50492812, 135320},
       {58911, 51278574, 135296},
       {67979, 51326958},
       59451},
      {"fc_layer_4_1000_5_float",
       "fully connected",
       true,
       {9397, 702871, 131160},
       {10545, 732810, 131136},
       {10545, 732810},
       10545},
      {"mobilenet_conv_pw_12_1",
       "convolution 1x1",
       true,
       {36949, 42888377, 135320},
       {37618, 43790728, 135296},
       {44852, 44258804},
       38876},
      {"gemm_200x64x20000",
       "matrix product",
       true,
       {18424, 49273128, 144376},
       {18775, 49112072, 144352},
       {19068, 49157072},
       19068},
      {"inception_tr_bs1_i2_dmaxpool",
       "pooling",
       true,
       {14782, 7338996, 18632},
       {15836, 7904908, 16904},
       {15836, 7904908},
       15836},
      {"inception_tr_bs1_pool1",
       "pooling",
       true,
       {17580, 14613084, 22248},
       {18294, 14864084, 19232},
       {18294, 14864084},
       18294},
      {"mobilenet_conv_pw_2_1",
       "convolution 1x1",
       true,
       {33449, 49796604, 136408},
       {36188, 50081728, 136384},
       {41787, 50649000},
       38467},
      {"fc_layer_1_1000_1000_float",
       "fully connected",
       true,
       {34433, 8682772, 32952},
       {34874, 8718988, 32928},
       {35764, 8723788},
       35764},
  };
}

void printPublishedRows() {
  std::puts("\n"
            "## Benchmark rows of PopLibs 1.2\n"
            "\n"
            "Cycles, total bytes and largest tile (with gaps) of the IPU Model of ipu1, from the benchmark results of "
            "PopLibs, release 1.2,\n"
            "branch of July 2020: 208 rows. The rows were chosen blindly: of their names in the order of their SHA-256 "
            "the first 128, the\n"
            "first, third, fifth ... to look at while rules were chosen, the others held back. Of these those are "
            "listed that were run, by the tool\n"
            "and the options that PopLibs gives each, on 23 November 2026, with the machine file "
            "`target-models/releases/ipu1-release-1.2.json`\n"
            "([CYCLES.md](CYCLES.md), \"Releases\"). Small ones ran first, so the list is blind to names and not\n"
            "to size: it has 38 of the first 64 and 22 of the next. Stopped after five minutes, on a machine that did "
            "other work:\n"
            "bert_kqv_128x768x2304, resnet50_tr_bs4_bm128L0A0, bert_ffn2_128x3072x768, mobilenet_conv_pw_3_1, "
            "bert_ffn1_128x768x3072 and fc_layer_4_1000_1000_half.\n"
            "The others of the 128 were not run. Ours are records of these runs: PopLibs is not part of this "
            "repository, and no test runs it.\n"
            "No constant was fitted to a row; the opening, the order of streams, the memory elements of copies, what "
            "neighbours share and which\n"
            "copies go were chosen while rows looked at, and reductions outside the 128, were seen.\n");
  const std::vector<PublishedRow> rows = publishedRows();
  std::puts("| Median error, without sign | rows | cycles | total bytes | largest tile |\n|---|---|---|---|---|");
  for (const bool held : {false, true})
    std::printf("| %s | %d | %.2f %% | %.2f %% | %.2f %% |\n", held ? "held back" : "looked at",
                static_cast<int>(
                    std::count_if(rows.begin(), rows.end(), [&](const PublishedRow &r) { return r.heldBack == held; })),
                median(rows, held, 0), median(rows, held, 1), median(rows, held, 2));
  printKinds(rows);
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
  printRules(rows);
}

} // namespace compare
