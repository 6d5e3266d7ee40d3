/* The simdjson headers are C++; only CSimdjson includes them. This module carries the link flag. */
