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

/// The same rows when neighbours share their buses message by message.
void printSharedBuses(const std::vector<PublishedRow> &all) {
  std::vector<PublishedRow> whole, messages;
  for (const PublishedRow &row : all)
    if (row.byMessage != 0) {
      whole.push_back(row);
      messages.push_back(row);
      messages.back().ours[0] = row.byMessage;
    }
  std::puts(
      "\n"
      "With `popscope.sharedBus` = `messages` neighbours share their buses message by message, not only where they "
      "receive the same\n"
      "altogether ([CYCLES.md](CYCLES.md), \"Releases\"). The rule came from rows looked at and from what PopLibs' "
      "planner counts with; bytes stay. Of the\n"
      "rows that were run with it, too:\n\n"
      "| Cycles: median error, without sign | rows | buses as a whole | by message | nearer | further off | as far |\n"
      "|---|---|---|---|---|---|---|");
  for (const bool held : {false, true}) {
    int rows = 0, nearer = 0, further = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (whole[i].heldBack == held) {
        const double before = std::abs(errorOf(whole[i], 0)), now = std::abs(errorOf(messages[i], 0));
        ++rows;
        nearer += now < before ? 1 : 0;
        further += now > before ? 1 : 0;
      }
    std::printf("| %s | %d | %.2f %% | %.2f %% | %d | %d | %d |\n", held ? "held back" : "looked at", rows,
                median(whole, held, 0), median(messages, held, 0), nearer, further, rows - nearer - further);
  }
  std::puts("\n| Row where they differ | | cycles: published | whole | error | by message | error "
            "|\n|---|---|---|---|---|---|---|");
  for (std::size_t i = 0; i < whole.size(); ++i)
    if (whole[i].ours[0] != messages[i].ours[0])
      std::printf("| %s | %s | %s | %s | %+.2f %% | %s | %+.2f %% |\n", whole[i].name,
                  whole[i].heldBack ? "held back" : "looked at", grouped(whole[i].published[0]).c_str(),
                  grouped(whole[i].ours[0]).c_str(), errorOf(whole[i], 0), grouped(messages[i].ours[0]).c_str(),
                  errorOf(messages[i], 0));
}

} // namespace

