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
/// Returns the median of the absolute errors.
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

/// Returns the median of the signed errors, the smallest and the largest.
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
  std::puts("\n| Kind of row: median of the signed errors (minimum, maximum) | rows | cycles | total bytes "
            "|\n|---|---|---|---|");
  for (const auto &[kind, count] : kinds) {
    std::printf("| %s | %d ", kind.c_str(), static_cast<int>(count));
    for (std::size_t figure = 0; figure < 2; ++figure) {
      const std::array<double, 3> e = spread(rows, kind, figure);
      std::printf("| %+.2f %% (%+.2f, %+.2f) ", e[0], e[1], e[2]);
    }
    std::puts("|");
  }
}

/// Returns the rows with the rules of the release, then without dropped copies, then also without the release's rule
/// for shared buses.
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
  std::puts(R"(
The next two tables compare the same rows under other rules ([releases](inside/releases.md)):

- *Release*: the rules of release 1.2, as above.
- *Copied*: the same rules, but with `popscope.elideCopies` = `false`.
- *Whole*: as *Copied*, and with `/rules/sharedBus` = `whole`. The built-in ipu1 has both rules.

The rule for dropped copies and the rule for shared buses were found with rows that were not held back. PopLibs' planner decides which data neighbouring tiles
both receive. Total bytes do not depend on the rule for shared buses. Largest tiles were recorded only under *Release*.
)");
  std::puts("| Median error, without sign | rows | cycles: release | copied | whole | total bytes: release | copied "
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
       {36737, 4258404, 16608},
       {36737, 4258404},
       36737},
      {"bert_proj_128x768x768",
       "fully connected",
       false,
       {29003, 25719950, 135192},
       {30125, 25715964, 135168},
       {34601, 25923372},
       30505},
      {"bert_proj_128x1024x1024",
       "fully connected",
       false,
       {42595, 34525338, 135192},
       {43102, 34523550, 135168},
       {49321, 34532808},
       43497},
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
       {12276, 619906, 131104},
       {12276, 619906},
       12276},
      {"mobilenet_depthwise_6",
       "depthwise convolution",
       false,
       {12882, 16724785, 135400},
       {13321, 15987262, 135368},
       {15391, 16254014},
       15391},
      {"inception_tr_bs1_i9_dmax_pool",
       "pooling",
       false,
       {47963, 5048072, 17032},
       {46410, 4236680, 16520},
       {46410, 4236680},
       46410},
      {"inception_tr_bs4_i8_b3x3",
       "larger convolution",
       false,
       {39069, 39955744, 140344},
       {40117, 38872804, 140320},
       {44916, 39166320},
       41236},
      {"resnet50_tr_bs4_bm512L0A0",
       "convolution 1x1",
       false,
       {39840, 46302163, 135320},
       {41073, 46713512, 135296},
       {48347, 47189482},
       42371},
      {"inception_tr_bs1_i4_cmaxpool",
       "pooling",
       false,
       {29333, 4136852, 17976},
       {30115, 3980498, 16528},
       {30115, 3980498},
       30115},
      {"mobilenet_depthwise_2",
       "depthwise convolution",
       false,
       {45258, 55665393, 142056},
       {46583, 61043691, 142024},
       {46879, 61045035},
       46877},
      {"resnet50_tr_bs4_bm256L0A0",
       "convolution 1x1",
       false,
       {38792, 37592816, 136728},
       {40680, 38146548, 136704},
       {46925, 38606550},
       42629},
      {"inception_tr_bs4_i9_c1x1",
       "convolution 1x1",
       false,
       {44655, 39137722, 136600},
       {45791, 39880818, 136576},
       {53136, 40532450},
       46960},
      {"resnet50_tr_bs4_bm64L0",
       "convolution 1x1",
       false,
       {26012, 30898702, 133784},
       {28369, 30554742, 133760},
       {29389, 30555414},
       28717},
      {"inception_tr_bs4_i1_db1x1",
       "convolution 1x1",
       false,
       {18949, 22612253, 134232},
       {20892, 22340456, 134208},
       {23852, 22683064},
       22680},
      {"gemm_200x64x10000",
       "matrix product",
       false,
       {11597, 35728944, 138008},
       {11955, 34873900, 137984},
       {12404, 35130646},
       12404},
      {"resnet50_tr_bs4_bm256L0A2",
       "convolution 1x1",
       false,
       {54079, 49215004, 136728},
       {55495, 49649258, 136704},
       {66025, 50198920},
       57633},
      {"inception_tr_bs4_i6_b1x7",
       "larger convolution",
       false,
       {57193, 52615506, 137624},
       {54567, 50550328, 137600},
       {59403, 50579728},
       54915},
      {"bert_reduce_4", "reduction", false, {2446, 1036460, 1076}, {2507, 1055192, 1088}, {2507, 1055192}, 2507},
      {"inception_tr_bs4_i9_d1x1",
       "convolution 1x1",
       false,
       {26682, 27915496, 134424},
       {29136, 28248106, 134400},
       {33805, 29212250},
       30477},
      {"fc_layer_1_1000_5_half",
       "fully connected",
       false,
       {12120, 527244, 131128},
       {12885, 550078, 131104},
       {12885, 550078},
       12885},
      {"inception_tr_bs4_i1_b1x1",
       "convolution 1x1",
       false,
       {23598, 27295029, 134232},
       {24767, 27006154, 134208},
       {29656, 27356202},
       26588},
      {"fc_layer_4_1000_1000_float",
       "fully connected",
       false,
       {19068, 11134915, 134936},
       {19945, 11130830, 134912},
       {19946, 11130830},
       19945},
      {"resnet50_tr_bs1_bm128L0_reduce",
       "reduction",
       false,
       {3065, 944862, 16440},
       {3031, 943412, 16416},
       {3031, 943412},
       3031},
      {"resnet50_tr_bs4_bm128L1A0",
       "convolution 1x1",
       false,
       {53350, 53348458, 136600},
       {54733, 53847996, 136576},
       {63681, 54340200},
       56969},
      {"inception_tr_bs1_i6_dmaxpool",
       "pooling",
       false,
       {15290, 2692521, 17448},
       {15881, 2651402, 16480},
       {15881, 2651402},
       15881},
      {"inception_tr_bs4_i6_b1x1",
       "convolution 1x1",
       false,
       {43099, 40076215, 137240},
       {44493, 40223252, 137216},
       {52050, 40792598},
       46378},
      {"bert_reduce_3", "reduction", false, {2758, 553960, 2568}, {2775, 571912, 2488}, {2775, 571912}, 2775},
      {"inception_tr_bs4_i4_b3x3b",
       "larger convolution",
       false,
       {44974, 35882601, 141464},
       {43081, 34596954, 141440},
       {47254, 34900292},
       44727},
      {"mobilenet_depthwise_12",
       "depthwise convolution",
       false,
       {19584, 15506474, 133096},
       {18706, 13598396, 133064},
       {19000, 13609148},
       19000},
      {"bert_grouped_12x384x64x384",
       "fully connected",
       false,
       {36450, 32939150, 137240},
       {35997, 34405414, 137216},
       {39154, 34422694},
       36386},
      {"bert_reduce_2", "reduction", false, {2758, 553960, 2568}, {2775, 571912, 2488}, {2775, 571912}, 2775},
      {"mobilenet_conv_pw_7_1",
       "convolution 1x1",
       false,
       {56819, 48067226, 137688},
       {57608, 48576920, 137664},
       {66472, 48619928},
       57956},
      {"inception_tr_bs1_i1_dmaxpool",
       "pooling",
       false,
       {18097, 4811156, 18056},
       {18874, 4777408, 16776},
       {18874, 4777408},
       18874},
      {"inception_tr_bs4_i6_c1x7b",
       "larger convolution",
       true,
       {63042, 61504273, 138968},
       {58381, 59709326, 138944},
       {65150, 60138290},
       59802},
      {"inception_tr_bs4_i2_a1x1",
       "convolution 1x1",
       true,
       {31160, 39133519, 135256},
       {31821, 39029548, 135232},
       {35274, 39529128},
       33714},
      {"inception_tr_bs4_i10_c1x1",
       "convolution 1x1",
       true,
       {62753, 54219497, 143384},
       {62700, 55846948, 143360},
       {71801, 58219860},
       64305},
      {"inception_tr_bs4_i3_b1x1",
       "convolution 1x1",
       true,
       {28411, 36469519, 135832},
       {30606, 37065460, 135808},
       {36184, 37539176},
       32488},
      {"gemm_200x256x30000",
       "matrix product",
       true,
       {77980, 145695688, 150936},
       {78323, 145405516, 150912},
       {79615, 145585516},
       78623},
      {"fc_layer_1440x100x200",
       "fully connected",
       true,
       {23431, 14441901, 132696},
       {23590, 14015908, 132672},
       {25542, 14015908},
       23590},
      {"mobilenet_conv_pw_6_1",
       "convolution 1x1",
       true,
       {35635, 30097104, 136728},
       {36713, 30430556, 136704},
       {42962, 30889824},
       38666},
      {"inception_tr_bs4_i1_b5x5",
       "larger convolution",
       true,
       {81364, 55907196, 138936},
       {79126, 55362672, 138912},
       {87255, 55811752},
       81147},
      {"resnet50_tr_bs4_bm512L0A2",
       "convolution 1x1",
       true,
       {57713, 51090848, 135320},
       {57793, 51628900, 135296},
       {67633, 52144828},
       59105},
      {"inception_tr_bs1_i3_dmaxpool",
       "pooling",
       true,
       {31882, 7974488, 18904},
       {32559, 7759750, 16968},
       {32559, 7759750},
       32559},
      {"mobilenet_conv_pw_13_1",
       "convolution 1x1",
       true,
       {58993, 50492812, 135320},
       {58911, 50730478, 135296},
       {67979, 50778862},
       59451},
      {"fc_layer_4_1000_5_float",
       "fully connected",
       true,
       {9397, 702871, 131160},
       {10545, 696810, 131136},
       {10545, 696810},
       10545},
      {"mobilenet_conv_pw_12_1",
       "convolution 1x1",
       true,
       {36949, 42888377, 135320},
       {37618, 43218552, 135296},
       {44852, 43686628},
       38876},
      {"bert_grouped_16x128x64x128",
       "fully connected",
       true,
       {15302, 9262084, 133144},
       {16298, 9261914, 133120},
       {17640, 9268058},
       16612},
      {"inception_tr_bs4_i5_a1x1",
       "convolution 1x1",
       true,
       {49291, 43620297, 138488},
       {50273, 43917348, 138464},
       {58351, 44713856},
       52231},
      {"inception_tr_bs4_i1_a1x1",
       "convolution 1x1",
       true,
       {27056, 32406922, 135256},
       {28173, 32145220, 135232},
       {31540, 32493120},
       29976},
      {"gemm_200x64x20000",
       "matrix product",
       true,
       {18424, 49273128, 144376},
       {18775, 48504752, 144352},
       {19068, 48549752},
       19068},
      {"inception_tr_bs1_i2_dmaxpool",
       "pooling",
       true,
       {14782, 7338996, 18632},
       {15836, 7330636, 16904},
       {15836, 7330636},
       15836},
      {"inception_tr_bs1_pool1",
       "pooling",
       true,
       {17580, 14613084, 22248},
       {18294, 14566244, 19232},
       {18294, 14566244},
       18294},
      {"mobilenet_conv_pw_2_1",
       "convolution 1x1",
       true,
       {33449, 49796604, 136408},
       {36188, 49689096, 136384},
       {41787, 50256368},
       38467},
      {"inception_tr_bs4_i5_b1x1",
       "convolution 1x1",
       true,
       {37189, 35017338, 136024},
       {38630, 35054084, 136000},
       {44996, 35590030},
       40488},
      {"mobilenet_depthwise_5",
       "depthwise convolution",
       true,
       {39866, 28739013, 135784},
       {38288, 25103741, 135752},
       {39793, 25487757},
       39649},
      {"bert_grouped_16x384x64x384",
       "fully connected",
       true,
       {44504, 40967084, 139288},
       {45433, 40950040, 139264},
       {48876, 40956952},
       45804},
      {"inception_tr_bs4_i2_b1x1",
       "convolution 1x1",
       true,
       {26732, 33645730, 135256},
       {28903, 34097674, 135232},
       {34549, 34454658},
       30745},
      {"fc_layer_1_1000_1000_float",
       "fully connected",
       true,
       {34433, 8682772, 32952},
       {34874, 8696488, 32928},
       {35764, 8701288},
       35764},
  };
}

