// Programs of a compiled graph and the visitor over them. <pva/pva.hpp> includes this header. Unless a comment states
// something else, a list per tile has one number for each tile of the target (Target::numTiles). The first
// Target::tilesPerReplica() numbers belong to the first replica, and describe the program. The numbers of the other
// replicas are 0.
#ifndef PVA_PROGRAM_HPP
#define PVA_PROGRAM_HPP

#include <pva/List.hpp>

#include <memory>
#include <string>
#include <vector>

namespace pva {

namespace detail {
class Model;
typedef std::shared_ptr<const Model> Owner;
} // namespace detail
class ComputeSet;
class DebugContext;
class LoweredVariable;
class Program;
class ProgramVisitor;
typedef List<std::shared_ptr<Program>> ProgramList;

/// One lowered program. Programs belong to their report. A shared_ptr to a program keeps the profile open.
class Program {
public:
  enum class Type {
    DoExchange,
    GlobalExchange,
    OnTileExecute,
    StreamCopyBegin,
    StreamCopyMid,
    StreamCopyEnd,
    Sync,
    SyncAns,
    Sans,
    Repeat,
    Sequence,
    OnEveryTileSwitch,
    Call,
    Copy,
    CopySharedStructure,
    CrossReplicaCopy,
    Execute,
    OnTileCopy,
    OnTileSwitch,
    RepeatWhile,
    SetLocalConsensus,
    SetLocalConsensusFromVar,
    GetGlobalConsensus,
    WriteUndef,
    AssumeEqualAcrossReplicas,
    Switch,
    While,
    Block,
    If,
    Abort,
    AbortOnCondition,
    ErrorProgram,
    PrintTensor,
    WhileTest,
    TileRegister,
    Unknown
  };
  Program(const detail::Model *model, std::uint32_t id) : model_(model), id_(id) {}
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  virtual ~Program();

