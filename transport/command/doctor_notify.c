/* SPDX-License-Identifier: MIT */
/* Whether a person is told what happens, where they want to be. */
#include <string.h>
#include <unistd.h>

#include "config/desktop.h"
#include "config/url.h"
#include "transport/command/doctor.h"
#include "transport/command/program.h"

static int64_t wanted(const struct config *c)
{
    int64_t all = 0;

    for (int i = 0; i < CONFIG_NOTIFY_KINDS; i++)
        all |= c->notifications.channels[i];
    return all;
}

static bool is_withheld(const struct config *c, const char *key)
{
    for (size_t i = 0; !c->is_trusted && i < c->claim_count; i++)
        if (strcmp(c->claims[i].key, key) == 0)
            return true;
    return false;
}

/* Of the environment we are in, which the hub may have been started with. */
static void see_desktop(struct doctor *x)
{
    char path[PATH_MAX];

    if (!desktop_is_there(environ)) {
        FIND(x, DOCTOR_NOTE, DOCTOR_NOTIFY, NOTIFY_NO_SESSION, "");
    } else if (!program_on_path(DESKTOP_PROGRAM, path)) {
        FIND(x, DOCTOR_NOTE, DOCTOR_NOTIFY, NOTIFY_NO_PROGRAM, DESKTOP_PROGRAM);
        MEND(x, NOTIFY_INSTALL, "libnotify-bin");
    } else {
        FIND(x, DOCTOR_OK, DOCTOR_NOTIFY, NOTIFY_DESKTOP, path);
    }
}

/* True: something is there to be judged further. */
static bool see_setting(struct doctor *x, const char *key, const char *channel,
                        bool is_wanted, bool is_set)
{
    if (is_wanted && is_withheld(x->config, key)) {
        FIND(x, DOCTOR_WARN, DOCTOR_NOTIFY, NOTIFY_WITHHELD, key);
        MEND(x, NOTIFY_TRUST, "");
    } else if (is_wanted && !is_set) {
        FIND(x, DOCTOR_WARN, DOCTOR_NOTIFY, NOTIFY_NOT_SET, channel, key);
        MEND(x, NOTIFY_SET, key, channel);
    } else if (is_set && !is_wanted) {
        FIND(x, DOCTOR_WARN, DOCTOR_NOTIFY, NOTIFY_NOT_WANTED, key, channel);
        MEND(x, NOTIFY_WANT, channel);
    }
    return is_wanted && is_set;
}

static void see_command(struct doctor *x, bool is_wanted)
{
    const char *name = x->config->notifications.command[0];
    char path[PATH_MAX];

    if (!see_setting(x, "notifications.command", "command", is_wanted,
                     name != NULL))
        return;
    if (program_on_path(name, path)) {
        FIND(x, DOCTOR_OK, DOCTOR_NOTIFY, NOTIFY_COMMAND, path);
    } else {
        FIND(x, DOCTOR_WARN, DOCTOR_NOTIFY, NOTIFY_COMMAND_MISSING, name);
        MEND(x, NOTIFY_COMMAND_NAME, "");
    }
}

static void see_webhook(struct doctor *x, bool is_wanted)
{
    const char *webhook = x->config->notifications.webhook;
    struct url url;

    if (see_setting(x, "notifications.webhook", "webhook", is_wanted,
                    *webhook != 0) &&
        url_read(&url, webhook))
        FIND(x, DOCTOR_OK, DOCTOR_NOTIFY, NOTIFY_WEBHOOK, (int)url.site.len,
             url.site.ptr);
}

void doctor_see_notifications(struct doctor *x)
{
    int64_t channels;

    if (x->config == NULL)
        return;
    channels = wanted(x->config);
    if (channels & CONFIG_DESKTOP)
        see_desktop(x);
    see_command(x, channels & CONFIG_COMMAND);
    see_webhook(x, channels & CONFIG_WEBHOOK);
}
