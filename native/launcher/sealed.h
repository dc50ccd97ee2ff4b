/* Memory files for the program to read: written here, then sealed, so that nobody can change them any more. */
#ifndef PZ_SEALED_H
#define PZ_SEALED_H

#include "kernel.h"

/* An empty memory file that is closed on exec; a negative number when the kernel refuses. */
long sealed_create(const char *name);

/* Nobody can change the file from here on; it is read from its start again. False when the kernel refuses. */
bool sealed_finish(long file);

#endif
