"""What the compiler knew when it made this core."""
from barreleye.core.bitboard cimport HAS_PEXT

cdef extern from *:
    """
    #define BE_QUOTE(x) #x
    #define BE_TEXT(x) BE_QUOTE(x)
    #ifndef BARRELEYE_ARCH
      #define BARRELEYE_ARCH unnamed
    #endif
    #if defined(__clang__)
      #define BE_COMPILER "clang " BE_TEXT(__clang_major__) "." BE_TEXT(__clang_minor__) "." \\
                          BE_TEXT(__clang_patchlevel__)
    #elif defined(__GNUC__)
      #define BE_COMPILER "gcc " BE_TEXT(__GNUC__) "." BE_TEXT(__GNUC_MINOR__) "." BE_TEXT(__GNUC_PATCHLEVEL__)
    #elif defined(_MSC_VER)
      #define BE_COMPILER "MSVC " BE_TEXT(_MSC_VER)
    #else
      #define BE_COMPILER "an unknown compiler"
    #endif
    #if defined(__AVX512BW__)
      #define BE_VECTORS "AVX-512"
    #elif defined(__AVX2__)
      #define BE_VECTORS "AVX2"
    #elif defined(__SSE4_1__)
      #define BE_VECTORS "SSE4"
    #elif defined(__SSE2__) || defined(_M_X64)
      #define BE_VECTORS "SSE2"
    #elif defined(__ARM_NEON) || defined(_M_ARM64)
      #define BE_VECTORS "NEON"
    #else
      #define BE_VECTORS "no vectors"
    #endif
    #ifdef BARRELEYE_PROFILED
      #define BE_PROFILED 1
    #else
      #define BE_PROFILED 0
    #endif
    """
    const char* ARCH "BE_TEXT(BARRELEYE_ARCH)"
    const char* MADE_BY "BE_COMPILER"
    const char* WIDEST "BE_VECTORS"
    bint GUIDED "BE_PROFILED"
