"""Whose parameters this thread reads: constants, the same for all. A tuning build has another header in this place,
which setup.py writes: there every engine has its own.
"""

cdef enum:
    TUNING = 0

# From now on this thread reads these numbers, the defaults for NULL. Returns what it read before, to go back to.
cdef inline const int* use_params(const int* numbers) noexcept nogil:
    return numbers
