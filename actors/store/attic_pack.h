/* A packing is one transcript on its way into a gzip file beside it. */
#ifndef ACTORS_STORE_ATTIC_PACK_H
#define ACTORS_STORE_ATTIC_PACK_H

struct attic_packing;

/* Takes the descriptor of the agent's directory, also when it fails: -ENOENT
 * if there is nothing to pack. */
int attic_packing_create(int dir, struct attic_packing **out);
/* Accepts NULL; what is not complete is removed again. */
void attic_packing_destroy(struct attic_packing *p);
/* 1: there is more; 0: the gzip file is in place and the original gone. */
int attic_packing_step(struct attic_packing *p);

#endif
