/*
 * Plays a scenario: each step becomes lines of the back-end, waits, calls of
 * the hub, or the trouble it asks for.
 */
#ifndef TRANSPORT_PUPPET_PLAY_H
#define TRANSPORT_PUPPET_PLAY_H

#include "transport/puppet/mcp.h"
#include "transport/puppet/scenario.h"
#include "transport/puppet/teller.h"
#include "transport/puppet/vars.h"

struct play {
    struct teller *teller;
    struct vars *vars;
    struct mcp *mcp;
    const struct scenario *scenario;
    int exit_code;
    bool has_failed; /* a result said error, or a call was needed in vain */
    /* Whether the message being said is the last of its run. */
    bool is_final;
};

/* Plays all of it and returns the exit code, if it returns. */
int play_scenario(struct play *p);

/* Of a step, with its ${...} replaced; "" if it was not given. */
void play_text(struct play *p, const struct arg *arg, struct text *out);
/* One step each. False ends the scenario. */
typedef bool (*play_fn)(struct play *p, const struct step *s);

bool play_tool(struct play *p, const struct step *s);
bool play_edit(struct play *p, const struct step *s);
bool play_mcp(struct play *p, const struct step *s);
bool play_wait_mcp(struct play *p, const struct step *s);
bool play_flood(struct play *p, const struct step *s);
bool play_line(struct play *p, const struct step *s);
bool play_bad_utf8(struct play *p, const struct step *s);
bool play_trickle(struct play *p, const struct step *s);
bool play_daemon(struct play *p, const struct step *s);
bool play_ignore_term(struct play *p, const struct step *s);
bool play_hang(struct play *p, const struct step *s);
bool play_crash(struct play *p, const struct step *s);

#endif
