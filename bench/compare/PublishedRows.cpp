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

/// Run once on 25 November 2026, when all rules stood; in the order in which they were run.
std::vector<PublishedRow> laterRows() {
  return {
      {"resnet50_tr_bs4_bm256L0A1", "", true, {99439, 89981859, 140952}, {99466, 90408882, 140928}, {}, 0},
      {"gemm_1000x256x20000", "", true, {254673, 247661912, 231448}, {259763, 247258828, 221952}, {}, 0},
      {"bert_kqv_512x768x2304", "", true, {163853, 115708288, 150808}, {161629, 115682850, 150784}, {}, 0},
      {"oct_resnet50_tr_bs4_bm512L0A2_a25", "", true, {70058, 48908866, 139288}, {74965, 48332318, 139264}, {}, 0},
      {"mobilenet_conv_pw_3_1", "", true, {55367, 60133822, 136408}, {57089, 61661552, 136384}, {}, 0},
      {"bert_ffn1_128x1024x4096", "", true, {112128, 99396196, 144920}, {110019, 100521592, 144896}, {}, 0},
      {"bert_ffn1_384x768x3072", "", true, {163403, 117541776, 146648}, {160419, 117511548, 146624}, {}, 0},
      {"resnet50_tr_bs4_bm128L0_projection", "", true, {98942, 102777565, 141720}, {94497, 105838546, 141696}, {}, 0},
      {"bert_ffn1_384x1024x4096", "", true, {257409, 189722666, 171256}, {255825, 196960290, 170720}, {}, 0},
      {"inception_tr_bs4_i1_c3x3b", "", true, {87143, 70129072, 141176}, {88400, 70821038, 141152}, {}, 0},
      {"bert_ffn2_128x3072x768", "", true, {75533, 59755700, 138968}, {74845, 59832952, 138944}, {}, 0},
      {"bert_ffn1_128x768x3072", "", true, {71100, 60156260, 138968}, {71945, 60913176, 138944}, {}, 0},
      {"bert_ffn2_384x3072x768", "", true, {163865, 154291984, 146648}, {160214, 154311236, 146624}, {}, 0},
      {"alexnet_tr_bs4_layer11", "", true, {77146, 63696690, 137304}, {78484, 63108544, 137280}, {}, 0},
      {"gemm_600x512x10000", "", true, {157179, 192957220, 206104}, {157477, 193532524, 178944}, {}, 0},
      {"conv_5x200_1_in_100_out_bs1440", "", true, {310622, 187590132, 203832}, {295183, 199575528, 186720}, {}, 0},
      {"gemm_600x256x30000", "", true, {255044, 223542476, 227224}, {258013, 223061968, 204896}, {}, 0},
      {"bert_kqv_128x768x2304", "", true, {58238, 47317634, 138904}, {58534, 48497038, 138880}, {}, 0},
      {"vgg16_tr_bs4_v1L0", "", true, {196725, 193643715, 250600}, {185001, 184199352, 217288}, {}, 0},
      {"inception_tr_bs4_layer1", "", true, {58895, 68007179, 140696}, {52991, 70633070, 140672}, {}, 0},
      {"oct_resnet50_tr_bs4_bm256L0_projection_a25",
       "",
       true,
       {109062, 77278315, 143672},
       {107729, 78177940, 143648},
       {},
       0},
      {"gemm_200x512x30000", "", true, {163969, 193335168, 193080}, {159189, 194078968, 193056}, {}, 0},
      {"resnet50_tr_bs4_bm512L0_projection", "", true, {98925, 92300692, 140504}, {97375, 95475350, 140480}, {}, 0},
      {"resnet50_tr_bs4_bm128L0A0", "", true, {44144, 49962274, 136600}, {42387, 50935968, 136576}, {}, 0},
      {"bert_kqv_384x1024x3072", "", true, {200970, 192457392, 179352}, {198344, 192427648, 169024}, {}, 0},
      {"bert_proj_384x1024x1024", "", true, {90606, 74123426, 142040}, {88697, 74102456, 142016}, {}, 0},
      {"vgg16_tr_bs4_v4L1", "", true, {1034683, 194915042, 202526}, {1013666, 199324858, 193792}, {}, 0},
      {"fc_layer_4_1000_1000_half", "", true, {22585, 12018010, 134488}, {21316, 11579654, 134464}, {}, 0},
      {"vgg16_tr_bs4_v3L0", "", true, {518782, 215592295, 188854}, {540744, 212749818, 191232}, {}, 0},
      {"oct_resnet50_tr_bs4_bm64L0A1_a25", "", true, {96158, 61938050, 140056}, {90355, 62998858, 140032}, {}, 0},
      {"gemm_1000x512x30000", "", true, {945187, 299711010, 304792}, {966127, 299192162, 261696}, {}, 0},
      {"gemm_600x64x10000", "", true, {23096, 91868904, 151128}, {23445, 91219612, 151104}, {}, 0},
      {"oct_resnet50_tr_bs4_bm256L0A0_a25", "", true, {63766, 41231951, 137368}, {62234, 40894096, 137344}, {}, 0},
      {"resnet50_tr_bs4_bm64L0A1", "", true, {90841, 76728272, 137240}, {91841, 77003492, 137216}, {}, 0},
      {"bert_ffn2_384x4096x1024", "", true, {267863, 188420142, 170776}, {260305, 188476782, 156672}, {}, 0},
      {"resnet50_tr_bs4_bm128L0A1", "", true, {98391, 72545153, 138488}, {94497, 73199776, 138464}, {}, 0},
      {"vgg16_tr_bs4_v3L1", "", true, {928526, 227994107, 204756}, {909774, 230755056, 204288}, {}, 0},
      {"oct_resnet50_tr_bs4_bm64L0_a25", "", true, {29954, 28732699, 134264}, {33273, 28454036, 134240}, {}, 0},
      {"bert_grouped_16x512x64x512", "", true, {71263, 69460816, 147512}, {70932, 69461842, 147488}, {}, 0},
      {"inception_tr_bs4_i9_c3x3", "", true, {94038, 83709746, 136856}, {92661, 84720350, 136832}, {}, 0},
      {"vgg16_tr_bs4_v2L1", "", true, {1039177, 251084774, 249438}, {958232, 270492060, 260608}, {}, 0},
      {"resnet50_tr_bs4_bm64L0_projection", "", true, {56020, 62937894, 141720}, {54884, 63073976, 141696}, {}, 0},
      {"gemm_600x64x30000", "", true, {60400, 163395422, 194584}, {60746, 162731742, 194560}, {}, 0},
      {"bert_ffn1_512x1024x4096", "", true, {332057, 208130936, 176324}, {327138, 208109200, 174976}, {}, 0},
      {"bert_proj_512x768x768", "", true, {71923, 57240824, 139288}, {70832, 57224878, 139264}, {}, 0},
      {"oct_resnet50_tr_bs4_bm128L0_projection_a25",
       "",
       true,
       {117014, 83405067, 140248},
       {110086, 86798848, 140224},
       {},
       0},
      {"resnet50_tr_bs4_bm512L0A1", "", true, {104614, 99511200, 143640}, {100509, 98628744, 143616}, {}, 0},
      {"gemm_1000x256x10000", "", true, {113852, 195795134, 197464}, {114080, 195913558, 177728}, {}, 0},
      {"oct_resnet50_tr_bs4_bm128L0A0_a25", "", true, {57643, 44494220, 135896}, {58035, 44811290, 135872}, {}, 0},
      {"embedding_vlarge_large_indices", "", true, {1147367, 164567154, 161548}, {1145136, 170637528, 177152}, {}, 0},
      {"bert_ffn2_512x3072x768", "", true, {204046, 148478068, 151832}, {201727, 148517606, 151808}, {}, 0},
      {"oct_resnet50_tr_bs4_bm128L0A2_a25", "", true, {65382, 45459426, 137624}, {65576, 45480694, 137600}, {}, 0},
      {"inception_tr_bs4_layer5", "", true, {248131, 226760921, 207664}, {228222, 234511351, 220448}, {}, 0},
      {"gemm_600x256x20000", "", true, {143840, 205281132, 206104}, {144138, 205426764, 189696}, {}, 0},
      {"oct_resnet50_tr_bs4_bm512L0A0_a25", "", true, {63737, 36838217, 137240}, {62492, 36336092, 137216}, {}, 0},
      {"alexnet_tr_bs4_layer4", "", true, {140048, 83526250, 138872}, {139514, 83587160, 138848}, {}, 0},
      {"gemm_1000x64x20000", "", true, {62568, 181055002, 198072}, {62996, 180435214, 198048}, {}, 0},
      {"oct_resnet50_tr_bs4_bm64L1A0_a25", "", true, {67772, 67525797, 143320}, {70773, 67098904, 143296}, {}, 0},
      {"gemm_200x64x30000", "", true, {24730, 68993668, 150936}, {25079, 68239332, 150912}, {}, 0},
      {"oct_resnet50_tr_bs4_bm256L0A1_a25", "", true, {104216, 61310885, 138008}, {108468, 61374702, 137984}, {}, 0},
      {"inception_tr_bs4_layer8", "", true, {97955, 115064569, 173016}, {94236, 119014928, 153952}, {}, 0},
      {"gemm_200x256x10000", "", true, {36211, 64466356, 144376}, {36550, 63729788, 144352}, {}, 0},
      {"mobilenet_depthwise_1", "", true, {58983, 59756374, 141848}, {61168, 61908482, 141824}, {}, 0},
      {"alexnet_tr_bs4_layer7", "", true, {77376, 61578203, 138840}, {78346, 61288428, 138816}, {}, 0},
      {"bert_kqv_512x1024x3072", "", true, {252456, 163042292, 157336}, {249040, 163027540, 157312}, {}, 0},
      {"bert_kqv_384x768x2304", "", true, {130627, 93005280, 145880}, {129758, 92964618, 145856}, {}, 0},
      {"alexnet_tr_bs4_layer1", "", true, {149852, 127051920, 174104}, {139765, 129379092, 174080}, {}, 0},
      {"inception_tr_bs4_i7_b1x7", "", true, {75403, 60735341, 144056}, {71689, 58912210, 144032}, {}, 0},
  };
}

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
  const std::vector<PublishedRow> rows = laterRows();
  std::printf("\nThe other %d of the 128 rows were run once, on 25 November 2026, when all rules stood; none had "
              "run to its end before.\n"
              "Median error %.2f %% in cycles, %.2f %% in total bytes, %.2f %% in the largest tile.\n",
              static_cast<int>(rows.size()), median(rows, true, 0), median(rows, true, 1), median(rows, true, 2));
  printTable(rows, false);
}

} // namespace

