/*
 * Being prompt on a machine that agents keep busy.
 */
#ifndef TRANSPORT_WIRE_PROMPT_H
#define TRANSPORT_WIRE_PROMPT_H

/*
 * Asks the kernel for short turns of the calling thread, which it then gives
 * sooner: who wants little is let in before those at work (Linux 6.12 on;
 * older ones take no notice). It is no priority, and no right is needed for
 * it. What the thread starts does not inherit it.
 */
void prompt_thread(void);

#endif