  std::size_t _id() const { return id_; }
  std::string name() const;
  Type type() const;
  ProgramList children() const;
  /// Returns the lowered variables that occupy memory at this program, except always-live variables. Returns an empty
  /// list without autoReport.outputLoweredVars.
  List<LoweredVariable> vars() const;
  /// Returns the bytes of control code per tile, including the code of the program's children. If the profile has no
  /// code (PopscopeData::codeIncluded), returns the bytes that the code takes on a device.
  Values controlCodeByTile() const;
  /// Extension: returns the id of the DebugInfo in which the program was made, or 0 if there is no DebugInfo or its id
  /// is unknown.
  std::uint64_t debugContextId() const;
  /// Extension: returns the DebugInfo of debugContextId() from debug.cbor. If debug.cbor has no such DebugInfo, or if
  /// the report has no debug information, returns a context with id 0. Throws std::runtime_error if the debug
  /// information cannot be read or belongs to another profile; the message contains the path.
  DebugContext debugContext() const;
  /// Extension: returns, in program order, the ids of the DebugInfos of other programs that the compiler merged into
  /// this program. The list does not include debugContextId().
  std::vector<std::uint64_t> moreDebugContextIds() const;
  /// Extension: returns each DebugInfo that debug.cbor contains and whose id moreDebugContextIds() lists. Throws as
  /// debugContext does.
  std::vector<DebugContext> moreDebugContexts() const;
  /// Extension, for a re-simulation: returns the kinds of the barriers that the tiles pass in this program, in order.
  /// The names of the kinds are as in Target::syncDelays.
  std::vector<std::string> barriers() const;
  /// Extension, for a re-simulation: returns, per tile, the cycles of reading the instrumentation's counters after the
  /// program's work.
  Values counterCyclesByTile() const;
  /// Extension: returns, per tile, the number of stores whose cycles counterCyclesByTile() includes. Each store takes
  /// Target::workerContexts() cycles.
  Values counterStoresByTile() const;
  /// Calls the method of `visitor` for this program's type, but no method for the program's children. Calls no method
  /// for Type::Unknown.
  virtual void accept(ProgramVisitor &visitor) const;

protected:
  detail::Owner owner() const;
  const detail::Model *model_; // outlives the program, because each shared pointer to a program also owns the model
  std::uint32_t id_;
};

/// Extension: data that goes from one IPU to another (also between replicas) in a GlobalExchange. A tile takes at least
/// as long as the slowest transfer with data from or for this tile. The tile takes longer if its own data needs more
/// time to leave or enter the tile.
struct LinkTransfer {
  LinkTransfer() : fromIpu(0), toIpu(0), bytes(0) {}
  std::uint64_t fromIpu, toIpu; // numbers of the IPUs, counted over the IPUs of all replicas
  std::uint64_t bytes;
  Values tiles; // per tile of one replica: 1 if the tile sends or receives a part of the data, otherwise 0
};

/// Extension: bytes that an exchange moves between tiles in one execution, by groups of neighbouring tiles. Group g
/// contains the tiles [g * tilesPerGroup, (g + 1) * tilesPerGroup) of a replica. tilesPerGroup is 1 if only few pairs
/// of tiles exchange data. Data for several tiles counts once per receiving tile, so the bytes to a group are the bytes
/// that its tiles receive.
struct TileTraffic {
  TileTraffic() : tilesPerGroup(1) {}
  std::uint64_t tilesPerGroup;
  std::vector<std::uint64_t> fromGroups, toGroups, bytes; // equal lengths; sorted by sender, then receiver
};

/// An exchange, or one of the three parts of a host copy.
class ExchangeProgram : public Program {
public:
  using Program::Program;
  /// Returns, per tile, the bytes of the program's exchange code, without the code that this program shares with an
  /// earlier program. The sum over all programs is the size of all exchange code in the profile.
  /// If the profile has no code (PopscopeData::codeIncluded), returns the bytes that the code takes on a device.
  Values codeBytesByTile() const;
  /// Extension: returns the other program whose exchange code this program executes, or null if this program has its
  /// own exchange code or none.
  std::shared_ptr<Program> codeSharedWith() const;
  /// Returns the cycles per tile, as estimated at compile time, or an empty list if there is no estimate.
  Values estimatedCyclesByTile() const;
  /// These functions return, per tile, the bytes that the tile sends or receives in one execution.
  Values bytesSentByTile() const;
  Values bytesReceivedByTile() const;
  // Extensions for a re-simulation of a DoExchange. On each tile:
  //   estimated cycles = max(ceil(bytes sent / width), latency + max(transfer, controls * cycles of a control))
  // The width and the cycles of a control are exchange.bytesPerCycle and exchange.controlCycles in
  // CompilationReport::machineCosts.
  /// Returns, per tile, the number of received messages.
  Values messagesReceivedByTile() const;
  /// Returns, per tile, the cycles until the first word of the furthest sender arrives.
  Values receiveLatencyByTile() const;
  /// Returns, per tile, the cycles during which the received words arrive.
  Values receiveTransferByTile() const;
  /// Returns, per tile, the number of controls: control instructions that the tile executes between received messages.
  /// A change of sender takes 2 controls (by the rules of some releases, 1 control; see docs/inside/releases.md). A
  /// change of address alone takes 1 control.
  Values receiveControlsByTile() const;
  // Extensions for a re-simulation on another machine.
  /// Returns, per tile of a DoExchange, the distance in tiles to the furthest sender.
  Values receiveDistanceByTile() const;
  /// Returns, per tile of a DoExchange, a number n for the sizes of the received messages: the sizes are element n - 1
  /// of CompilationReport::messageSizes. 0 means that the tile receives nothing, or that its messages use different
  /// numbers of buses.
  Values messageSizesByTile() const;
  /// Returns the transfers of a GlobalExchange between IPUs.
  std::vector<LinkTransfer> linkTransfers() const;
  /// Extension: returns the traffic between the tiles of a replica in a DoExchange or a GlobalExchange. The lists are
  /// empty if nothing moves, if replicas exchange data, or if the traffic was not recorded.
  TileTraffic traffic() const;
};

class DoExchangeProgram : public ExchangeProgram {
public:
  using ExchangeProgram::ExchangeProgram;
  void accept(ProgramVisitor &visitor) const override;
};
class GlobalExchangeProgram : public ExchangeProgram {
public:
  using ExchangeProgram::ExchangeProgram;
  void accept(ProgramVisitor &visitor) const override;
};
class OnTileExecuteProgram : public Program {
public:
  using Program::Program;
  ComputeSet computeset() const;
  void accept(ProgramVisitor &visitor) const override;
};
class StreamCopyBeginProgram : public ExchangeProgram {
public:
  using ExchangeProgram::ExchangeProgram;
  void accept(ProgramVisitor &visitor) const override;
};
class StreamCopyMidProgram : public ExchangeProgram {
public:
  using ExchangeProgram::ExchangeProgram;
  void accept(ProgramVisitor &visitor) const override;
};
class StreamCopyEndProgram : public ExchangeProgram {
public:
  using ExchangeProgram::ExchangeProgram;
  void accept(ProgramVisitor &visitor) const override;
};
class SyncAnsProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class SansProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class RepeatProgram : public Program {
public:
  using Program::Program;
  /// Returns the number of iterations.
  std::uint64_t count() const;
  void accept(ProgramVisitor &visitor) const override;
};
class SequenceProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class OnEveryTileSwitchProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class CallProgram : public Program {
public:
  using Program::Program;
  /// Extension: returns the root of the function's body, which is one of CompilationReport::functionPrograms. Returns
  /// null if the root was not recorded.
  std::shared_ptr<Program> function() const;
  void accept(ProgramVisitor &visitor) const override;
};
class CopyProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class CopySharedStructureProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class CrossReplicaCopyProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class ExecuteProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class OnTileCopyProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class OnTileSwitchProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class RepeatWhileProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class SetLocalConsensusProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class SetLocalConsensusFromVarProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class GetGlobalConsensusProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class WriteUndefProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class AssumeEqualAcrossReplicasProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class SwitchProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class WhileProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class BlockProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class IfProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class AbortProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class AbortOnConditionProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class ErrorProgramProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
class PrintTensorProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
/// Extension: the test at the end of a RepeatWhile's condition.
class WhileTestProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};
/// Extension: a read or a write of tile registers.
class TileRegisterProgram : public Program {
public:
  using Program::Program;
  void accept(ProgramVisitor &visitor) const override;
};

