"""The few lines where machines differ: clock, prefetch, branches, relaxed atomics, wide products, aligned memory."""
from libc.stdint cimport int64_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <stdlib.h>
    #include <string.h>
    #if defined(_WIN32)
      #include <windows.h>
      #include <malloc.h>
      static CYTHON_INLINE int64_t be_clock_us(void) {
        LARGE_INTEGER now, rate;
        QueryPerformanceFrequency(&rate);
        QueryPerformanceCounter(&now);
        return (int64_t)((double)now.QuadPart * 1e6 / (double)rate.QuadPart);
      }
      static CYTHON_INLINE int64_t be_thread_us(void) {
        FILETIME born, ended;
        ULARGE_INTEGER kernel, user;
        FILETIME in_kernel, in_user;
        GetThreadTimes(GetCurrentThread(), &born, &ended, &in_kernel, &in_user);
        kernel.LowPart = in_kernel.dwLowDateTime, kernel.HighPart = in_kernel.dwHighDateTime;
        user.LowPart = in_user.dwLowDateTime, user.HighPart = in_user.dwHighDateTime;
        return (int64_t)((kernel.QuadPart + user.QuadPart) / 10);
      }
      static CYTHON_INLINE void *be_alloc_aligned(size_t bytes) { return _aligned_malloc(bytes, 64); }
      static CYTHON_INLINE void be_free_aligned(void *p) { _aligned_free(p); }
    #else
      #include <time.h>
      #include <unistd.h>
      #include <sys/mman.h>
      static CYTHON_INLINE int64_t be_clock_us(void) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
      }
      static CYTHON_INLINE int64_t be_thread_us(void) {
        struct timespec used;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
        return (int64_t)used.tv_sec * 1000000 + used.tv_nsec / 1000;
      }
      /* Large blocks are mapped one by one, at a boundary of large pages: what the allocator is given back it keeps,
         some five megabytes for each engine that was closed. How much is mapped stands before the block, 0 for a
         small one; under a sanitizer all are small, so that it watches over them. */
      static CYTHON_INLINE void *be_alloc_aligned(size_t bytes) {
        #if defined(BARRELEYE_DEBUG)
          size_t large = SIZE_MAX;
        #else
          size_t large = (size_t)1 << 18;                                  /* a large page pays from 256 KiB on */
        #endif
        size_t step = (size_t)2 << 20, page = (size_t)sysconf(_SC_PAGESIZE), length, whole;
        char *start, *p;
        if (bytes < large) {
          void *block = NULL;
          if (bytes > SIZE_MAX - 64 || posix_memalign(&block, 64, bytes + 64)) return NULL;
          *(size_t *)block = 0;
          return (char *)block + 64;
        }
        if (bytes > SIZE_MAX / 2) return NULL;
        length = (bytes + step - 1) / step * step;
        whole = page + length + step;
        start = (char *)mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
        if (start == (char *)MAP_FAILED) return NULL;
        p = (char *)(((uintptr_t)start + page + step - 1) / step * step);
        if (p - page > start) munmap(start, (size_t)(p - page - start));
        if (start + whole > p + length) munmap(p + length, (size_t)(start + whole - p - length));
        #if defined(MADV_HUGEPAGE)
          madvise(p, bytes, MADV_HUGEPAGE);
        #endif
        *(size_t *)(p - 64) = length;
        return p;
      }
      static CYTHON_INLINE void be_free_aligned(void *p) {
        if (!p) return;
        size_t length = *(size_t *)((char *)p - 64), page = (size_t)sysconf(_SC_PAGESIZE);
        if (length) munmap((char *)p - page, page + length);
        else free((char *)p - 64);
      }
    #endif
    #if defined(_MSC_VER) && !defined(__clang__)
      #include <intrin.h>
      #define be_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
      #define be_load_flag(p) (*(volatile int *)(p))
      #define be_store_flag(p, v) (*(volatile int *)(p) = (v))
      #define be_load_flag_ordered(p) ((int)_InterlockedOr((volatile long *)(p), 0))
      #define be_store_flag_ordered(p, v) ((void)_InterlockedExchange((volatile long *)(p), (v)))
      #define be_load_count(p) (*(volatile uint64_t *)(p))
      #define be_store_count(p, v) (*(volatile uint64_t *)(p) = (v))
      #define be_unlikely(c) (c)
      static __forceinline uint64_t be_mul_high(uint64_t a, uint64_t b) { return __umulh(a, b); }
    #else
      #define be_prefetch(p) __builtin_prefetch(p)
      #define be_load_flag(p) __atomic_load_n((int *)(p), __ATOMIC_RELAXED)
      #define be_store_flag(p, v) __atomic_store_n((int *)(p), (v), __ATOMIC_RELAXED)
      #define be_load_flag_ordered(p) __atomic_load_n((int *)(p), __ATOMIC_SEQ_CST)
      #define be_store_flag_ordered(p, v) __atomic_store_n((int *)(p), (v), __ATOMIC_SEQ_CST)
      #define be_load_count(p) __atomic_load_n((uint64_t *)(p), __ATOMIC_RELAXED)
      #define be_store_count(p, v) __atomic_store_n((uint64_t *)(p), (v), __ATOMIC_RELAXED)
      #define be_unlikely(c) __builtin_expect(!!(c), 0)
      static CYTHON_INLINE uint64_t be_mul_high(uint64_t a, uint64_t b) {
        return (uint64_t)(((unsigned __int128)a * b) >> 64);
      }
    #endif
    """
    int64_t clock_us "be_clock_us"() noexcept nogil
    int64_t thread_us "be_thread_us"() noexcept nogil         # this thread's time on a processor; about 1 us to ask
    void* alloc_aligned "be_alloc_aligned"(size_t size) noexcept nogil        # 64 bytes; huge pages when large
    void free_aligned "be_free_aligned"(void* memory) noexcept nogil
    void prefetch "be_prefetch"(void* address) noexcept nogil
    int load_flag "be_load_flag"(int* flag) noexcept nogil
    void store_flag "be_store_flag"(int* flag, int value) noexcept nogil
    int load_flag_ordered "be_load_flag_ordered"(int* flag) noexcept nogil            # all threads see these two
    void store_flag_ordered "be_store_flag_ordered"(int* flag, int value) noexcept nogil   # happen in one order
    uint64_t load_count "be_load_count"(uint64_t* count) noexcept nogil
    void store_count "be_store_count"(uint64_t* count, uint64_t value) noexcept nogil
    bint unlikely "be_unlikely"(bint condition) noexcept nogil
    uint64_t mul_high "be_mul_high"(uint64_t a, uint64_t b) noexcept nogil
