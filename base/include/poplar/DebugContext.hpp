// Debug names: the names of tensors, compute sets and programs in profiles. The names of nested contexts are joined
// with "/"; empty names add no slash.
#pragma once
#include <poplar/ProfileValue.hpp>
#include <poplar/StringRef.hpp>

#if defined(__GNUC__) && (!defined(__clang__) || __clang_major__ >= 9)
#if !defined(SUPPORTS_LOCATION_BUILTINS)
#define SUPPORTS_LOCATION_BUILTINS 1 // some programs define this macro with the same text
#endif
#define POPLAR_CALLER_FUNCTION __builtin_FUNCTION()
#define POPLAR_CALLER_FILE __builtin_FILE()
#define POPLAR_CALLER_LINE static_cast<unsigned>(__builtin_LINE())
#else
#define POPLAR_CALLER_FUNCTION ""
#define POPLAR_CALLER_FILE ""
#define POPLAR_CALLER_LINE 0u
#endif

namespace poplar {

/// The id of a DebugInfo within the process. The id 0 stands for no DebugInfo.
using DebugId = std::uint64_t;
enum class DebugSerializationFormat { CBOR, JSON };

/// A place in the user's program. The object does not copy the function name and the file name, so both texts must
/// outlive the object, as string literals do.
class SourceLocation {
public:
  SourceLocation() : line_(0), valid_(false) {}
  SourceLocation(StringRef functionName, StringRef fileName, unsigned lineNumber)
      : function_(functionName), file_(fileName), line_(lineNumber), valid_(true) {}
  static SourceLocation Current(StringRef functionName = POPLAR_CALLER_FUNCTION,
                                StringRef fileName = POPLAR_CALLER_FILE, unsigned lineNumber = POPLAR_CALLER_LINE) {
    return SourceLocation(functionName, fileName, lineNumber);
  }
  StringRef getFunctionName() const { return function_; }
  StringRef getFileName() const { return file_; }
  unsigned getLineNumber() const { return line_; }
  bool isValid() const { return valid_; }

private:
  StringRef function_, file_;
  unsigned line_;
  bool valid_;
};

class DebugInfo;
class DebugContext;

class DebugNameAndId {
public:
  DebugNameAndId(std::string name = "", DebugId debugId = {}, std::string parentPath = "");
  DebugNameAndId(const char *name);
  DebugNameAndId(DebugId debugId);
  DebugNameAndId(const DebugInfo &debugInfo, std::string name = "");
  DebugNameAndId(const DebugNameAndId &parent, StringRef name);
  DebugNameAndId(const DebugNameAndId &) = default;
  DebugNameAndId &operator=(const DebugNameAndId &) = default;
  std::string getPathName() const { return path_; }
  friend std::ostream &operator<<(std::ostream &os, const DebugNameAndId &dnai); // prints the path name

private:
  friend class DebugContext;
  std::string path_;
  DebugId id_;
};

class DebugContext {
public:
  DebugContext(SourceLocation loc = SourceLocation::Current());
  DebugContext(const char *name, SourceLocation loc = SourceLocation::Current());
  DebugContext(StringRef name, SourceLocation loc = SourceLocation::Current());
  DebugContext(std::string name, SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugInfo &debugInfo, std::string name = "", SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugNameAndId &debugNameAndId, std::string name = "",
               SourceLocation loc = SourceLocation::Current());
  DebugContext(std::initializer_list<StringRef> names, SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugInfo &debugInfo, std::string name, DebugId debugId,
               SourceLocation loc = SourceLocation::Current());
  DebugContext(const DebugContext &debugContext, StringRef name);
  DebugContext(const DebugContext &);
  DebugContext(DebugContext &&);
  ~DebugContext();
  std::string getPathName() const { return path_; }
  /// Extension: returns the id of the DebugInfo to which the context belongs, or 0 if there is no such DebugInfo.
  DebugId getParentId() const { return parent_; }
  friend std::ostream &operator<<(std::ostream &os, const DebugContext &dc); // prints the path name

private:
  friend class DebugInfo;
  std::string path_;
  DebugId parent_;
  SourceLocation location_;
};

/// The record of one call of a library function. The destructor keeps the record, so that later debug.cbor files of
/// profiles contain the record. If a streamer is open, the destructor also adds the record to the records that the
/// streamer writes.
class DebugInfo {
public:
  DebugInfo(const DebugContext &debugContext, std::string layer);
  DebugInfo(const DebugInfo &) = delete;
  DebugInfo &operator=(const DebugInfo &) = delete;
  virtual ~DebugInfo();
  DebugId getId() const { return id_; }
  std::string getPathName() const { return path_; }
  /// Sets the value of `name` and returns true. If `name` already has a value, changes nothing and returns false.
  /// Throws poplar_error if `value` is nested more than 500 levels deep.
  bool setValue(std::string name, ProfileValue value);
  bool setValue(std::string name, const std::string &value);
  bool setValue(std::string name, const char *value);
  /// initializeStreamer() starts the collection of records for a file. The file gets the record of each DebugInfo that
  /// is destroyed before closeStreamer() is called. initializeStreamer() throws poplar::file_load_error if the file
  /// cannot be written, and poplar::poplar_error if a file is already open. closeStreamer() writes the file, and throws
  /// poplar::poplar_error if the file cannot be written. If no file is open, closeStreamer() does nothing. Both
  /// functions are thread-safe.
  static void initializeStreamer(const std::string &fileName,
                                 const DebugSerializationFormat &format = DebugSerializationFormat::CBOR);
  static void closeStreamer();

private:
  DebugId id_;
  std::string path_;
  ProfileValue::Map record_;
};

} // namespace poplar
