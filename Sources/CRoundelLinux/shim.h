// SPDX-License-Identifier: MIT
#pragma once

// Headers missing from the Glibc module.
#include <elf.h>
#include <ifaddrs.h>
#include <linux/fb.h>
#include <linux/input.h>
#include <linux/kd.h>
#include <linux/major.h>
#include <linux/memfd.h>
#include <linux/uinput.h>
#include <linux/vt.h>
#include <malloc.h>
#include <netdb.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

// glibc declares these only for GNU programs.
pid_t gettid(void);
int pipe2(int descriptors[2], int flags);
int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
int memfd_create(const char *name, unsigned int flags);
int renameat2(int from, const char *name, int to, const char *other, unsigned int flags);
static const unsigned int roundel_RENAME_EXCHANGE = 1 << 1;
static const int roundel_O_TMPFILE = __O_TMPFILE;
static const int roundel_F_ADD_SEALS = 1024 + 9;
static const int roundel_F_SEAL_SHRINK = 2;

// libdispatch's functions for run loops, such as Foundation's, that run its main queue. No header declares them.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);

// EPOLL* are members of an enum, whose type would have to be converted at each use.
static const uint32_t roundel_EPOLLIN = EPOLLIN;
static const uint32_t roundel_EPOLLOUT = EPOLLOUT;
static const uint32_t roundel_EPOLLERR = EPOLLERR;
static const uint32_t roundel_EPOLLHUP = EPOLLHUP;

// Request numbers computed by macros.
static const unsigned long roundel_FBIO_WAITFORVSYNC = FBIO_WAITFORVSYNC;
// The capabilities, creation and destruction of a uinput device.
static const unsigned long roundel_UI_SET_EVBIT = UI_SET_EVBIT;
static const unsigned long roundel_UI_SET_KEYBIT = UI_SET_KEYBIT;
static const unsigned long roundel_UI_SET_ABSBIT = UI_SET_ABSBIT;
static const unsigned long roundel_UI_SET_PROPBIT = UI_SET_PROPBIT;
static const unsigned long roundel_UI_ABS_SETUP = UI_ABS_SETUP;
static const unsigned long roundel_UI_DEV_SETUP = UI_DEV_SETUP;
static const unsigned long roundel_UI_DEV_CREATE = UI_DEV_CREATE;
static const unsigned long roundel_UI_DEV_DESTROY = UI_DEV_DESTROY;

// Sends a datagram with a descriptor. The macros for ancillary data have arguments, so Swift doesn't import them.
static inline ssize_t roundel_send_descriptor(
    int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {
      .msg_iov = &part,
      .msg_iovlen = 1,
      .msg_control = control.bytes,
      .msg_controllen = sizeof control.bytes,
  };
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// The first members of a struct that glibc declares only for GNU programs, as in dl_iterate_phdr(3).
struct roundel_object {
  uintptr_t address;
  const char *name;
#if __SIZEOF_POINTER__ == 8
  const Elf64_Phdr *headers;
#else
  const Elf32_Phdr *headers;
#endif
  uint16_t count;
};
int dl_iterate_phdr(
    int (*callback)(struct roundel_object *object, size_t size, void *data), void *data);

static inline int roundel_give_back_code_of(
    struct roundel_object *object, size_t size, void *data) {
  uintptr_t page = *(const uintptr_t *)data;
  for (uint16_t index = 0; index < object->count; index++) {
    // A segment that was never writable is unchanged, and can be read from its file again.
    if (object->headers[index].p_type != PT_LOAD || object->headers[index].p_flags & PF_W) continue;
    uintptr_t start = object->address + object->headers[index].p_vaddr;
    uintptr_t end = start + object->headers[index].p_filesz;
    start &= ~(page - 1);
    // On failure the pages stay, without other consequences.
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

// Releases the pages with the code and constants of the program and its libraries.
static inline void roundel_give_back_code(uintptr_t page) {
  dl_iterate_phdr(roundel_give_back_code_of, &page);
}
