// ReceiveWords: the exchange carries words, from places of words to places of words. A piece that begins elsewhere, on
// either side, arrives beside the words around it in a message buffer, and copy vertices bring it to its place.
//   halves of a:  |a0 a1|a2 a3|     operand: a1 a2     arrives: |. a1|a2 .|, then a1 and a2 are copied
// Words of a copy that lie apart on both tiles (a column to a column) arrive densely, and a copy vertex scatters them:
// CopyChoice::scatterMaxBytes.
// With LoweringOptions::sortsAsSent, words that lie together at their sender and apart at their destination, too:
//   words of a:   |a0|a1|a2|        operand: a0 x a1 y a2     arrives: |a0|a1|a2|, then each is copied to its place
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <functional>

namespace popscope {

/// Whether what lies at one byte can be sent to the other: both are the first of a word.
constexpr bool betweenWords(Bytes from, Bytes to) { return isMultiple(from, kWordBytes) && isMultiple(to, kWordBytes); }

/// Whether the move needs no copy. `ends`: also where its last word is not full, so that what follows it there would be
/// overwritten.
bool movesWords(const LoweringContext &context, const Move &move, bool ends);

/// Moves of `remote` that do not move words, or are to be scattered or sorted (the order of `remote` may change), go to
/// buffers now, one for each home they go to, in `category` and named name(home); `local` moves bring them on. Those
/// that stay on their tile become local ones. `ends`: they go to variables, not to buffers that lowering lays out.
void receiveWords(LoweringContext &context, Moves &remote, Moves &local, bool ends,
                  const std::function<NameId(HomeId, StorageCategory)> &name);

} // namespace popscope
