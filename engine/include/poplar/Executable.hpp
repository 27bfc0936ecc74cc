// A compiled graph: everything that running needs. Move-only; independent of the Graph it came from.
#ifndef poplar_Executable_hpp
#define poplar_Executable_hpp

#include <memory>

namespace popscope {
struct CompiledProgram;
struct ExecutableAccess;
} // namespace popscope

namespace poplar {

class Executable {
public:
  Executable();
  ~Executable();
  Executable(Executable &&) noexcept;
  Executable &operator=(Executable &&) noexcept;
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  /// False for a default-constructed or moved-from executable.
  bool isValid() const;

private:
  friend struct ::popscope::ExecutableAccess;
  std::shared_ptr<const ::popscope::CompiledProgram> compiled_;
};

} // namespace poplar

#endif
