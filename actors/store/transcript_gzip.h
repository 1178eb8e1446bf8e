/* A transcript on its way into a gzip file beside it. */
#ifndef ACTORS_STORE_TRANSCRIPT_GZIP_H
#define ACTORS_STORE_TRANSCRIPT_GZIP_H

struct transcript_gzip;

/* Takes the descriptor of the agent's directory, also when it fails: -ENOENT
 * if there is nothing to pack. */
int transcript_gzip_create(int dir, struct transcript_gzip **out);
/* Accepts NULL; what is not complete is removed again. */
void transcript_gzip_destroy(struct transcript_gzip *p);
/* 1: there is more; 0: the gzip file is in place and the original gone. */
int transcript_gzip_step(struct transcript_gzip *p);

#endif
