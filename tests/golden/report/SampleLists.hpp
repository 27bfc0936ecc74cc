// The lists of the sample report of the user guide, section 10.5, as numbers.
#pragma once
#include <cstdint>

namespace sample {

struct Type {
  const char *name;
  std::uint64_t memoryBytes, instances, cycles;
};
constexpr Type kTypes[] = {
    {"poplin::ConvPartial1x1Out<float,float,true,false>", 185792, 808, 764028},
    {"poplin::ReduceAdd<float,float>", 117728, 376, 154116},
    {"poprand::SetSeedSupervisor", 34048, 1216, 177536},
    {"poplar_rt::Memcpy64BitSupervisor", 31468, 203, 59048},
    {"poplar_rt::DstStridedCopyDA32", 30242, 1393, 509173},
    {"poplin::Transpose2d<float>", 23784, 99, 4770},
    {"popops::ScaledAddSupervisor<float,float,true>", 18336, 460, 139812},
    {"popnn::NonLinearityGradSupervisor<float,popnn::NonLinearityType::SIGMOID>", 13024, 68, 14628},
    {"popnn::NonLinearitySupervisor<float,popnn::NonLinearityType::SIGMOID>", 12512, 68, 15780},
    {"poplar_rt::StridedCopyDA32", 9043, 455, 83995},
    {"popops::EncodeOneHot<unsigned int,float>", 3120, 20, 4408},
    {"poplar_rt::DstStridedCopy64BitMultiAccess", 2677, 41, 2437},
    {"popops::Reduce<popops::ReduceAdd,float,float,false,2>", 1632, 112, 3584},
    {"poplar_rt::ShortMemcpy", 1324, 73, 5256},
    {"popops::ScaledAdd2D<float,true>", 1164, 39, 1371},
    {"popops::ScaledReduce<popops::ReduceAdd,float,float,true,1>", 888, 32, 1600},
    {"popnn::LossSumSquaredTransform<float>", 816, 8, 792},
    {"poplar_rt::StridedCopy64BitMultiAccess", 719, 33, 1388},
    {"poplar_rt::DstStridedMemsetZero64Bit", 416, 18, 740},
    {"popnn::ReduceMaxClassGather<float,unsigned int>", 384, 16, 1056},
    {"popops::Reduce<popops::ReduceAdd,float,float,false,1>", 368, 16, 912},
    {"poplar_rt::MemsetZero", 172, 1, 15},
    {"popops::Reduce<popops::ReduceAdd,float,float,false,3>", 152, 4, 144},
    {"popnn::CalcAccuracy<unsigned int>", 72, 1, 78},
    {"poplar_rt::MemsetZero64Bit", 68, 2, 26},
    {"popops::ScaledReduce<popops::ReduceAdd,float,float,true,0>", 56, 2, 100},
};

struct Sized {
  const char *name;
  std::uint64_t bytes;
};
constexpr Sized kAlwaysLive[] = {
    {"<anon>", 48},
    {"<const>", 120},
    {"Layer1/Fwd/Conv_1/worklists", 14112},
    {"Layer3/Bwd/Conv_1/worklists", 72},
    {"Layer3/Fwd/Conv_1/worklists", 144},
    {"Layer3/Wu/ReduceFinalStage/IntermediateToOutput/numPartials", 60},
    {"Layer5/Bwd/LossSumSquared/offset", 112},
    {"Layer5/Bwd/LossSumSquared/reduce_loss/ReduceOnTile/InToIntermediateNoExchange/numPartials", 32},
    {"Layer5/Bwd/LossSumSquared/sliceLen", 128},
    {"ValuePadder/padding", 16},
    {"controlCode", 467696},
    {"copyDescriptor", 16161},
    {"hostExchangeCode", 211132},
    {"hostExchangePacketHeader", 10720},
    {"internalExchangeCode", 215364},
    {"numCorrect", 4},
    {"stack", 3852288},
    {"vectorListDescriptor", 528},
    {"vertexCode", 1097868},
    {"vertexFieldData", 24052},
    {"vertexInstanceState", 65768},
};

struct Bin {
  std::uint64_t kilobytes, tiles;
};
constexpr Bin kHistogram[] = {{3, 824}, {4, 0},  {5, 0},  {6, 0},  {7, 168}, {8, 44}, {9, 126}, {10, 30}, {11, 16},
                              {12, 0},  {13, 0}, {14, 2}, {15, 2}, {16, 3},  {17, 0}, {18, 0},  {19, 1}};

} // namespace sample
