/* SPDX-License-Identifier: MIT */
#include "transport/session/speakers.h"

static struct caller *speaking(const struct caller *self,
                               enum config_language language)
{
    struct caller *c = caller_create(self->agent_id, self->cwd, self->env);

    c->named = language;
    return c;
}

void speakers_init(struct speakers *s, struct caller *self)
{
    s->in[CONFIG_JA] = speaking(self, CONFIG_JA);
    s->in[CONFIG_EN] = speaking(self, CONFIG_EN);
    s->in[CONFIG_AUTO] = RT_KEEP(self);
}

void speakers_finish(struct speakers *s)
{
    for (int i = 0; i <= CONFIG_AUTO; i++)
        rt_obj_drop(&s->in[i]->obj);
}
