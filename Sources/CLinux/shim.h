// SPDX-License-Identifier: MIT
#pragma once

// What the Glibc module leaves out.
#include <linux/kd.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>

// EPOLL* are members of an enum, whose type would have to be converted at each use.
static const uint32_t roundel_EPOLLIN = EPOLLIN;
static const uint32_t roundel_EPOLLOUT = EPOLLOUT;
static const uint32_t roundel_EPOLLERR = EPOLLERR;
static const uint32_t roundel_EPOLLHUP = EPOLLHUP;
