// An extension of Popscope, not part of the Poplar interface: which runs of an engine are recorded, and under which
// label.
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

/// What a step does. HostExchange: copies from and to the host.
enum class Category { Compute, Exchange, GlobalExchange, HostExchange, Sync, ControlFlow };
typedef std::vector<Category> Categories;

/// While it lives, runs of the engine are recorded (or left out), whatever Engine::disableExecutionProfiling,
/// popscope.profileRuns and autoReport.executionProfileProgramRunCount say. Of scopes within each other the innermost
/// decides; their labels are joined by '/'.
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
///   engine.run();                                       // not recorded, nor in a scope within
///   all.resume();
///
///   popscope::profile::Scope some(engine, "train", {Category::Compute, Category::Exchange});
///   some.pause({Category::Exchange});
///   engine.run();                                       // recorded; of its steps only compute sets have a time
///
/// What is left out is one of ExecutionReport::pausedSpans(), with the reason "scope" or "paused".
///
/// On an IPU device only what was compiled with instrumentation has times; a CPU target records nothing. Use it on the
/// thread that runs the engine. It may outlive the engine, and the engine may be moved.
class Scope {
public:
  enum class Runs { Recorded, Excluded };
  /// Throws poplar::poplar_error for an engine that was moved from.
  explicit Scope(poplar::Engine &engine, const std::string &label = std::string(), Runs runs = Runs::Recorded);
  /// Of runs that are recorded, only steps of these categories have a time; of scopes within each other, those that all
  /// name. The cycles of the run and their causes are recorded in any case, and say that of a recorded run.
  Scope(poplar::Engine &engine, const std::string &label, const Categories &categories);
  ~Scope();
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;
  /// Leaves out the runs that follow, until resume(), which does nothing where nothing is paused.
  void pause();
  void resume();
  /// The same for the time of steps of these categories alone; the runs are recorded.
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
