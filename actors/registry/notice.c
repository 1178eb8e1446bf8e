/* SPDX-License-Identifier: MIT */
#include "actors/registry/notice.h"

#include <stdlib.h>

struct slice notice_kind_name(enum config_notify kind)
{
    static const struct slice names[CONFIG_NOTIFY_KINDS] = {
        [CONFIG_NOTIFY_FAILED] = SLICE_INIT("failed"),
        [CONFIG_NOTIFY_STALLED] = SLICE_INIT("stalled"),
        [CONFIG_NOTIFY_CONFLICT] = SLICE_INIT("conflict"),
        [CONFIG_NOTIFY_GROUP_DONE] = SLICE_INIT("groupDone"),
        [CONFIG_NOTIFY_BUDGET] = SLICE_INIT("budget"),
        [CONFIG_NOTIFY_NO_ROLE] = SLICE_INIT("noRole")};

    return names[kind];
}

static void free_notice(struct rt_obj *o)
{
    struct notice *n = (struct notice *)o;

    rt_obj_drop(&n->settings->obj);
    bytes_finish(&n->text);
    free(n);
}

struct notice *notice_create(const struct notice *from, struct slice text)
{
    struct notice *n = bytes_alloc(sizeof(*n));

    *n = *from;
    rt_obj_init(&n->obj, free_notice);
    rt_obj_keep(&n->settings->obj);
    n->text = (struct bytes){0};
    bytes_append_capped(&n->text, slice_trim(text), NOTICE_TEXT);
    return n;
}

static void free_notification(struct rt_obj *o)
{
    struct notification *n = (struct notification *)o;

    rt_obj_drop(&n->settings->obj);
    bytes_finish(&n->title);
    bytes_finish(&n->body);
    free(n);
}

struct notification *notification_create(const struct notification *from,
                                         struct bytes *title,
                                         struct bytes *body)
{
    struct notification *n = bytes_alloc(sizeof(*n));

    *n = *from;
    rt_obj_init(&n->obj, free_notification);
    rt_obj_keep(&n->settings->obj);
    n->title = *title;
    n->body = *body;
    *title = *body = (struct bytes){0};
    return n;
}