namespace {

void printTable(const std::vector<PublishedRow> &rows, bool tells) {
  std::printf(
      "\n| Row %s| cycles: published | ours | error | bytes: published | ours | error | largest tile: published "
      "| ours | error |\n|%s---|---|---|---|---|---|---|---|---|---|\n",
      tells ? "| " : "", tells ? "---|" : "");
  for (const PublishedRow &row : rows) {
    std::printf("| %s ", row.name);
    if (tells)
      std::printf("| %s ", row.heldBack ? "held back" : "looked at");
    for (std::size_t figure = 0; figure < 3; ++figure)
      std::printf("| %s | %s | %+.2f %% ", grouped(row.published[figure]).c_str(), grouped(row.ours[figure]).c_str(),
                  errorOf(row, figure));
    std::puts("|");
  }
}

void printLaterRows() {
  for (const LaterRows &later : laterRows()) {
    std::printf("\n%s%d%s\n", later.before, static_cast<int>(later.rows.size()), later.behind);
    std::printf("The median errors are %.2f %% in cycles, %.2f %% in total bytes, and %.2f %% in the largest tile.\n",
                median(later.rows, true, 0), median(later.rows, true, 1), median(later.rows, true, 2));
    printTable(later.rows, false);
  }
}

struct Errors {
  std::vector<double> signedOnes;
  void add(double error) { signedOnes.push_back(error); }
  [[nodiscard]] static double middle(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  }
  [[nodiscard]] double median() const {
    std::vector<double> sizes = signedOnes;
    for (double &size : sizes)
      size = std::abs(size);
    return middle(sizes);
  }
  void printSpread() const {
    const auto [low, high] = std::minmax_element(signedOnes.begin(), signedOnes.end());
    std::printf("%+.2f %% (%+.2f, %+.2f) ", middle(signedOnes), *low, *high);
  }
};

/// Prints the rows that also ran with the present latencies and costs of copy vertices: the errors by family, then each
/// row with both figures.
void printTodayRows() {
  std::map<std::string, PublishedRow> recorded;
  for (const PublishedRow &row : publishedRows())
    recorded.emplace(row.name, row);
  for (const LaterRows &later : laterRows())
    for (const PublishedRow &row : later.rows)
      recorded.emplace(row.name, row);
  struct Both {
    PublishedRow release, today;
  };
  std::vector<Both> rows;
  std::map<std::string, std::array<Errors, 2>> families;
  std::array<Errors, 2> all;
  Errors bytes;
  for (const TodayRow &row : todayRows()) {
    Both both{recorded.at(row.name), recorded.at(row.name)};
    both.today.ours = row.ours;
    both.today.kind = row.family;
    const std::array<double, 2> errors{errorOf(both.release, 0), errorOf(both.today, 0)};
    for (std::size_t k = 0; k < 2; ++k) {
      families[row.family][k].add(errors[k]);
      all[k].add(errors[k]);
    }
    bytes.add(errorOf(both.today, 1));
    rows.push_back(std::move(both));
  }
  std::printf(
      "\nOn 27 November 2026, %d of the 207 rows ran again with the latencies and copy vertices that the built-in "
      "ipu1 has now. All other rules are the rules of the\nrelease. The median error of the cycles of these rows is "
      "%.2f %%. With the machine file of the release, this error is %.2f %%. The median error\nof the total bytes of "
      "these "
      "rows is %.2f %%.\n",
      static_cast<int>(rows.size()), all[1].median(), all[0].median(), bytes.median());
  std::puts("\n| Family: median of the signed errors of cycles (minimum, maximum) | rows | release | today "
            "|\n|---|---|---|---|");
  for (const auto &[family, errors] : families) {
    std::printf("| %s | %d | ", family.c_str(), static_cast<int>(errors[0].signedOnes.size()));
    errors[0].printSpread();
    std::printf("| ");
    errors[1].printSpread();
    std::puts("|");
  }
  std::puts(
      "\n| Row, today's costs | family | cycles: published | release | error | today | error | bytes: today's error "
      "|\n|---|---|---|---|---|---|---|---|");
  for (const Both &row : rows)
    std::printf("| %s | %s | %s | %s | %+.2f %% | %s | %+.2f %% | %+.2f %% |\n", row.today.name, row.today.kind,
                grouped(row.today.published[0]).c_str(), grouped(row.release.ours[0]).c_str(), errorOf(row.release, 0),
                grouped(row.today.ours[0]).c_str(), errorOf(row.today, 0), errorOf(row.today, 1));
}

/// Prints the common part of the cycle differences, by family.
void printConstantOfARun() {
  std::map<std::string, unsigned long long> published;
  for (const PublishedRow &row : publishedRows())
    published.emplace(row.name, row.published[0]);
  for (const LaterRows &later : laterRows())
    for (const PublishedRow &row : later.rows)
      published.emplace(row.name, row.published[0]);
  std::map<std::string, std::vector<double>> differences;
  for (const TodayRow &row : todayRows())
    differences[row.family].push_back(static_cast<double>(row.ours[0]) - static_cast<double>(published.at(row.name)));
  const std::vector<double> &products = differences["matrix product"];
  const auto alike =
      std::count_if(products.begin(), products.end(), [](double cycles) { return cycles >= 280 && cycles <= 430; });
  std::printf(
      "- *A constant of a run.* %d of %d matrix products take 280 to 430 cycles more than published, whatever "
      "their size. A control copy of the\n  [opening](inside/releases.md#opening) takes 354 cycles. For rows "
      "that run two programs, the median difference is larger: %.0f (pooling), %.0f (fully connected) and %.0f "
      "cycles\n  (convolution 1x1). The median difference for reductions is %.0f cycles, so these figures support "
      "no rule.\n",
      static_cast<int>(alike), static_cast<int>(products.size()), Errors::middle(differences["pooling"]),
      Errors::middle(differences["fully connected"]), Errors::middle(differences["convolution 1x1"]),
      Errors::middle(differences["reduction"]));
}

} // namespace

