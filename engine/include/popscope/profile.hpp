// An extension of Popscope, not a part of the Poplar interface: selects which runs of an engine are recorded, and gives
// these runs labels.
#ifndef POPSCOPE_PROFILE_HPP
#define POPSCOPE_PROFILE_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace poplar {
class Engine;
}

namespace popscope {

struct ScopeStack;

namespace profile {

/// A category of steps. A step of HostExchange copies data from or to the host.
enum class Category { Compute, Exchange, GlobalExchange, HostExchange, Sync, ControlFlow };
typedef std::vector<Category> Categories;

/// While a Scope with Runs::Recorded exists, runs of the engine are recorded. While a Scope with another value of Runs
/// exists, runs are not recorded. A Scope overrides Engine::disableExecutionProfiling, popscope.profileRuns and
/// autoReport.executionProfileProgramRunCount. The options popscope.profileNames, popscope.profileNamesNot and
/// popscope.profileSeconds still apply. If one of several nested scopes is paused, a run is not recorded. Otherwise,
/// the innermost scope decides whether a run is recorded. The labels of nested scopes are joined by '/'.
///
///   engine.disableExecutionProfiling();
///   engine.run();                                       // not recorded
///   {
///     popscope::profile::Scope scope(engine, "epoch 3");
///     engine.run();                                     // recorded; pva::Run::label() is "epoch 3"
///   }
///
///   popscope::profile::Scope all(engine);
///   all.pause();
///   engine.run();                                       // not recorded, not even in an inner scope
///   all.resume();
///
///   popscope::profile::Scope some(engine, "train", {Category::Compute, Category::Exchange});
///   some.pause({Category::Exchange});
///   engine.run();                                       // recorded; of its steps only compute sets have a time
///
/// ExecutionReport::pausedSpans() lists the runs that were not recorded, each with the reason: for example "scope" or
/// "paused".
///
/// On an IPU device, only steps that the compiler instrumented have times. A run on a CPU target is never recorded. Use
/// a Scope on the thread that runs the engine. A Scope may outlive its engine, and the engine may be moved.
class Scope {
public:
  /// The decision whether the runs are recorded. With any value other than Recorded, the runs are not recorded, and the
  /// profile states the reason. Excluded has the reason "scope". NotSampled has the reason "sample rate": a tool
  /// records only a part of the runs. OverCount has the reason "run count": a tool has recorded enough runs of the
  /// program.
  enum class Runs { Recorded, Excluded, NotSampled, OverCount };
  /// Opens a scope. Throws poplar::poplar_error for an engine that was moved from.
  explicit Scope(poplar::Engine &engine, const std::string &label = std::string(), Runs runs = Runs::Recorded);
  /// Opens a scope in which runs are recorded, but only steps of these categories have a time. In nested scopes, a step
  /// has a time if every scope selects the category of the step. The number of cycles of a run, and the breakdown of
  /// these cycles by cause, still cover the whole run.
  Scope(poplar::Engine &engine, const std::string &label, const Categories &categories);
  ~Scope();
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;
  /// pause() stops the recording of the runs that follow, until resume() is called. If the scope is not paused,
  /// resume() has no effect.
  void pause();
  void resume();
  /// Stops or resumes the recording of times for steps of these categories. The runs are recorded in both cases.
  void pause(const Categories &categories);
  void resume(const Categories &categories);

private:
  void setPaused(bool paused);

  std::shared_ptr<ScopeStack> stack_;
  std::uint64_t id_;
};

} // namespace profile
} // namespace popscope

#endif
