/* SPDX-License-Identifier: MIT */
/* The MCP clients: which are there, which have an entry of ours, and is it one
 * that can work. */
#include "transport/command/doctor.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/text/path.h"
#include "runtime/text/utf8.h"
#include "transport/command/client.h"
#include "transport/command/program.h"

/* What is known of one client. */
struct sight {
    const struct client *client;
    const struct client_words *words;
    char program[PATH_MAX]; /* "": not installed */
    char file[PATH_MAX];    /* where the entry is, or would go */
    enum client_found found;
    struct client_entry entry;
};

static bool is_registered(const struct sight *s)
{
    return s->found == CLIENT_ENTRY;
}

/* The project's file counts before the user's. */
static void look(struct sight *s)
{
    const struct client *c = s->client;
    const char *project = s->words->where.project;
    char user[PATH_MAX], *here = realpath(project ? project : ".", NULL);

    for (const char *const *name = c->programs; *name; name++)
        if (program_on_path(*name, s->program))
            break;
        else
            *s->program = 0;
    client_user_file(c, user);
    if (c->project_file)
        snprintf(s->file, sizeof(s->file), "%s/%s", here ? here : ".",
                 c->project_file);
    else
        snprintf(s->file, sizeof(s->file), "%s", user);
    s->found = client_read(c, s->file, here ? here : "", &s->entry);
    if (s->found != CLIENT_ENTRY && s->found != CLIENT_BAD_FILE && *user) {
        enum client_found other =
            client_read(c, user, here ? here : "", &s->entry);
        if (other == CLIENT_ENTRY || other == CLIENT_BAD_FILE) {
            s->found = other;
            snprintf(s->file, sizeof(s->file), "%s", user);
        }
    }
    free(here);
}

/* ---- what it is -------------------------------------------------------- */

static void see_command(struct doctor *x, const struct sight *s)
{
    const char *title = s->client->title, *name = s->entry.command;
    char found[PATH_MAX], own[PATH_MAX] = "";
    char *real;

    path_beside(own, "");
    if (!*name) {
        FIND(x, DOCTOR_OK, DOCTOR_CLIENT, CLIENT_BY_URL, title, s->file);
        return;
    }
    if (!program_on_path(name, found)) {
        FIND(x, DOCTOR_FAIL, DOCTOR_CLIENT, CLIENT_PROGRAM_MISSING, title,
             s->file, name);
        MEND(x, CLIENT_SET_COMMAND, own);
        return;
    }
    real = realpath(found, NULL);
    if (real && strcmp(real, own)) {
        FIND(x, DOCTOR_WARN, DOCTOR_CLIENT, CLIENT_ANOTHER_PROGRAM, title,
             s->file, real);
        MEND(x, CLIENT_SET_COMMAND_TO_THIS, own);
    } else {
        doctor_find(x, DOCTOR_OK, DOCTOR_CLIENT, "%s: %s", title, s->file);
    }
    free(real);
}

static bool says(const struct sight *s, const char *word)
{
    return memmem(s->entry.text.ptr, s->entry.text.len, word, strlen(word));
}

/* What it keeps from servers unless the entry says so, if it is there now. */
static void see_settings(struct doctor *x, const struct sight *s)
{
    const struct client *c = s->client;

    for (const char *const *key = client_keys; c->strips_keys && *key; key++) {
        if (!getenv(*key) || says(s, *key))
            continue;
        FIND(x, DOCTOR_WARN, DOCTOR_CLIENT, CLIENT_KEEPS_VARIABLE, c->title,
             *key);
        MEND(x, CLIENT_MEND_ENTRY, s->file, c->name);
    }
    if (c->is_toml && !says(s, "approval_mode")) {
        FIND(x, DOCTOR_NOTE, DOCTOR_CLIENT, CLIENT_CODEX_REFUSES, c->title);
        MEND(x, CLIENT_MEND_ENTRY, s->file, c->name);
    }
}

static void see_bad_file(struct doctor *x, const struct sight *s)
{
    FIND(x, DOCTOR_FAIL, DOCTOR_CLIENT, CLIENT_FILE_UNREADABLE,
         s->client->title, s->file,
         s->entry.error ? reason_of(s->entry.error, x->console->is_english).text
                        : s->entry.why);
    MEND(x, CLIENT_MEND_FILE, s->client->name);
}

