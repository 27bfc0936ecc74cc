// Profiles read in place: the pages that the system keeps of a file are not copied.
#pragma once

namespace popscope {

/// From here on this process opens profiles so. Before the first is opened; later it changes nothing.
///
/// A program that cuts a mapped file short makes the system end who reads it, with SIGBUS. So this is for tools, which
/// end soon and print what they print at once; a program that keeps profiles open has them read as usual.
void mapProfiles();

} // namespace popscope
