/* memory sets how the C library keeps it: once, first thing in main. */
#ifndef TRANSPORT_WIRE_MEMORY_H
#define TRANSPORT_WIRE_MEMORY_H

/*
 * Answers of some hundred kilobytes are made and freed one after the other.
 * By default each would be a mapping of its own, and every page of it a fault:
 * that took more time than writing the answer. So up to a few megabytes stay
 * in the heap, and the heap keeps them.
 */
void memory_init(void);

#endif
