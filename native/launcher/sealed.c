#include "sealed.h"

#include <linux/fcntl.h>
#include <linux/memfd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

long sealed_create(const char *name) {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  long file = KERNEL2(__NR_memfd_create, name, flags | MFD_NOEXEC_SEAL);
  /* Kernels before 6.3 do not know the last flag. */
  return file == -EINVAL ? KERNEL2(__NR_memfd_create, name, flags) : file;
}

bool sealed_finish(long file) {
  return KERNEL3(__NR_fcntl, file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) >= 0 &&
         KERNEL3(__NR_lseek, file, 0, 0) >= 0;
}
