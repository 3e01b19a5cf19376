"""The one instruction by which an x86 CPU tells what it is, and what the system lets programs use of it."""
from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_M_X64) && !defined(__clang__)
      #include <intrin.h>
      #include <immintrin.h>
      static void be_cpuid(uint32_t leaf, uint32_t part, uint32_t *found) {
        __cpuidex((int *)found, (int)leaf, (int)part);
      }
      static uint64_t be_saved_state(void) { return _xgetbv(0); }
    #elif defined(__x86_64__)
      #include <cpuid.h>
      static void be_cpuid(uint32_t leaf, uint32_t part, uint32_t *found) {
        __cpuid_count(leaf, part, found[0], found[1], found[2], found[3]);
      }
      static uint64_t be_saved_state(void) {            /* xgetbv, which has a name only where AVX is compiled for */
        uint32_t low, high;
        __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
        return (uint64_t)high << 32 | low;
      }
    #else
      static void be_cpuid(uint32_t leaf, uint32_t part, uint32_t *found) {
        (void)leaf, (void)part;
        found[0] = found[1] = found[2] = found[3] = 0;
      }
      static uint64_t be_saved_state(void) { return 0; }
    #endif
    #define BE_QUOTE(x) #x
    #define BE_TEXT(x) BE_QUOTE(x)
    #ifndef BARRELEYE_NEEDS
      #define BARRELEYE_NEEDS
    #endif
    """
    const char* NEEDED "BE_TEXT(BARRELEYE_NEEDS)"
    void cpuid "be_cpuid"(uint32_t leaf, uint32_t part, uint32_t* found) noexcept nogil
    uint64_t xgetbv "be_saved_state"() noexcept nogil
