/* CLIs of benches are the puppet for all that they do not do themselves. */
#ifndef BENCH_PUPPET_H
#define BENCH_PUPPET_H

/* Becomes the puppet that was built beside this program. */
_Noreturn void puppet_become(char **argv);

#endif
