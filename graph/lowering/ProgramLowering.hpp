// ProgramLowering: the second of the two layers of lowering. This layer turns the merged rows of bodies into steps. The
// files LowerPrograms, LowerControl, LowerGroup, LowerCopy, LowerStreamCopy and LowerEngine.cpp implement the members
// of the class. This header is internal to lowering.
#pragma once
#include "graph/lowering/CollectUses.hpp"
#include "graph/lowering/HostPieces.hpp"
#include "graph/lowering/LoweringContext.hpp"
#include "graph/lowering/MergeCopies.hpp"

#include <map>

namespace popscope {

class ProgramLowering {
public:
  /// Creates a lowering. `uses` must be collectUses() of `programs`; functions are lowered after the root, in the order
  /// of `uses.functions`. All three arguments must outlive the lowering.
  ProgramLowering(LoweringContext &context, const GraphUses &uses, const std::vector<ProgramPtr> &programs);
  void run();

private:
  // ---- LowerPrograms.cpp
  /// Lowers the rows of a body. A row is merged only with other rows of this body.
  void lowerBody(NaiveBody body);
  /// Lowers a row that MergeCopies returned unchanged: a border of a Sequence, or a program that is neither a copy nor
  /// a compute set. `sequences` are the steps of the body's open Sequences.
  void lowerRow(const NaiveRow &row, const NaiveBody &body, std::vector<StepIndex> &sequences);
  void lowerPrograms(std::span<const NaiveProgram> merged);
  void lowerBlock(const ProgramNode &p);
  /// Appends a step without children, with the debug context of the program that is being lowered.
  StepIndex push(const LoweredStep &lowered, SourceId source = SourceId());
  /// Records each of `contexts` once for `step`. Skips 0, and the context that StepProgram::contexts already has for
  /// `step`.
  void addContexts(StepIndex step, const std::vector<std::uint64_t> &contexts);
  /// Lowers a program of any kind to a Sequence step. A null program gives an empty Sequence.
  StepIndex lowerAsSequence(const ProgramPtr &program);
  void lowerFunctions();
  /// Appends a step with these touches. If the step gets children, close() must follow them.
  StepIndex open(StepKind kind, const std::string &stepName, std::uint32_t payload = 0,
                 std::vector<Touch> touches = {});
  void close(StepIndex step);
  /// Appends the steps of one occurrence of a program, with a new source id. Does nothing if there are no steps.
  void emit(const LoweredSteps &steps, const std::string &sourceName, ComputeSetId computeSet = ComputeSetId());
  void emitUnsourced(const LoweredSteps &steps, SourceId source = SourceId());
  void readOnly(StepKind kind, const std::string &stepName, std::uint32_t payload, const View &view);
  void lowerWriteUndef(const ProgramNode &p);
  void lowerPrint(const ProgramNode &p);
  void lowerSync(const ProgramNode &p);
  void lowerTileRegister(const ProgramNode &p);
  void lowerMessage(StepKind kind, const ProgramNode &p);
  /// Returns the runs of homes that contain the view, in view order.
  [[nodiscard]] std::vector<HomeBytes> placesOf(const View &view) const;
  void touchView(const View &view, AccessKind kind, std::vector<Touch> &touches) const;

  // ---- LowerControl.cpp
  void lowerRepeat(const ProgramNode &p);
  void lowerWhile(const ProgramNode &p);
  void lowerIf(const ProgramNode &p);
  void lowerSwitch(const ProgramNode &p);
  void lowerAbortOnCondition(const ProgramNode &p);
  void lowerCall(const ProgramNode &p);
  struct ControlWord {
    HomeBytes word;
    VarId copies;
  };
  ControlWord broadcastControl(const ProgramNode &p);
  /// Returns steps that send the control word to all other tiles, and sets `word.copies`. On a machine of one tile,
  /// returns no steps and changes nothing.
  LoweredSteps lowerBroadcast(ControlWord &word, const std::string &varName, const std::string &base);
  /// Returns the reads of a step that tests a control word. The step reads the word and the copies that were broadcast,
  /// because every tile tests its own copy.
  [[nodiscard]] std::vector<Touch> touchesOfTest(const HomeBytes &word, VarId copies) const;
  StepIndex openTest(StepKind kind, const ProgramNode &p, SwitchStep payload, const ControlWord &control);

