/*
 * A shelf of blocks of one size, for what is made on one thread and freed on
 * another, large and often: malloc would give such blocks back to the system
 * each time and have them cleared again page by page.
 */
#ifndef RUNTIME_PROCESS_SPARE_H
#define RUNTIME_PROCESS_SPARE_H

#include <stddef.h>

struct spare;

struct spare *spare_create(size_t size);
/* The owner goes; the shelf stays until its last block has come back. */
void spare_leave(struct spare *s);

/* Any thread. A block of the shelf's size, not cleared. */
void *spare_get(struct spare *s);
void spare_put(struct spare *s, void *block);

#endif
