/* Plants are faults put into a story on purpose: its checks must find them. */
#ifndef TESTS_STORIES_PLANT_H
#define TESTS_STORIES_PLANT_H

enum plant {
    PLANTED_NOTHING,
    PLANTED_GONE_TWICE, /* one end is told twice */
    PLANTED_GONE_NEVER, /* one end is never told */
    PLANTED_FEW_PLACES, /* the books know of one place less than the hub */
    PLANTED_MUTE,       /* one answer is lost */
    PLANTED_ECHO,       /* one answer comes twice */
    PLANTED_STALE,      /* an agent is told of as it was at first */
    PLANTED_KINDS
};

#endif