void printPublishedRows() {
  std::puts(R"(
## Benchmark rows of PopLibs 1.2

The benchmark results of PopLibs (release 1.2, branch of July 2020) have 208 rows. Each row has the cycles, the total bytes, and the bytes of the largest tile
(including gaps) on the IPU Model of ipu1.

*Choice of rows.* The names of the rows were sorted by their SHA-256. Of the first 128 rows in this order, the first, third, fifth and so on could be looked at
while rules were chosen; the others were *held back*. The first table of single rows lists the rows that ran while rules were chosen: 38 of the first 64
rows and 22 of the next 64. Small rows ran first, so the choice of rows depends on their size, but not on their names. The other rows follow below.

*Runs.* PopLibs' own tools ran the rows with PopLibs' options, last on 26 November 2026, with the machine file
`target-models/releases/ipu1-release-1.2.json` ([releases](inside/releases.md)). This file has the latencies and the costs of copy vertices
as of that day. [A later section](#the-rows-with-todays-costs) has the rows with the costs of today. The figures are records of these runs: PopLibs is
not part of this repository, and no test runs it.

*Fitting.* No constant was fitted to a row. When some rules were chosen, the figures of the rows that were looked at, and of reductions outside of the 128 rows,
were known. These rules concern the opening, the order of streams, the memory elements of copies, the sharing of buses, and dropped copies. The rule that equal
constants are stored once comes from the sample report ([SAMPLE.md](SAMPLE.md)); the rows ran again with this rule.
)");
  const std::vector<PublishedRow> rows = publishedRows();
  std::puts("| Median error, without sign | rows | cycles | total bytes | largest tile |\n|---|---|---|---|---|");
  for (const bool held : {false, true})
    std::printf("| %s | %d | %.2f %% | %.2f %% | %.2f %% |\n", held ? "held back" : "looked at",
                static_cast<int>(
                    std::count_if(rows.begin(), rows.end(), [&](const PublishedRow &r) { return r.heldBack == held; })),
                median(rows, held, 0), median(rows, held, 1), median(rows, held, 2));
  printKinds(rows);
  printTable(rows, true);
  printRules(rows);
  printLaterRows();
  std::puts("\n### The rows with today's costs");
  printTodayRows();
  std::puts(R"(
The errors have the following causes and patterns:

- *Strided copies.* Rows that mainly copy on tiles have the largest errors. `gemm_1000x256x30000` and `gemm_1000x512x20000` multiply in parts and update a slice
  after each part. With the machine file of the release, the cycles of these two rows are below the published cycles. With today's costs these cycles are still
  lower, because copies that are strided on both sides are cheaper (`StridedCopyDA32`: 4 cycles per run, from a published transposing copy, instead of 12). For
  `mobilenet_depthwise_2`, `_6` and `_11`, the cycles with the machine file are above the published cycles, and with today's costs these cycles are still
  higher. Copies from adjacent words to strided addresses are more expensive today (`DstStridedCopyDA32`: 44 cycles per run, from published halo programs,
  instead of 10). 64-bit copies are more expensive today, too (11 cycles per run instead of 5 or 6). With today's costs, the errors of five other depthwise
  convolutions are smaller. No single cost per run fits all of these published figures. The reason is unknown.)");
  printConstantOfARun();
  std::puts("- *Bytes.* Depthwise convolutions have the largest errors in total bytes, with both signs. The cause of "
            "these errors is unknown.");
}

} // namespace compare