  // ---- LowerGroup.cpp
  /// Emits the steps of the copies and of the compute set of a group.
  void lowerGroup(CopyGroup group);
  struct MergedSteps {
    LoweredSteps before, set;
  };
  MergedSteps buildGroup(CopyGroup &group);
  void emitGroup(const CopyGroup &group, const MergedSteps &steps);
  /// Emits the steps of several merged programs. `first` is the source of the first program; the steps belong to every
  /// context of `contexts`.
  void emitMembers(const LoweredSteps &steps, SourceId first, const std::vector<std::uint64_t> &contexts);
  SourceId addSource(const ExecuteParts &set);
  void lowerSet(const PlacedSet &set);
  LoweredStep asMember(LoweredStep step, std::uint16_t member);

  // ---- LowerCopy.cpp
  void lowerOverlappingCopy(const OverlappingCopy &copy);
  LoweredSteps buildOverlappingCopy(const OverlappingCopy &copy);
  void lowerCrossReplicaCopy(const ProgramNode &p);
  LoweredSteps buildCrossReplicaCopy(const ProgramNode &p);

  // ---- LowerStreamCopy.cpp
  /// Lowers host copies that MergeStreams merged.
  void lowerStreamCopies(std::span<const NaiveProgram> copies);
  /// A stream, and the view on the device that the stream fills or reads.
  struct StreamData {
    StreamId stream;
    const View *view = nullptr;
    bool hostRearranges =
        false; // true: the host puts the data of each tile into the order of the tile's memory, so that fewer tiles
               // need a buffer in stream order
    std::vector<HomePieces> places;
    std::vector<HomeBytes> cover; // the bytes of the places, each once
  };
  [[nodiscard]] StreamData streamData(StreamId stream, const View &view, bool hostRearranges) const;
  LoweredSteps buildStreamCopy(std::vector<StreamData> data, bool toDevice, const View &offset,
                               const std::string &copyName, std::uint32_t blocks = 0);
  /// Sets data.places and data.cover. Adds to `moves` the moves between data.places and data.view. Each of these moves
  /// stays within one tile.
  void placeStream(StreamData &data, bool toDevice, std::uint16_t member, Moves &moves);
  [[nodiscard]] std::map<TileId, std::uint64_t> unevenTiles(const StreamData &data) const;
  void addStreamSteps(LoweredSteps &steps, StreamCopyStep copy, const std::vector<StreamData> &data,
                      const std::string &copyName);
  HomeBytes gatherOperand(LoweredSteps &steps, const View &view, const std::string &base);
  void addHostTiles(StreamCopyStep &copy, const std::vector<StreamData> &data);

  // ---- LowerEngine.cpp
  void lowerEngine();
  void lowerHostAccess(const HostAccess &access, bool toDevice);
  void lowerBlockRead();
  void addStreams();
  void lowerEngineCopies(bool syncIdFirst);

  LoweringContext &c_;
  const std::vector<ProgramPtr> &programs_; // the user's programs
  std::uint64_t context_ = 0;               // the DebugInfo or debug site of the program that is being lowered, or
                                            // of a program around that program
  HomeId programId_;                        // the engine's program number, on tile 0
  std::vector<FunctionId> functions_;
  std::vector<FunctionId> newFunction_; // per function of the graph: the lowered function
  MovePlacer placer_;
  // The steps of a program's first occurrence. Later occurrences share the payloads of these steps.
  struct BuiltSteps {
    MergedSteps steps;
    VarId copies; // the variable that holds the copies of a control word
  };
  std::map<std::vector<const ProgramNode *>, BuiltSteps> built_; // key: the merged programs; lookup only
};

} // namespace popscope
