/* SPDX-License-Identifier: MIT */
#include "config/edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/config_diff.h"
#include "config/keys.h"
#include "config/loader.h"
#include "config/replace_file.h"
#include "config/source.h"
#include "config/trust.h"
#include "runtime/text/bytes.h"
#include "runtime/text/utf8.h"

static bool is_tools(const struct config_edit *edit)
{
    return strcmp(edit->key, "tools") == 0;
}

/* Before it is written, since nothing could say it better afterwards. */
static int check_utf8(const char *role, const struct config_edit *edit,
                      struct config_error *e)
{
    uint32_t code = 0;

    for (const char *p = edit->value; p && *p;) {
        size_t n = utf8_decode(p, strlen(p), &code);
        if (n == 0)
            return ERROR_PLAIN(e, EDIT_NO_UTF8, role, edit->key,
                               (unsigned char)*p);
        p += n;
    }
    return 0;
}

static int refuse_nothing(const char *role, const struct key *k,
                          const struct keys_words *expected,
                          struct config_error *e)
{
    char *path = bytes_text("roles[%s].%s", role, k->name);
    int rc = value_say(e, NULL, (struct mark){0}, path,
                       (struct message){expected->ja, expected->en},
                       (struct message)BOTH(VALUE_FOUND_NOTHING));

    free(path);
    return rc;
}

/* The id is what everything else refers to. */
static int check_key(const struct config *c, const char *role,
                     const struct config_edit *edit, struct config_error *e)
{
    const struct key *k = keys_find(&keys_role, NULL, edit->key);
    bool is_fixed = !strcmp(edit->key, "id");

    if (is_tools(edit))
        return 0;
    if (!k || is_fixed)
        return ERROR_PLAIN(e, EDIT_NO_SUCH_KEY, role, edit->key);
    if (k->needs_trust && !c->is_trusted)
        return ERROR_PLAIN(e, EDIT_NOT_TRUSTED, role, k->name, c->file);
    if (!edit->value && !k->is_optional && !edit->is_removed) {
        struct keys_words expected = keys_expected(k);
        return refuse_nothing(role, k, &expected, e);
    }
    return check_utf8(role, edit, e);
}

static bool has_tools(const struct role *r, const struct config_edit *edit)
{
    if (r->tool_count != edit->count)
        return false;
    for (size_t i = 0; i < edit->count; i++)
        if (strcmp(r->tools[i].tool->id, edit->items[i]) != 0)
            return false;
    return true;
}

static bool has_value(const struct role *r, const struct config_edit *edit)
{
    const struct key *k = keys_find(&keys_role, NULL, edit->key);
    const char *at = (const char *)r + k->offset;

    if (k->type == KEY_INT)
        return *(const int64_t *)at ==
               (edit->value ? strtoll(edit->value, NULL, 10) : k->null);
    if (k->type == KEY_BOOL)
        return *(const bool *)at == (strcmp(edit->value, "true") == 0);
    return strcmp(*(const char *const *)at, edit->value) == 0;
}

static bool is_from_file(const struct role *r, const struct config_edit *edit)
{
    const struct key *k = keys_find(&keys_role, NULL, edit->key);
    size_t i = k ? (size_t)(k - keys_role.rows) : ROLE_KEYS;

    return r->origins[i] == CONFIG_PROJECTS;
}

static bool has_edit(const struct role *is, const struct config_edit *edit)
{
    if (edit->is_removed)
        return !is_from_file(is, edit);
    return is_tools(edit) ? has_tools(is, edit) : has_value(is, edit);
}

static void take_key(struct role *to, const struct role *from,
                     const struct key *k)
{
    size_t size = k->type == KEY_INT    ? sizeof(int64_t)
                  : k->type == KEY_BOOL ? sizeof(bool)
                                        : sizeof(char *);

    memcpy((char *)to + k->offset, (const char *)from + k->offset, size);
    if (strcmp(k->name, "backend") == 0) /* built-in models go with it */
        to->model = from->model;
    /* One that has no description is described by its name. */
    if (strcmp(k->name, "name") == 0 && !from->is_builtin &&
        strcmp(from->description, from->name) == 0)
        to->description = from->description;
}

/* Whether all that was asked for has come about in the role, and no more; of a
 * new one (was NULL) whether it is as asked. */
static bool is_as_asked(const struct role *was, const struct role *is,
                        const struct config_edit *edits, size_t count)
{
    struct role expected = was ? *was : *is;
    bool is_tools_edited = !was;

    for (size_t i = 0; i < count; i++) {
        if (!has_edit(is, &edits[i]))
            return false;
        if (is_tools(&edits[i]))
            is_tools_edited = true;
        else
            take_key(&expected, is, keys_find(&keys_role, NULL, edits[i].key));
    }
    return keys_equal(&keys_role, &expected, is) &&
           (is_tools_edited || role_uses_equal(was, is));
}

/* Below the file there may be another of the same id. */
static int refuse_still_there(const struct config *c, const char *role,
                              struct config_error *e)
{
    return ERROR_PLAIN(e, EDIT_ELSEWHERE_TOO, role,
                       c->user_file ? c->user_file : c->file);
}

/* Judges the new text as if it were the file already. */
static int judge(const struct config *c, char *const *env,
                 const struct role_change *ch, const struct source *s,
                 struct config **fresh, struct config_error *e)
{
    int rc = config_parse_as(c, s->text, s->len, env, fresh, e);

