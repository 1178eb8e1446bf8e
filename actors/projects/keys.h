/*
 * Keys derives passkeys, on a loop of its own: it takes a tenth of a second on
 * purpose, for which nobody else is to wait.
 *
 *   asker -- KEYS_DERIVE --> keys -- KEYS_DERIVED --> asker
 *
 * Both carry struct key_job; one is done after another.
 */
#ifndef ACTORS_PROJECTS_KEYS_H
#define ACTORS_PROJECTS_KEYS_H

#include "runtime/rt.h"
#include "runtime/text/sha256.h"
#include "runtime/text/slice.h"

enum {
    KEYS_DERIVE = 0x6e8, /* to it */
    KEYS_DERIVED         /* to who asked */
};

/* How dear a new passkey is to guess; each row says its own. */
#define KEY_ITERATIONS 210000
#define KEY_SALT 33 /* hexadecimal digits with their terminator */

struct key_job {
    struct rt_obj obj;
    struct rt_obj *what; /* owned: what it is for */
    char *passkey;       /* heap; wiped */
    char salt[KEY_SALT];
    uint32_t iterations;
    char hash[SHA256_HEX]; /* what it comes to */
};

/* The caller owns the one reference; keeps what it is for. */
struct key_job *key_job_create(struct rt_obj *what, struct slice passkey);
/* A new salt for it. */
void key_job_draw_salt(struct key_job *job);

struct rt_ref keys_spawn(struct rt_turn *t);

#endif