void printPublishedRows() {
  std::puts(
      "\n"
      "## Benchmark rows of PopLibs 1.2\n"
      "\n"
      "Cycles, total bytes and largest tile (with gaps) of the IPU Model of ipu1, from the benchmark results of "
      "PopLibs, release 1.2,\n"
      "branch of July 2020: 208 rows. The rows were chosen blindly: of their names in the order of their SHA-256 "
      "the first 128, the\n"
      "first, third, fifth ... to look at while rules were chosen, the others held back. Of these those are "
      "listed that were run, by the tool\n"
      "and the options that PopLibs gives each, last on 25 November 2026, with the machine file "
      "`target-models/releases/ipu1-release-1.2.json`\n"
      "([CYCLES.md](CYCLES.md), \"Releases\"). Small ones ran first, so the list is blind to names and not\n"
      "to size: it has 38 of the first 64 and 22 of the next; larger ones stand last. Ours are records of these runs: "
      "PopLibs "
      "is not part of this repository, and no test runs it.\n"
      "No constant was fitted to a row; the opening, the order of streams, the memory elements of copies, what "
      "neighbours share and which\n"
      "copies go were chosen while rows looked at, and reductions outside the 128, were seen. That equal constants "
      "are one was found in the\n"
      "sample report ([SAMPLE.md](SAMPLE.md)); these rows were run again with it.\n");
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
}

} // namespace compare
