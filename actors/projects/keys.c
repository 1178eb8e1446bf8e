/* SPDX-License-Identifier: MIT */
#include "actors/projects/keys.h"

#include <stdlib.h>
#include <sys/random.h>

#include "actors/order/hub_context.h"
#include "runtime/text/bytes.h"
#include "runtime/text/hex.h"
#include "runtime/text/pbkdf2.h"

static void free_job(struct rt_obj *obj)
{
    struct key_job *job = (struct key_job *)obj;

    rt_obj_drop(job->what);
    explicit_bzero(job->passkey, strlen(job->passkey));
    free(job->passkey);
    free(job);
}

struct key_job *key_job_create(struct rt_obj *what, struct slice passkey)
{
    struct key_job *job = bytes_zalloc(sizeof(*job));

    rt_obj_init(&job->obj, free_job);
    rt_obj_keep(what);
    job->what = what;
    job->passkey = bytes_text("%.*s", (int)passkey.len, passkey.ptr);
    job->iterations = KEY_ITERATIONS;
    return job;
}

void key_job_draw_salt(struct key_job *job)
{
    uint8_t salt[(KEY_SALT - 1) / 2];

    if (getrandom(salt, sizeof(salt), 0) != sizeof(salt))
        abort(); /* never of so few bytes */
    hex_write(job->salt, salt, sizeof(salt));
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct key_job *job;
    uint8_t derived[SHA256_BYTES];

    (void)state;
    if (m->kind != KEYS_DERIVE)
        return RT_OK;
    job = RT_OBJ(m, struct key_job);
    pbkdf2_sha256(slice_cstr(job->passkey), slice_cstr(job->salt),
                  job->iterations, derived);
    sha256_hex(derived, job->hash);
    rt_pass(t, m->from, KEYS_DERIVED, &job->obj);
    return RT_OK;
}

static const struct rt_behaviour behaviour = {.name = "keys", .handle = handle};

struct rt_ref keys_spawn(struct rt_turn *t)
{
    return rt_spawn_at(t, HUB_LOOP_KEYS, &behaviour, NULL);
}
