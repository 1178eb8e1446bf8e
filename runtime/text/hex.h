/* Bytes as two small hexadecimal digits each. */
#ifndef RUNTIME_TEXT_HEX_H
#define RUNTIME_TEXT_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes 2 * len digits and no terminator. */
void hex_write(char *out, const uint8_t *in, size_t len);
/* Reads 2 * len digits; false when one of them is none. */
bool hex_read(uint8_t *out, const char *in, size_t len);

#endif
