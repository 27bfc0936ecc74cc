# The first comment of a header is about the whole file; Doxygen reads it where it begins with @file.
1s|^// |/// @file\n/// |
2,/^[^\/]/s|^//|///|
