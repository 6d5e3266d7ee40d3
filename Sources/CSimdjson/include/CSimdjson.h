/* A C interface to simdjson's On-Demand parser. One call turns a JSON text into a flat array of nodes (the "tape"), which
   Swift can read without further calls into C++. Strings are unescaped, numbers stay text, and each node knows its bytes
   in the input. */
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    tape_kind_null = 0,
    tape_kind_false = 1,
    tape_kind_true = 2,
    tape_kind_number = 3,
    tape_kind_string = 4,
    /* A string that is not valid text: it has a lone surrogate or a bad escape. `text` is its raw spelling. */
    tape_kind_invalid_string = 5,
    tape_kind_array = 6,
    tape_kind_object = 7
};

enum {
    tape_ok = 0,
    tape_error_syntax = 1,
    tape_error_utf8 = 2,
    tape_error_depth = 3,
    tape_error_size = 4,
    tape_error_memory = 5
};

typedef struct tape_node {
    uint32_t kind;
    /* Index of the first node after this one and its contents. */
    uint32_t next;
    /* Members or elements of a container. */
    uint32_t count;
    /* The bytes of the input, [begin, end). */
    uint32_t begin, end;
    /* Unescaped text of a string, or the spelling of a number. Not terminated. */
    const char *text;
    uint32_t text_length;
    /* The unescaped key, if the node is a member of an object. */
    uint32_t key_length;
    const char *key;
} tape_node;

typedef struct tape tape;

tape *tape_make(void);
void tape_free(tape *tape);

/* Reads the whole text and replaces the content of the tape. Returns `tape_ok` or a `tape_error_…`. */
int tape_read(tape *tape, const uint8_t *bytes, size_t length, uint32_t maximum_depth, uint32_t maximum_nodes);

const tape_node *tape_nodes(const tape *tape);

#ifdef __cplusplus
}
#endif
#endif
