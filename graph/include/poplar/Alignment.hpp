// Device side: alignment of worker code and of data loaded in 64-bit words.
#ifndef POPLAR_ALIGNMENT_HPP
#define POPLAR_ALIGNMENT_HPP
#ifndef WORKER_ALIGN
#define WORKER_ALIGN __attribute__((aligned(8)))
#endif
#endif
