/*
 * Bugs planted on purpose, by the build option `plant`: the simulator must
 * find each of them (the last is ThreadSanitizer's), or its silence about the
 * real code means nothing.
 */
#ifndef RUNTIME_PLANT_H
#define RUNTIME_PLANT_H

#define PLANT_NONE 0
#define PLANT_LOST_WAKEUP 1 /* an actor goes idle with mail in its inbox */
#define PLANT_AFTER_CLOSE 2 /* a message slips in behind the closing */
#define PLANT_LOST_PARK 3   /* a worker parks without a last look */
#define PLANT_NO_RELEASE 4  /* a message is sent, what is in it perhaps not */
#define PLANT_NO_FENCE 5    /* a worker's last look may come before it parks */
#define PLANT_NO_ACQUIRE 6  /* mail is taken, and what is in it perhaps old */

#ifndef PLANT
#define PLANT PLANT_NONE
#endif

#endif
