/* What the tests of config/ share: loading from memory, and from files. */
#ifndef TESTS_CONFIG_CHECK_H
#define TESTS_CONFIG_CHECK_H

#include "config/config.h"

/* Loads it as "f.yaml"; a wrong one fails the test. The caller destroys it. */
struct config *check_load(const char *text, char *const *env);
/* Fails the test unless loading gives exactly this error. */
void check_error(const char *text, char *const *env, const char *want);
void check_error_n(const char *text, size_t len, const char *want);
/* Fails unless it loads with exactly these warnings, joined by newlines. */
void check_warnings(const char *text, const char *want);

/* A new directory, in memory if possible, to be removed with check_rmdir. */
char *check_mkdir(void);
void check_rmdir(char *dir);
/* dir/name; in a buffer that the next four calls do not touch. */
const char *check_path(const char *dir, const char *name);
void check_write(const char *path, const char *text, size_t len);
/* The whole file, terminated; the caller frees it. */
char *check_read(const char *path, size_t *len);

#endif