/// The base class of visitors. A subclass overrides methods; every method does nothing by default. Sync programs are
/// plain Program objects.
class ProgramVisitor {
public:
  virtual ~ProgramVisitor();
  virtual void visitSync(const Program &);
  virtual void visitDoExchange(const DoExchangeProgram &);
  virtual void visitGlobalExchange(const GlobalExchangeProgram &);
  virtual void visitOnTileExecute(const OnTileExecuteProgram &);
  virtual void visitStreamCopyBegin(const StreamCopyBeginProgram &);
  virtual void visitStreamCopyMid(const StreamCopyMidProgram &);
  virtual void visitStreamCopyEnd(const StreamCopyEndProgram &);
  virtual void visitSyncAns(const SyncAnsProgram &);
  virtual void visitSans(const SansProgram &);
  virtual void visitRepeat(const RepeatProgram &);
  virtual void visitSequence(const SequenceProgram &);
  virtual void visitOnEveryTileSwitch(const OnEveryTileSwitchProgram &);
  virtual void visitCall(const CallProgram &);
  virtual void visitCopy(const CopyProgram &);
  virtual void visitCopySharedStructure(const CopySharedStructureProgram &);
  virtual void visitCrossReplicaCopy(const CrossReplicaCopyProgram &);
  virtual void visitExecute(const ExecuteProgram &);
  virtual void visitOnTileCopy(const OnTileCopyProgram &);
  virtual void visitOnTileSwitch(const OnTileSwitchProgram &);
  virtual void visitRepeatWhile(const RepeatWhileProgram &);
  virtual void visitSetLocalConsensus(const SetLocalConsensusProgram &);
  virtual void visitSetLocalConsensusFromVar(const SetLocalConsensusFromVarProgram &);
  virtual void visitGetGlobalConsensus(const GetGlobalConsensusProgram &);
  virtual void visitWriteUndef(const WriteUndefProgram &);
  virtual void visitAssumeEqualAcrossReplicas(const AssumeEqualAcrossReplicasProgram &);
  virtual void visitSwitch(const SwitchProgram &);
  virtual void visitWhile(const WhileProgram &);
  virtual void visitBlock(const BlockProgram &);
  virtual void visitIf(const IfProgram &);
  virtual void visitAbort(const AbortProgram &);
  virtual void visitAbortOnCondition(const AbortOnConditionProgram &);
  virtual void visitErrorProgram(const ErrorProgramProgram &);
  virtual void visitPrintTensor(const PrintTensorProgram &);
  virtual void visitWhileTest(const WhileTestProgram &);
  virtual void visitTileRegister(const TileRegisterProgram &);
};

/// Extension: returns the type's name as printed reports show it, for example "DoExchange" for Type::DoExchange.
std::string programTypeName(Program::Type type);

} // namespace pva
#endif
