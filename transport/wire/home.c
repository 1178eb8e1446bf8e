/* SPDX-License-Identifier: MIT */
#include "transport/wire/home.h"

#include <stdlib.h>

#include "config/env.h"
#include "config/identity.h"
#include "runtime/text/bytes.h"
#include "runtime/text/path.h"

#define LEASE_MS 60000

/* A file that was found is not named to the hub, which finds it as we did:
 * what is named is trusted. */
static int find_state(struct home *h, const char *file, const struct config *c,
                      char *const *env, struct config_error *e)
{
    int error = identity_state_dir(c, env, &h->state_dir, e);

    if (error != 0)
        return error;
    h->socket = bytes_text("%s/hub.sock", h->state_dir);
    if (file)
        h->file = bytes_text("%s", c->file);
    return 0;
}

int home_find(struct home *h, const char *file, char *const *env,
              struct config_error *e)
{
    const char *socket = env_get(env, "KUROMAJUTSU_SOCKET");
    struct config *c = NULL;
    int error = config_load(file, env, &c, e);

    *h = (struct home){.is_agent = socket != NULL,
                       .language = CONFIG_JA,
                       .lease_ms = LEASE_MS};
    if (error == 0) {
        h->language = c->language;
        h->lease_ms = c->hub.lease_ms;
    }
    if (socket) {
        h->socket = bytes_text("%s", socket);
        error = 0;
    } else if (error == 0) {
        error = find_state(h, file, c, env, e);
    }
    config_destroy(c);
    return error;
}

void home_finish(struct home *h)
{
    free(h->socket);
    free(h->state_dir);
    free(h->file);
    *h = (struct home){0};
}

int home_make(const struct home *h)
{
    char *path = bytes_text("%s/", h->state_dir);
    int error = path_make_folders(path);

    free(path);
    return error;
}
