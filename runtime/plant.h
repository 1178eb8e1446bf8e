/*
 * Bugs planted on purpose, by the build option `plant`: the simulator must
 * find each of them, or its silence about the real code means nothing.
 */
#ifndef RUNTIME_PLANT_H
#define RUNTIME_PLANT_H

#define PLANT_NONE 0
#define PLANT_LOST_WAKEUP 1 /* an actor goes idle with mail in its inbox */
#define PLANT_AFTER_CLOSE 2 /* a message slips in behind the closing */
#define PLANT_LOST_PARK 3   /* a worker parks without a last look */

#ifndef PLANT
#define PLANT PLANT_NONE
#endif

#endif
