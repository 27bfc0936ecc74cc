// Callbacks that supply or consume the data of a stream. Engine::run calls the callbacks.
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace poplar {

/// An object that supplies the data of a host-to-device stream, or consumes the data of a device-to-host stream. The
/// engine's calls for one stream never overlap in time.
class StreamCallback {
public:
  enum class Result { Success, NotAvailable };
  StreamCallback() = default;
  StreamCallback(const StreamCallback &) = delete;
  StreamCallback &operator=(const StreamCallback &) = delete;
  virtual ~StreamCallback() = default;
  /// Fills the memory at `p`. The engine calls prefetch only for a host-to-device stream, and never if the option
  /// exchange.enablePrefetch is false. The call comes at the latest when the device needs the data. If the engine has
  /// no prefetched data at that time, the engine calls fetch.
  virtual Result prefetch(void *p) = 0;
  /// Fills the memory at `p` (host to device), or reads the data at `p` (device to host). `p` points to the data of one
  /// transfer.
  virtual void fetch(void *p) = 0;
  /// Reports that a transfer is complete. For a device-to-host stream, a transfer is complete when fetch has read the
  /// data. For a host-to-device stream, a transfer is complete when the device has taken the data. These data come from
  /// the oldest successful prefetch for which the engine has not yet called complete(). If there is no such prefetch,
  /// the data come from the last fetch.
  virtual void complete() {}
  /// Reports that the engine discards the data of all successful prefetches for which the engine has not called
  /// complete().
  virtual void invalidatePrefetched() {}
};
/// The other name of StreamCallback. Later versions of Poplar divide the class into two classes; this StreamCallback
/// has the members of both.
using StreamCallbackBase = StreamCallback;

/// A callback with metadata about its data. Only the program that owns the callback uses the metadata; the engine never
/// reads the metadata.
class StreamCallbackWithMetadata : public StreamCallback {
public:
  virtual const void *getMetadata() const = 0;
};

/// A callback whose fetch may return before the data is available. A fetch that returns without data calls await().
/// Another thread calls notify() when the data is available. The engine waits for notify(), at most
/// target.hostSyncTimeout seconds, and calls fetch again. If notify() comes too late, Engine::run throws
/// application_runtime_error.
class ResumableStreamCallback : public StreamCallback {
public:
  ResumableStreamCallback() : awaiting_(false), awaited_(false) {}
  /// Reports that the data is available. Thread-safe.
  void notify() {
    std::lock_guard<std::mutex> lock(mutex_);
    awaiting_ = false;
    changed_.notify_all();
  }
  bool isAwaiting() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return awaiting_;
  }
  /// Returns whether await() was called since the last call of takeAwaited(), even if notify() followed.
  bool takeAwaited() {
    std::lock_guard<std::mutex> lock(mutex_);
    const bool was = awaited_;
    awaited_ = false;
    return was;
  }
  /// Waits until notify() is called, or until the time `atMost` has passed. Returns whether notify() was called after
  /// the last call of await(). Returns true immediately if notify() was already called, or if await() was never called.
  template <class Duration> bool waitFor(Duration atMost) {
    std::unique_lock<std::mutex> lock(mutex_);
    return changed_.wait_for(lock, atMost, [this] { return !awaiting_; });
  }

protected:
  void await() {
    std::lock_guard<std::mutex> lock(mutex_);
    awaiting_ = true;
    awaited_ = true;
  }

private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool awaiting_, awaited_;
};

/// A callback that never prefetches: a derived class overrides only fetch.
class LegacyStreamCallback : public StreamCallback {
public:
  Result prefetch(void *) final { return Result::NotAvailable; }
  void invalidatePrefetched() final {}
  void complete() final {}
};

/// The owner of a StreamCallback. A handle is constructed from a unique_ptr to a StreamCallback, or from an object that
/// is callable with (void *).
class StreamCallbackHandle {
public:
  template <class CallbackType,
            class = typename std::enable_if<std::is_base_of<StreamCallback, CallbackType>::value>::type>
  StreamCallbackHandle(std::unique_ptr<CallbackType> p) : callback_(std::move(p)) {}
  template <
      class F,
      class = typename std::enable_if<!std::is_same<typename std::decay<F>::type, StreamCallbackHandle>::value>::type,
      class = decltype(std::declval<F &>()(std::declval<void *>()))>
  StreamCallbackHandle(F &&f)
      : callback_(isEmpty(f) ? nullptr : new Adapter<typename std::decay<F>::type>(std::forward<F>(f))) {}
  StreamCallbackHandle(const StreamCallbackHandle &) = delete;
  StreamCallbackHandle &operator=(const StreamCallbackHandle &) = delete;
  StreamCallbackHandle(StreamCallbackHandle &&) = default;
  StreamCallbackHandle &operator=(StreamCallbackHandle &&) = default;

  StreamCallback &operator*() const { return *callback_; }
  StreamCallback *operator->() const { return callback_.get(); }
  StreamCallback *get() const { return callback_.get(); }

private:
  // An empty function gives an empty handle, which connectStreamToCallback refuses.
  template <class F> static bool isEmpty(const F &) { return false; }
  template <class R, class... A> static bool isEmpty(const std::function<R(A...)> &f) { return !f; }
  template <class R, class... A> static bool isEmpty(R (*f)(A...)) { return f == nullptr; }
  template <class F> struct Adapter : LegacyStreamCallback {
    explicit Adapter(const F &f) : function(f) {}
    explicit Adapter(F &&f) : function(std::move(f)) {}
    void fetch(void *p) final { function(p); }
    F function;
  };
  std::unique_ptr<StreamCallback> callback_;
};

} // namespace poplar
