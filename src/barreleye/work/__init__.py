"""Work that can be done anywhere: given in pieces to threads here or to workers elsewhere, it comes back in order.

Whatever is a pure function of settings and seed, or of positions, has the same result wherever it is done. Workers are
those of an executor: Dask's, of processes, of MPI, anything that is a `concurrent.futures.Executor`.
"""