/* ---- what it could be -------------------------------------------------- */

/* As mcp-config prints it. */
static void put_entry(struct bytes *out, const struct sight *s)
{
    const struct client_words *w = s->words;
    const char *where = w->where.project ? w->where.project : w->where.file;

    if (*w->program && utf8_is_valid(w->program, strlen(w->program)) && where &&
        utf8_is_valid(where, strlen(where)))
        client_put(out, s->client, w);
}

/* A file that is there is added to, not written over. */
static void tell_how(struct doctor *x, const struct sight *s)
{
    const struct client *c = s->client;
    bool is_new = s->found == CLIENT_NO_FILE;
    struct bytes entry = {0};

    put_entry(&entry, s);
    struct slice text = slice_trim(bytes_slice(&entry));
    if (c->is_toml || !is_new)
        MEND(x, CLIENT_ADD_ENTRY, s->file, c->name, (int)text.len, text.ptr);
    else
        doctor_mend(
            x, "mkdir -p '%.*s'\nkuromajutsu mcp-config --for %s > '%s'\n%.*s",
            (int)(strrchr(s->file, '/') - s->file), s->file, c->name, s->file,
            (int)text.len, text.ptr);
    bytes_finish(&entry);
}

static void see_client(struct doctor *x, const struct sight *s)
{
    if (s->found == CLIENT_BAD_FILE) {
        see_bad_file(x, s);
    } else if (is_registered(s)) {
        see_command(x, s);
        see_settings(x, s);
    } else if (*s->program) {
        FIND(x, DOCTOR_NOTE, DOCTOR_CLIENT, CLIENT_WITHOUT_ENTRY,
             s->client->title, s->program);
        tell_how(x, s);
    }
}

/* For programs: everything of every client. */
static void add_client(struct doctor *x, const struct sight *s)
{
    static const char *const words[] = {[CLIENT_NO_FILE] = "none",
                                        [CLIENT_BAD_FILE] = "unreadable",
                                        [CLIENT_NO_ENTRY] = "none",
                                        [CLIENT_ENTRY] = "there"};
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(x->json, x->clients);
    struct bytes entry = {0};

    put_entry(&entry, s);
    yyjson_mut_obj_add_str(x->json, one, "client", s->client->name);
    yyjson_mut_obj_add_str(x->json, one, "title", s->client->title);
    yyjson_mut_obj_add_bool(x->json, one, "installed", *s->program != 0);
    yyjson_mut_obj_add_str(x->json, one, "entry", words[s->found]);
    doctor_add(x, one, "program", slice_cstr(s->program));
    doctor_add(x, one, "file", slice_cstr(s->file));
    doctor_add(x, one, "command", slice_cstr(s->entry.command));
    doctor_add(x, one, "config", bytes_slice(&entry));
    bytes_finish(&entry);
}

/* Without any client nothing here is ever used. */
static void tell_none(struct doctor *x, const struct client_words *w,
                      bool is_any_there)
{
    struct sight first = {.client = clients, .words = w};

    FIND(x, DOCTOR_WARN, DOCTOR_CLIENT, CLIENT_NONE_HAS_ENTRY, "");
    look(&first);
    if (!is_any_there)
        tell_how(x, &first);
    client_entry_finish(&first.entry);
}

void doctor_see_clients(struct doctor *x)
{
    bool has_entry = false, is_any_there = false;
    struct config_error e; /* told by what needs it */
    struct client_words w;

    client_words_find(&w, x->console->config_file, &e);

    for (const struct client *c = clients; c->name; c++) {
        struct sight s = {.client = c, .words = &w};

        if (!c->is_common)
            continue;
        look(&s);
        has_entry |= is_registered(&s) || s.found == CLIENT_BAD_FILE;
        is_any_there |= *s.program != 0;
        see_client(x, &s);
        if (x->json)
            add_client(x, &s);
        client_entry_finish(&s.entry);
    }
    if (!has_entry)
        tell_none(x, &w, is_any_there);
    client_words_finish(&w);
}
