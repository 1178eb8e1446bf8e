/*
 * A page of events as the feed tells them, for a subscriber that reads on from
 * a number. Constant, shared; carried by the answer to ORDER_EVENT_PAGE.
 */
#ifndef ACTORS_STORE_EVENT_PAGE_H
#define ACTORS_STORE_EVENT_PAGE_H

#include "actors/order/order.h"

struct event_page_line {
    uint64_t seq;
    char group[ORDER_ID]; /* what it is about; "": no group that is known */
    char agent[ORDER_ID]; /* likewise */
    size_t at, len;       /* in lines */
};

struct event_page {
    struct rt_obj obj;
    struct bytes lines; /* {"type":...,"seq":N,"at":"...","data":{...}} each */
    struct event_page_line *events; /* by number */
    size_t count;
    bool has_more;
};

static inline struct slice event_page_line(const struct event_page *p, size_t i)
{
    return slice_of(p->lines.ptr + p->events[i].at, p->events[i].len);
}

#endif