    if (rc)
        return rc;
    const struct role *is = role_find_any(*fresh, ch->role);
    bool is_alone = config_equal(c, *fresh, ch->role);
    if (is_alone && ch->kind == ROLE_DELETE)
        return is ? refuse_still_there(c, ch->role, e) : 0;
    if (is_alone && is &&
        is_as_asked(role_find_any(c, ch->role), is, ch->edits, ch->count))
        return 0;
    return ERROR_PLAIN(e, EDIT_NOT_BY_ITSELF, c->file, ch->role);
}

static int patch_text(struct source *s, const char *role,
                      const struct config_edit *edit, struct config_error *e)
{
    const char *name = s->name;
    struct stat st = s->stat;
    char *text = NULL;
    size_t len = 0;
    int rc = edit_text(s, role, edit, &text, &len, e);

    if (rc)
        return rc;
    source_finish(s);
    rc = source_take(s, name, text, len, e);
    s->stat = st;
    return rc;
}

static int apply(const struct config *c, struct source *s,
                 const struct role_change *ch, struct config_error *e)
{
    int rc = 0;

    if (ch->kind == ROLE_DELETE)
        return patch_text(s, ch->role, NULL, e);
    for (size_t i = 0; !rc && i < ch->count; i++) {
        rc = check_key(c, ch->role, &ch->edits[i], e);
        if (!rc)
            rc = patch_text(s, ch->role, &ch->edits[i], e);
    }
    return rc;
}

static int open_source(const struct config *c, struct source *s,
                       struct config_error *e)
{
    if (!c->has_file)
        return source_take(s, c->file, strdup(""), 0, e);
    int rc = source_read(s, c->file, e);
    if (!rc && slice_stable_hash(slice_of(s->text, s->len)) != c->text.hash) {
        ERROR_PLAIN(e, EDIT_FILE_CHANGED, c->file);
        rc = -ESTALE;
    }
    return rc;
}

/* What its user changes in a file that is trusted is trusted too. Noted first:
 * without the file it does no harm, the file without it would not hold. */
static int keep_trust(const struct config *c, char *const *env,
                      const struct config *fresh, struct config_error *e)
{
    if (c->is_named || fresh->claim_count == 0 ||
        strcmp(c->digest, fresh->digest) == 0)
        return 0;
    return trust_note(env, fresh->digest, c->file, e);
}

/* ---- changes ------------------------------------------------------------- */

static int check_create(const struct config *c, const struct role_change *ch,
                        struct config_error *e)
{
    if (!role_id_is_valid(ch->role))
        return ERROR_PLAIN(e, EDIT_BAD_ID, ch->role);
    if (role_find_any(c, ch->role))
        return ERROR_PLAIN(e, EDIT_ID_TAKEN, ch->role);
    return 0;
}

static int check_delete(const struct config *c, const struct role_change *ch,
                        struct config_error *e)
{
    const struct role *r = role_find_any(c, ch->role);

    if (r->is_builtin)
        return ERROR_PLAIN(e, EDIT_BUILT_IN, ch->role);
    if (r->origins[0] != CONFIG_PROJECTS) /* of its id */
        return refuse_still_there(c, ch->role, e);
    return 0;
}

static int check(const struct config *c, const struct role_change *ch,
                 struct config_error *e)
{
    char version[CONFIG_VERSION];
    bool is_delete = ch->kind == ROLE_DELETE;

    config_version(c, version);
    if (ch->version && strcmp(ch->version, version) != 0) {
        ERROR_PLAIN(e, EDIT_FILE_CHANGED, c->file);
        return -ESTALE;
    }
    if (ch->kind == ROLE_CREATE)
        return check_create(c, ch, e);
    if (!role_find_any(c, ch->role))
        return ERROR_PLAIN(e, EDIT_NO_SUCH_ROLE, ch->role);
    if (!is_delete && (ch->count == 0 || ch->count > EDIT_LIMIT))
        return ERROR_PLAIN(e, EDIT_COUNT, ch->role, EDIT_LIMIT);
    return is_delete ? check_delete(c, ch, e) : 0;
}

static int write_source(const struct config *c, char *const *env,
                        const struct config *fresh, const struct source *s,
                        struct config_error *e)
{
    int rc = keep_trust(c, env, fresh, e);

    return rc ? rc
              : replace_file(c->file, s->text, s->len,
                             c->has_file ? &s->stat : NULL, e);
}

void role_changed_finish(struct role_changed *r)
{
    config_destroy(r->config);
    free(r->diff);
    *r = (struct role_changed){0};
}

int config_change(const struct config *c, char *const *env,
                  const struct role_change *change, struct role_changed *out,
                  struct config_error *e)
{
    struct source s = {0};
    char *was = NULL;

    *out = (struct role_changed){0};
    *e = (struct config_error){0};
    int rc = check(c, change, e);
    if (!rc)
        rc = open_source(c, &s, e);
    if (!rc) {
        was = bytes_text("%s", s.text);
        rc = apply(c, &s, change, e);
    }
    if (!rc)
        rc = judge(c, env, change, &s, &out->config, e);
    if (!rc)
        out->diff = config_diff(c, was, slice_of(s.text, s.len));
    if (!rc && !change->is_dry)
        rc = write_source(c, env, out->config, &s, e);
    source_finish(&s);
    free(was);
    if (rc)
        role_changed_finish(out);
    return rc;
}

int config_edit(const struct config *c, char *const *env, const char *role,
                const struct config_edit *edits, size_t count,
                struct config **fresh, struct config_error *e)
{
    const struct role_change change = {
        .role = role, .edits = edits, .count = count};
    struct role_changed made;
    int rc = config_change(c, env, &change, &made, e);

    *fresh = made.config;
    made.config = NULL;
    role_changed_finish(&made);
    return rc;
}