std::vector<PublishedRow> publishedRows() {
  return {
      {"fc_layer_80_1324_100", "fully connected", false, {15822, 6667667, 132536}, {17638, 6661324, 132512}, 16678},
      {"inception_tr_bs1_i10_dmax_pool", "pooling", false, {36221, 4324100, 17304}, {36737, 4394710, 16608}, 36737},
      {"bert_proj_128x768x768", "fully connected", false, {29003, 25719950, 135192}, {34601, 25964844, 135168}, 30505},
      {"bert_proj_128x1024x1024",
       "fully connected",
       false,
       {42595, 34525338, 135192},
       {49321, 34569672, 135168},
       43497},
      {"resnet50_tr_bs1_bm128L0A0_reduce", "reduction", false, {2591, 322561, 16440}, {2825, 320258, 16416}, 2825},
      {"fc_layer_4_1000_5_half", "fully connected", false, {11789, 636861, 131128}, {9876, 637174, 131104}, 9876},
      {"mobilenet_depthwise_6",
       "depthwise convolution",
       false,
       {12882, 16724785, 135400},
       {14911, 16866622, 135368},
       14911},
      {"inception_tr_bs1_i9_dmax_pool", "pooling", false, {47963, 5048072, 17032}, {35809, 2986146, 16520}, 35809},
      {"inception_tr_bs4_i8_b3x3",
       "larger convolution",
       false,
       {39069, 39955744, 140344},
       {44859, 39936836, 140320},
       41179},
      {"resnet50_tr_bs4_bm512L0A0",
       "convolution 1x1",
       false,
       {39840, 46302163, 135320},
       {48347, 47743722, 135296},
       42371},
      {"inception_tr_bs1_i4_cmaxpool", "pooling", false, {29333, 4136852, 17976}, {30115, 4032500, 3696}, 30115},
      {"mobilenet_depthwise_2",
       "depthwise convolution",
       false,
       {45258, 55665393, 142056},
       {46130, 61645995, 142024},
       46128},
      {"resnet50_tr_bs4_bm256L0A0",
       "convolution 1x1",
       false,
       {38792, 37592816, 136728},
       {46925, 39044606, 136704},
       42629},
      {"inception_tr_bs4_i9_c1x1",
       "convolution 1x1",
       false,
       {44655, 39137722, 136600},
       {53136, 41054698, 136576},
       46960},
      {"resnet50_tr_bs4_bm64L0", "convolution 1x1", false, {26012, 30898702, 133784}, {29389, 30902166, 133760}, 28717},
      {"inception_tr_bs4_i1_db1x1",
       "convolution 1x1",
       false,
       {18949, 22612253, 134232},
       {23852, 23090024, 134208},
       22680},
      {"gemm_200x64x10000", "matrix product", false, {11597, 35728944, 138008}, {12404, 35645122, 137984}, 12404},
      {"resnet50_tr_bs4_bm256L0A2",
       "convolution 1x1",
       false,
       {54079, 49215004, 136728},
       {66025, 50712816, 136704},
       57633},
      {"inception_tr_bs4_i6_b1x7",
       "larger convolution",
       false,
       {57193, 52615506, 137624},
       {59409, 51249340, 137600},
       54921},
      {"bert_reduce_4", "reduction", false, {2446, 1036460, 1076}, {2507, 1055192, 1088}, 2507},
      {"inception_tr_bs4_i9_d1x1",
       "convolution 1x1",
       false,
       {26682, 27915496, 134424},
       {33805, 29713258, 134400},
       30477},
      {"fc_layer_1_1000_5_half", "fully connected", false, {12120, 527244, 131128}, {12885, 572506, 131104}, 12885},
      {"inception_tr_bs4_i1_b1x1",
       "convolution 1x1",
       false,
       {23598, 27295029, 134232},
       {29656, 27763338, 134208},
       26588},
      {"fc_layer_4_1000_1000_float",
       "fully connected",
       false,
       {19068, 11134915, 134936},
       {19946, 11168630, 134912},
       19945},
      {"resnet50_tr_bs1_bm128L0_reduce", "reduction", false, {3065, 944862, 16440}, {3031, 943412, 16416}, 3031},
      {"resnet50_tr_bs4_bm128L1A0",
       "convolution 1x1",
       false,
       {53350, 53348458, 136600},
       {63681, 54801688, 136576},
       56969},
      {"inception_tr_bs1_i6_dmaxpool", "pooling", false, {15290, 2692521, 17448}, {15881, 2787338, 16480}, 15881},
      {"inception_tr_bs4_i6_b1x1",
       "convolution 1x1",
       false,
       {43099, 40076215, 137240},
       {52050, 41255542, 137216},
       46378},
      {"bert_reduce_3", "reduction", false, {2758, 553960, 2568}, {2775, 571912, 2488}, 2775},
      {"inception_tr_bs4_i4_b3x3b",
       "larger convolution",
       false,
       {44974, 35882601, 141464},
       {47165, 35492070, 141440},
       44638},
      {"mobilenet_depthwise_12",
       "depthwise convolution",
       false,
       {19584, 15506474, 133096},
       {18251, 14112606, 133064},
       18251},
      {"bert_grouped_12x384x64x384",
       "fully connected",
       false,
       {36450, 32939150, 137240},
       {39154, 34422694, 137216},
       36386},
      {"bert_reduce_2", "reduction", false, {2758, 553960, 2568}, {2775, 571912, 2488}, 2775},
      {"mobilenet_conv_pw_7_1", "convolution 1x1", false, {56819, 48067226, 137688}, {66472, 49083416, 137664}, 57956},
      {"inception_tr_bs1_i1_dmaxpool", "pooling", false, {18097, 4811156, 18056}, {18874, 5558896, 16776}, 18874},
      {"inception_tr_bs4_i6_c1x7b",
       "larger convolution",
       true,
       {63042, 61504273, 138968},
       {65138, 61289262, 138944},
       59790},
      {"inception_tr_bs4_i2_a1x1",
       "convolution 1x1",
       true,
       {31160, 39133519, 135256},
       {35274, 39957856, 135232},
       33714},
      {"inception_tr_bs4_i10_c1x1",
       "convolution 1x1",
       true,
       {62753, 54219497, 143384},
       {71801, 58707844, 143360},
       64305},
      {"inception_tr_bs4_i3_b1x1",
       "convolution 1x1",
       true,
       {28411, 36469519, 135832},
       {36184, 37955472, 135808},
       32488},
      {"gemm_200x256x30000", "matrix product", true, {77980, 145695688, 150936}, {79615, 146195356, 150912}, 78623},
      {"fc_layer_1440x100x200", "fully connected", true, {23431, 14441901, 132696}, {25542, 14037220, 132672}, 23590},
      {"mobilenet_conv_pw_6_1", "convolution 1x1", true, {35635, 30097104, 136728}, {42962, 31323744, 136704}, 38666},
      {"inception_tr_bs4_i1_b5x5",
       "larger convolution",
       true,
       {81364, 55907196, 138936},
       {87230, 56206584, 138912},
       81122},
      {"resnet50_tr_bs4_bm512L0A2",
       "convolution 1x1",
       true,
       {57713, 51090848, 135320},
       {67633, 52720572, 135296},
       59105},
      {"inception_tr_bs1_i3_dmaxpool", "pooling", true, {31882, 7974488, 18904}, {32559, 8370238, 16968}, 32559},
      {"mobilenet_conv_pw_13_1", "convolution 1x1", true, {58993, 50492812, 135320}, {67979, 51326958, 135296}, 59451},
      {"fc_layer_4_1000_5_float", "fully connected", true, {9397, 702871, 131160}, {10545, 732810, 131136}, 10545},
      {"mobilenet_conv_pw_12_1", "convolution 1x1", true, {36949, 42888377, 135320}, {44852, 44258804, 135296}, 38876},
      {"bert_grouped_16x128x64x128",
       "fully connected",
       true,
       {15302, 9262084, 133144},
       {17640, 9268058, 133120},
       16612},
      {"inception_tr_bs4_i5_a1x1",
       "convolution 1x1",
       true,
       {49291, 43620297, 138488},
       {58351, 45190144, 138464},
       52231},
      {"inception_tr_bs4_i1_a1x1",
       "convolution 1x1",
       true,
       {27056, 32406922, 135256},
       {31540, 32895432, 135232},
       29976},
      {"gemm_200x64x20000", "matrix product", true, {18424, 49273128, 144376}, {19068, 49157072, 144352}, 19068},
      {"inception_tr_bs1_i2_dmaxpool", "pooling", true, {14782, 7338996, 18632}, {15836, 7904908, 16904}, 15836},
      {"inception_tr_bs1_pool1", "pooling", true, {17580, 14613084, 22248}, {18294, 14864084, 16952}, 18294},
      {"mobilenet_conv_pw_2_1", "convolution 1x1", true, {33449, 49796604, 136408}, {41787, 50649000, 136384}, 38467},
      {"inception_tr_bs4_i5_b1x1",
       "convolution 1x1",
       true,
       {37189, 35017338, 136024},
       {44996, 36044174, 136000},
       40488},
      {"mobilenet_depthwise_5",
       "depthwise convolution",
       true,
       {39866, 28739013, 135784},
       {31275, 27736484, 135752},
       31131},
      {"bert_grouped_16x384x64x384",
       "fully connected",
       true,
       {44504, 40967084, 139288},
       {48876, 40998424, 139264},
       45804},
      {"inception_tr_bs4_i2_b1x1",
       "convolution 1x1",
       true,
       {26732, 33645730, 135256},
       {34549, 34870394, 135232},
       30745},
      {"fc_layer_1_1000_1000_float", "fully connected", true, {34433, 8682772, 32952}, {35764, 8723788, 22784}, 35764},
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
            "and the options that PopLibs gives each, on 22 November 2026, with `popscope.stackRule` = `linked` and\n"
            "`popscope.openingRule` = `byPrograms` ([CYCLES.md](CYCLES.md), \"Releases\"). Small ones ran first, so "
            "the list is blind to names and not\n"
            "to size: it has 38 of the first 64 and 22 of the next. Stopped after five minutes, on a machine that did "
            "other work:\n"
            "bert_kqv_128x768x2304, resnet50_tr_bs4_bm128L0A0, bert_ffn2_128x3072x768, mobilenet_conv_pw_3_1, "
            "bert_ffn1_128x768x3072 and fc_layer_4_1000_1000_half.\n"
            "The others of the 128 were not run. Ours are records of these runs: PopLibs is not part of this "
            "repository, and no test runs it.\n"
            "No constant was fitted to a row; the opening, the order of streams and the memory elements of copies were "
            "chosen while rows looked\n"
            "at, and reductions outside the 128, were seen.\n");
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
  printSharedBuses(rows);
}

} // namespace compare
