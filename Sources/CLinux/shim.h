#ifndef CAUSEBOARD_CLINUX_SHIM_H
#define CAUSEBOARD_CLINUX_SHIM_H

// Calls of Linux that Swift's Glibc module leaves out.
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>

// accept4(2). Its own header would take the names of Glibc's sockets over into this module.
int CLinux_accept4(int socket, void *address, unsigned int *length, int flags) __asm__("accept4");
#endif

#endif
