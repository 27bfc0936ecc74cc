// Phases: notifies a listener of the beginning and the end of each phase of a compilation. The stages of a compilation
// only name their phases, and do not measure time.
#pragma once

namespace popscope {

class PhaseListener {
public:
  virtual ~PhaseListener() = default;
  /// Begins a phase. Phases nest. `name` must outlive the listener.
  virtual void begin(const char *name) = 0;
  /// Ends the latest phase that has not ended yet.
  virtual void end() = 0;
};

/// A phase that lasts as long as the object. `listener` may be null.
class Phase {
public:
  Phase(PhaseListener *listener, const char *name) : listener_(listener) {
    if (listener_ != nullptr)
      listener_->begin(name);
  }
  ~Phase() {
    if (listener_ != nullptr)
      listener_->end();
  }
  Phase(const Phase &) = delete;
  Phase &operator=(const Phase &) = delete;

private:
  PhaseListener *listener_;
};

} // namespace popscope
