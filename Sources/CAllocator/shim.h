// `mallopt` and `malloc_trim`, which Swift's module of glibc leaves out. Elsewhere there is none.
#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif
