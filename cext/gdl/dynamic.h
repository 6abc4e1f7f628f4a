/* Shared libraries, where the system has dlopen. */
#ifndef PLAYOUT_DYNAMIC_H
#define PLAYOUT_DYNAMIC_H

#include <stddef.h>

#ifdef _WIN32
static void *playout_open(const char *path) { (void)path; return NULL; }
static void *playout_find(void *library, const char *name) { (void)library; (void)name; return NULL; }
static void playout_close(void *library) { (void)library; }
#else
#include <dlfcn.h>
static void *playout_open(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *playout_find(void *library, const char *name) { return dlsym(library, name); }
static void playout_close(void *library) { dlclose(library); }
#endif

#endif
