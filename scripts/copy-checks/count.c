// Counts what a program copies and allocates: for LD_PRELOAD. At the end of the program it writes the bytes that were
// copied or filled, and the number of allocations, into the file that COPIES_FILE names.
//
// It does not see copies that the compiler writes out without a call. It sees those of arrays and of values that have
// more than about 100 bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_ullong bytes, allocations;

static void count(atomic_ullong *counter, unsigned long long number) {
    atomic_fetch_add_explicit(counter, number, memory_order_relaxed);
}

// The originals are looked up before main. Until then, bytes are moved one by one.
typedef void *copy_function(void *, const void *, size_t);
typedef void *fill_function(void *, int, size_t);
static copy_function *original_memcpy, *original_memmove;
static fill_function *original_memset;

__attribute__((constructor)) static void find_originals(void) {
    original_memcpy = (copy_function *)dlsym(RTLD_NEXT, "memcpy");
    original_memmove = (copy_function *)dlsym(RTLD_NEXT, "memmove");
    original_memset = (fill_function *)dlsym(RTLD_NEXT, "memset");
}

__attribute__((destructor)) static void report(void) {
    const char *name = getenv("COPIES_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file) return;
    fprintf(file, "bytes %llu\nallocations %llu\n", bytes, allocations);
    fclose(file);
}

static void *move(copy_function *original, void *to, const void *from, size_t size) {
    count(&bytes, size);
    if (original) return original(to, from, size);
    volatile char *target = to;
    const volatile char *source = from;
    if (target < source)
        for (size_t i = 0; i < size; i++) target[i] = source[i];
    else
        for (size_t i = size; i > 0; i--) target[i - 1] = source[i - 1];
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    return move(original_memcpy, to, from, size);
}
void *memmove(void *to, const void *from, size_t size) {
    return move(original_memmove, to, from, size);
}
void *__memcpy_chk(void *restrict to, const void *restrict from, size_t size, size_t room) {
    if (size > room) abort();
    return memcpy(to, from, size);
}
void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
    if (size > room) abort();
    return memmove(to, from, size);
}

void *memset(void *target, int byte, size_t size) {
    count(&bytes, size);
    if (original_memset) return original_memset(target, byte, size);
    for (volatile char *each = target; each < (char *)target + size; each++) *each = (char)byte;
    return target;
}
void *__memset_chk(void *target, int byte, size_t size, size_t room) {
    if (size > room) abort();
    return memset(target, byte, size);
}

// glibc's own names of its allocator.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    count(&allocations, 1);
    return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
    count(&allocations, 1);
    return __libc_calloc(number, size);
}
void *realloc(void *block, size_t size) {
    count(&allocations, 1);
    return __libc_realloc(block, size);
}
void *memalign(size_t alignment, size_t size) {
    count(&allocations, 1);
    return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
