// Callbacks behind host functions: called by the device program with tensors in and out.
#pragma once
#include <poplar/ArrayRef.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace poplar {

class HostCallback {
public:
  virtual ~HostCallback() = default;
  virtual void operator()(ArrayRef<const void *> inputs, std::size_t numberOfInputs, ArrayRef<void *> outputs,
                          std::size_t numberOfOutputs) = 0;
};

/// Owns a HostCallback; made from a unique_ptr to one or from anything callable with
/// (const void *const *inputs, size_t numInputs, void *const *outputs, size_t numOutputs).
class HostCallbackHandle {
public:
  template <class C, class = typename std::enable_if<std::is_base_of<HostCallback, C>::value>::type>
  HostCallbackHandle(std::unique_ptr<C> p) : callback_(std::move(p)) {}
  template <
      class F,
      class = typename std::enable_if<!std::is_same<typename std::decay<F>::type, HostCallbackHandle>::value>::type,
      class = decltype(std::declval<F &>()(std::declval<const void *const *>(), std::size_t(),
                                           std::declval<void *const *>(), std::size_t()))>
  HostCallbackHandle(F &&f)
      : callback_(isEmpty(f) ? nullptr : new Adapter<typename std::decay<F>::type>(std::forward<F>(f))) {}
  HostCallbackHandle(const HostCallbackHandle &) = delete;
  HostCallbackHandle &operator=(const HostCallbackHandle &) = delete;
  HostCallbackHandle(HostCallbackHandle &&) = default;
  HostCallbackHandle &operator=(HostCallbackHandle &&) = default;

  HostCallback &operator*() const { return *callback_; }
  HostCallback *operator->() const { return callback_.get(); }

private:
  // An empty function makes an empty handle, which connectHostFunction refuses.
  template <class F> static bool isEmpty(const F &) { return false; }
  template <class R, class... A> static bool isEmpty(const std::function<R(A...)> &f) { return !f; }
  template <class R, class... A> static bool isEmpty(R (*f)(A...)) { return f == nullptr; }
  template <class F> struct Adapter : HostCallback {
    explicit Adapter(const F &f) : function(f) {}
    explicit Adapter(F &&f) : function(std::move(f)) {}
    void operator()(ArrayRef<const void *> inputs, std::size_t numberOfInputs, ArrayRef<void *> outputs,
                    std::size_t numberOfOutputs) final {
      function(inputs.data(), numberOfInputs, outputs.data(), numberOfOutputs);
    }
    F function;
  };
  std::unique_ptr<HostCallback> callback_;
};

} // namespace poplar
