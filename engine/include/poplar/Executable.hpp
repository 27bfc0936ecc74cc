// A compiled graph, with all data that a run needs. An Executable can be moved but not copied, and stays valid after
// the Graph from which it was compiled is destroyed.
#ifndef poplar_Executable_hpp
#define poplar_Executable_hpp

#include <iosfwd>
#include <memory>
#include <string>

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

  /// Returns false for a default-constructed or moved-from executable.
  bool isValid() const;

  /// Writes all data that another process needs to run the executable: steps, layout, constants, codelets, streams.
  /// Throws poplar_error for an empty executable, if the files of the compiled codelets no longer exist, or if the
  /// stream fails.
  void serialize(std::ostream &out) const;
  /// Reads one executable. Data after the executable stays in the stream. Throws poplar_error unless the data is a
  /// whole, undamaged executable of this version of Popscope. If `checkPackageHash` is false, another version of
  /// Popscope may have written the executable, but the format version must be the same. Load only data that you trust,
  /// because an executable contains native code.
  static Executable deserialize(std::istream &in, bool checkPackageHash = true);
  static Executable deserialize(std::unique_ptr<std::istream> in, bool checkPackageHash = true);

  /// Returns 32 hexadecimal digits: a hash of the codelets, the steps, the memory layout and the machine. Equal graphs
  /// and programs have equal hashes if the same version of Popscope compiles them with the same options. Throws
  /// poplar_error for an empty executable, or if the files of the compiled codelets no longer exist.
  std::string getHash() const;

private:
  friend struct ::popscope::ExecutableAccess;
  std::shared_ptr<const ::popscope::CompiledProgram> compiled_;
};

} // namespace poplar

#endif
