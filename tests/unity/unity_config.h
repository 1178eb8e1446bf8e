/* Unity speaks TAP here: its own lines become TAP comments (tap.c). */
#ifndef TESTS_UNITY_CONFIG_H
#define TESTS_UNITY_CONFIG_H

void tap_putc(int c);

#define UNITY_OUTPUT_CHAR(c) tap_putc(c)
#define UNITY_INCLUDE_DOUBLE
#define UNITY_SUPPORT_64
#define UNITY_OUTPUT_COLOR_NONE

#endif
