// ReceiveWords: redirects to buffers the moves that an exchange cannot make alone. An exchange moves whole words
// between word addresses. A piece whose source or destination is at any other address arrives in a message buffer, as
// the whole words that contain the piece. If a piece ends within a word of a variable's home, before the end of the
// home, the piece also arrives in a message buffer. Copy vertices then move the piece to its place.
//   halves of a:  |a0 a1|a2 a3|     operand: a1 a2     arrives: |. a1|a2 .|, then a1 and a2 are copied
// Some whole words also arrive in a buffer, and a copy vertex scatters these words. Without
// LoweringOptions::sortsAsSent, these words come in small runs with gaps on both tiles, as in a copy from a column to a
// column (see CopyChoice::scatterMaxBytes). With sortsAsSent, these words are adjacent at the sender, but have gaps or
// another order at the destination:
//   words of a:   |a0|a1|a2|        operand: a0 x a1 y a2     arrives: |a0|a1|a2|, then each is copied to its place
#pragma once
#include "graph/lowering/LoweringContext.hpp"

#include <functional>

namespace popscope {

/// Returns whether an exchange can move data from offset `from` to offset `to`: both offsets must be multiples of a
/// word.
constexpr bool betweenWords(Bytes from, Bytes to) { return isMultiple(from, kWordBytes) && isMultiple(to, kWordBytes); }

/// Returns whether an exchange alone can make the move, without a copy vertex. Both offsets must be multiples of a
/// word. If `ends` is true, the move must also end at a multiple of a word or at the end of the destination's home;
/// otherwise, the exchange would overwrite the rest of the last word.
bool movesWords(const LoweringContext &context, const Move &move, bool ends);

/// Redirects moves of `remote` to buffers if the moves do not move whole words, or if copy vertices must sort or
/// scatter the words. Copy vertices scatter words only if `ends` is true. If a redirected move stays on its tile, the
/// move becomes a move of `local` without a buffer. The order of `remote` may change. Each destination home of
/// redirected moves gets at most two buffers: one buffer for all moves that copy vertices scatter, and one buffer for
/// all other redirected moves. The name of a buffer is name(home, category). Adds to `local` the moves from the buffers
/// to the destinations. `ends` is true if the destinations are variables, and false if the destinations are buffers
/// that lowering lays out.
void receiveWords(LoweringContext &context, Moves &remote, Moves &local, bool ends,
                  const std::function<NameId(HomeId, StorageCategory)> &name);

} // namespace popscope
