/* SPDX-License-Identifier: MIT */
/* What is ours: the configuration, where state lies, our programs. */
#include "transport/command/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/text/path.h"

void doctor_see_config(struct doctor *x)
{
    struct console *con = x->console;
    enum doctor_subject subject = DOCTOR_CONFIG;
    struct config_error e;

    if (config_load(con->config_file, environ, &x->config, &e)) {
        x->config = NULL;
        doctor_find(x, DOCTOR_FAIL, subject, "%s",
                    config_error_in(&e, x->console->is_english));
        MEND(x, SETUP_MEND_CONFIG, "");
        return;
    }
    if (x->config->has_file)
        doctor_find(x, DOCTOR_OK, subject, "%s", x->config->file);
    else
        FIND(x, DOCTOR_OK, subject, SETUP_NO_CONFIG, x->config->file);
    if (x->config->user_file)
        doctor_find(x, DOCTOR_OK, subject, "%s", x->config->user_file);
    for (size_t i = 0; i < x->config->warning_count; i++)
        doctor_find(x, DOCTOR_WARN, subject, "%s", x->config->warnings[i]);
}

static void see_rights(struct doctor *x, enum doctor_subject subject,
                       const struct stat *st)
{
    const char *dir = x->console->state_dir;

    if (!S_ISDIR(st->st_mode)) {
        FIND(x, DOCTOR_FAIL, subject, SETUP_HOME_IS_NO_DIRECTORY, dir);
        MEND(x, SETUP_REMOVE_HOME, dir);
    } else if (st->st_uid != geteuid()) {
        FIND(x, DOCTOR_FAIL, subject, SETUP_HOME_IS_ANOTHERS, dir,
             (unsigned)st->st_uid);
        MEND(x, SETUP_CHOWN_HOME, "");
    } else if (access(dir, R_OK | W_OK | X_OK)) {
        FIND(x, DOCTOR_FAIL, subject, SETUP_CANNOT_WRITE, dir,
             reason_of(errno, x->console->is_english).text);
        doctor_mend(x, "chmod 700 '%s'", dir);
    } else if (st->st_mode & 077) {
        FIND(x, DOCTOR_WARN, subject, SETUP_OTHERS_CAN_READ, dir,
             (unsigned)st->st_mode & 0777);
        doctor_mend(x, "chmod 700 '%s'", dir);
    } else {
        doctor_find(x, DOCTOR_OK, subject, "%s", dir);
    }
}

/* The nearest directory above that is there must let us make the rest. */
static void see_above(struct doctor *x, enum doctor_subject subject)
{
    char *path = bytes_text("%s", x->console->state_dir), *slash;

    while (access(path, F_OK) && (slash = strrchr(path, '/')))
        slash[slash == path] = '\0';
    if (access(path, W_OK | X_OK)) {
        FIND(x, DOCTOR_FAIL, subject, SETUP_CANNOT_MAKE, x->console->state_dir,
             path);
        MEND(x, SETUP_WRITABLE_HOME, "");
    } else {
        FIND(x, DOCTOR_OK, subject, SETUP_NOT_YET_THERE, x->console->state_dir);
    }
    free(path);
}

void doctor_see_state(struct doctor *x)
{
    enum doctor_subject subject = DOCTOR_STATE;
    struct stat st;

    if (x->console->home_error) {
        if (x->config)
            doctor_find(
                x, DOCTOR_FAIL, subject, "%s",
                config_error_in(&x->console->error, x->console->is_english));
        return;
    }
    if (stat(x->console->state_dir, &st))
        see_above(x, subject);
    else
        see_rights(x, subject, &st);
    /* sun_path has 108 bytes. Ours are reached through their directory where
     * that is not enough; other tools cannot do so. */
    size_t len = strlen(x->console->home.socket);
    if (len > 107)
        FIND(x, DOCTOR_WARN, DOCTOR_SOCKET, SETUP_SOCKET_PATH_LONG, len);
}

static void see_program(struct doctor *x, const char *name)
{
    char path[PATH_MAX];

    if (path_beside(path, name) != 0)
        return;
    if (access(path, X_OK) == 0) {
        doctor_find(x, DOCTOR_OK, DOCTOR_PROGRAM, "%s", path);
        return;
    }
    FIND(x, DOCTOR_FAIL, DOCTOR_PROGRAM, SETUP_PROGRAM_MISSING, path);
    MEND(x, SETUP_BUILD_AGAIN, "");
}

void doctor_see_programs(struct doctor *x)
{
    see_program(x, "kuromajutsu-hub");
    see_program(x, "kuromajutsu-warden");
}
