/*
 * The hook event: standard input of the launcher, read to its end and handed on as a sealed memory file (D-27, D-28).
 *
 * The program gets it as its own standard input: mapping a file costs it nothing, reading a pipe half a millisecond.
 * Trust: any bytes, any size, cut anywhere, the pipe perhaps never closed. What they mean is the program's to say.
 */
#ifndef PZ_EVENT_H
#define PZ_EVENT_H

#include "kernel.h"

enum event_end {
  EVENT_WHOLE,  /* the input has ended, or one JSON value has arrived, or the bytes cannot become one any more */
  EVENT_LATE,   /* neither until the deadline */
  EVENT_STOPPED, /* a signal said to end */
  EVENT_BROKEN, /* the input cannot be read, or there is no memory */
};

/*
 * Reads until the end; `*file` is then the sealed file of everything that had arrived, also what came behind the value.
 * Of an input above PZ_EVENT_BYTES only a beginning is kept, closed by a NUL so that it is no JSON. `signals` is a signalfd
 * of the signals that end it.
 */
enum event_end event_take(int64_t deadline, int signals, long *file);

#endif
