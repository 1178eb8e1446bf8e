/* Messages, below the public face: made, delivered, buried. */
#ifndef RUNTIME_MSG_H
#define RUNTIME_MSG_H

#include "runtime/actor.h"

/* A message without a sender; its body is not cleared. */
struct rt_msg *msg_create(struct rt_seat *seat, uint16_t kind, size_t size);
/* Frees it, and drops what it carries; an actor's notice frees its slot. */
void msg_destroy(struct rt_seat *seat, struct rt_msg *m);
/* Delivers a message whose `from` is set. False when refused. */
bool msg_deliver(struct rt_seat *seat, struct rt_ref to, struct rt_msg *m);
/* rt_tell for the runtime's own kinds. */
bool msg_tell(struct rt_turn *t, struct rt_ref to, uint16_t kind,
              const void *body, size_t size);
/* Buries a message: counts it, or answers it when it is a monitor's. */
void msg_bury(struct rt_seat *seat, struct rt_ref to, struct rt_msg *m,
              enum rt_dead reason);

#endif
