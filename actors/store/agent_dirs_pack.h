/* A packing is one transcript on its way into a gzip file beside it. */
#ifndef ACTORS_STORE_AGENT_DIRS_PACK_H
#define ACTORS_STORE_AGENT_DIRS_PACK_H

struct agent_dirs_packing;

/* Takes the descriptor of the agent's directory, also when it fails: -ENOENT
 * if there is nothing to pack. */
int agent_dirs_packing_create(int dir, struct agent_dirs_packing **out);
/* Accepts NULL; what is not complete is removed again. */
void agent_dirs_packing_destroy(struct agent_dirs_packing *p);
/* 1: there is more; 0: the gzip file is in place and the original gone. */
int agent_dirs_packing_step(struct agent_dirs_packing *p);

#endif
