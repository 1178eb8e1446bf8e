/* The books' insides: books.c keeps them, books_answer.c reads answers. */
#ifndef TESTS_STORIES_BOOKS_INSIDE_H
#define TESTS_STORIES_BOOKS_INSIDE_H

#include "runtime/os.h"
#include "tests/stories/books.h"

#define REQUIRE(condition, ...) ((condition) ? (void)0 : os_panic(__VA_ARGS__))

/* All under the lock. Those that add make a new one where none is. */
struct books_agent *books_find_agent(struct books *b, const char *id);
struct books_agent *books_add_agent(struct books *b, const char *id);
struct books_group *books_find_group(struct books *b, const char *id);
struct books_group *books_add_group(struct books *b, const char *id);
/* Whether it, or a group above it, is being deleted, or may be: of one whose
 * family is unknown nobody can say. */
bool books_is_leaving(struct books *b, const char *group);
/* Whether it, or a group above it, was known to be deleted by then. */
bool books_is_deleted(struct books *b, const char *group, uint64_t placed);
/* Whether this number was known when the order was placed. */
bool books_knew(uint64_t number, uint64_t placed);
void books_learn(struct books *b, uint64_t *number);

#endif
