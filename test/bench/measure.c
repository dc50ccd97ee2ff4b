/*
 * Starts programs in turn and measures each from start to end: wall time, CPU time of it and its children, peak memory.
 *
 *   measure ROUNDS INPUT -- PROGRAM ARG … -- PROGRAM ARG … [-- …]
 *
 * INPUT is a file that becomes standard input of every program. Standard output and error go to /dev/null. One line per
 * run: index of the program, wall microseconds, CPU microseconds, peak kilobytes, exit status. Exit code 1 on any error.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PROGRAMS_MAX 16

static long long microseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (long long)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void start(char **argv, const char *input, const char *home) {
  char path[] = "PATH=/usr/bin:/bin";
  char home_entry[4200];
  snprintf(home_entry, sizeof home_entry, "HOME=%s", home);
  char *environment[] = {path, home_entry, NULL};
  int in = open(input, O_RDONLY);
  int null = open("/dev/null", O_WRONLY);
  if (in < 0 || null < 0 || dup2(in, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) {
    _exit(126);
  }
  execve(argv[0], argv, environment);
  _exit(127);
}

int main(int argc, char **argv) {
  char **programs[PROGRAMS_MAX];
  int count = 0;
  const char *home = getenv("HOME");
  if (argc < 5 || home == NULL) {
    return 1;
  }
  int rounds = atoi(argv[1]);
  for (int i = 3; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      if (count == PROGRAMS_MAX || i + 1 == argc) {
        return 1;
      }
      argv[i] = NULL;
      programs[count++] = argv + i + 1;
    }
  }
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < count; i++) {
      long long from = microseconds(CLOCK_MONOTONIC);
      pid_t pid = fork();
      if (pid < 0) {
        return 1;
      }
      if (pid == 0) {
        start(programs[i], argv[2], home);
      }
      int status;
      struct rusage usage;
      while (wait4(pid, &status, 0, &usage) < 0) {
        if (errno != EINTR) {
          return 1;
        }
      }
      long long wall = microseconds(CLOCK_MONOTONIC) - from;
      long long cpu = (long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
      printf("%d %lld %lld %ld %d\n", i, wall, cpu, usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
  }
  return 0;
}
