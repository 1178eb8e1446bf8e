/*
 * The build says which text the programs were made of, so that relay, warden
 * and hub can tell when they are not of one piece.
 */
#ifndef TRANSPORT_WIRE_BUILD_H
#define TRANSPORT_WIRE_BUILD_H

/* "0.1.0+" and 16 digits of a hash over the sources; constant. Any thread. */
const char *build_id(void);

#endif
