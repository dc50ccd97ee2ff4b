/*
 * The caller's environment as data for the program (D-28): `NAME=value` entries, each closed by a NUL, in a sealed
 * memory file. Trust: hostile; it is counted and bounded here and never becomes anybody's environment.
 */
#ifndef PZ_ENVIRONMENT_H
#define PZ_ENVIRONMENT_H

#include "kernel.h"

/* The descriptor the program finds the block on; PZ_ENVIRONMENT_FD in its environment says so. */
#define ENVIRONMENT_DESCRIPTOR 3

/*
 * Bytes of the block for this environment. Above `bound` the largest values go first; names the checks rely on (HOME,
 * PATH, GIT_*, XDG_* …) always stay, and the kernel itself bounds what they can hold.
 */
size_t environment_size(char *const *environment, size_t bound);

/* Writes the block into `block`, which holds environment_size() bytes. */
void environment_fill(char *const *environment, size_t bound, char *block);

/* Makes the sealed memory file on ENVIRONMENT_DESCRIPTOR, which must be the lowest free descriptor or not in use. False when the kernel refuses. */
bool environment_hand_over(char *const *environment);

#endif
