// FindConstraints: the [[poplar::constraint("...")]] attributes of a class. The parser drops attributes it does not
// know, so that they are read from the tokens.
#pragma once
#include <clang-c/Index.h>
#include <string>
#include <vector>

namespace popscope {

/// Of the class and of its member functions, in source order; text in skipped preprocessor branches does not count.
std::vector<std::string> findConstraints(CXTranslationUnit unit, CXCursor definition);

} // namespace popscope
