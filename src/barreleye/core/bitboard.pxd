"""Sets of squares as 64-bit integers: the few machine instructions they need and the shifts built on them."""
from barreleye.core.types cimport Bitboard, WHITE

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #if defined(_MSC_VER) && !defined(__clang__)
      #include <intrin.h>
      static __forceinline int be_popcount(uint64_t b) {
        b -= (b >> 1) & 0x5555555555555555ULL;
        b = (b & 0x3333333333333333ULL) + ((b >> 2) & 0x3333333333333333ULL);
        return (int)((((b + (b >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
      }
      static __forceinline int be_lsb(uint64_t b) { unsigned long i; _BitScanForward64(&i, b); return (int)i; }
      static __forceinline int be_msb(uint64_t b) { unsigned long i; _BitScanReverse64(&i, b); return (int)i; }
    #else
      static inline int be_popcount(uint64_t b) { return __builtin_popcountll(b); }
      static inline int be_lsb(uint64_t b) { return __builtin_ctzll(b); }
      static inline int be_msb(uint64_t b) { return 63 ^ __builtin_clzll(b); }
    #endif
    /* PEXT is one fast instruction on Intel since Haswell and AMD since Zen 3; before that AMD runs it in microcode.
       A core for every CPU with AVX2 does without it: setup.py says BARRELEYE_MAGICS. */
    #if defined(_MSC_VER) && defined(__AVX2__)
      #define BE_BMI2 1                             /* MSVC has no name of its own for it */
    #elif defined(__BMI2__)
      #define BE_BMI2 1
    #endif
    #if defined(BE_BMI2) && !defined(BARRELEYE_MAGICS) && !defined(__znver1__) && !defined(__znver2__)
      #include <immintrin.h>
      #define BE_PEXT 1
      static inline uint64_t be_pext(uint64_t b, uint64_t mask) { return _pext_u64(b, mask); }
    #else
      #define BE_PEXT 0
      static inline uint64_t be_pext(uint64_t b, uint64_t mask) { (void)b; (void)mask; return 0; }
    #endif
    /* A broken promise ends the debug build on the spot; the release build trusts. */
    #ifdef BARRELEYE_DEBUG
      #include <stdio.h>
      #define be_expect(c) do { if (!(c)) be_broken(__FILE__, __LINE__, #c); } while (0)
      static void be_broken(const char *file, int line, const char *promise) {
        fprintf(stderr, "%s:%d: expected %s\\n", file, line, promise);
        abort();
      }
    #else
      #define be_expect(c) ((void)0)
    #endif
    """
    int popcount "be_popcount"(Bitboard b) noexcept nogil
    int lsb "be_lsb"(Bitboard b) noexcept nogil
    int msb "be_msb"(Bitboard b) noexcept nogil
    Bitboard pext "be_pext"(Bitboard b, Bitboard mask) noexcept nogil
    bint HAS_PEXT "BE_PEXT"
    Bitboard DARK_SQUARES "0xAA55AA55AA55AA55ULL"
    void expect "be_expect"(bint condition) noexcept nogil


cdef inline Bitboard bit(int sq) noexcept nogil:
    return <Bitboard>1 << sq

cdef inline bint more_than_one(Bitboard b) noexcept nogil:
    return (b & (b - 1)) != 0

cdef inline int pop_lsb(Bitboard* b) noexcept nogil:
    cdef int sq = lsb(b[0])
    b[0] &= b[0] - 1
    return sq

cdef inline Bitboard file_bb(int file) noexcept nogil:
    return <Bitboard>0x0101010101010101ULL << file

cdef inline Bitboard rank_bb(int rank) noexcept nogil:
    return <Bitboard>0xFF << (8 * rank)

cdef inline Bitboard east(Bitboard b) noexcept nogil:
    return (b & 0x7F7F7F7F7F7F7F7FULL) << 1

cdef inline Bitboard west(Bitboard b) noexcept nogil:
    return (b & <Bitboard>0xFEFEFEFEFEFEFEFEULL) >> 1

cdef inline Bitboard forward(int color, Bitboard b) noexcept nogil:
    return b << 8 if color == WHITE else b >> 8

cdef inline Bitboard pawn_attacks_bb(int color, Bitboard pawns) noexcept nogil:
    return forward(color, east(pawns) | west(pawns))
