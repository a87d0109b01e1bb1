/* A disk that is never waited for. What a program wrote outlasts its kill -9 without a sync; power cuts do not happen
   in tests, and a busy machine's syncs may take seconds. Programs that the program starts with an environment of its
   own making load this too, as `causeboard serve` starts PostgreSQL. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int fsync(int file) {
    (void)file;
    return 0;
}

int fdatasync(int file) {
    (void)file;
    return 0;
}

int sync_file_range(int file, off64_t offset, off64_t count, unsigned int flags) {
    (void)file, (void)offset, (void)count, (void)flags;
    return 0;
}

int syncfs(int file) {
    (void)file;
    return 0;
}

typedef int (*spawner)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                       char *const[], char *const[]);

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
    spawner spawn = (spawner)dlsym(RTLD_NEXT, "posix_spawn");
    size_t count = 0, is_set = 0;
    for (; environment && environment[count]; count++)
        if (strncmp(environment[count], "LD_PRELOAD=", 11) == 0) is_set = 1;
    Dl_info own;
    if (is_set || dladdr((void *)posix_spawn, &own) == 0)
        return spawn(pid, path, actions, attributes, arguments, environment);
    char **with = malloc((count + 2) * sizeof *with), *preload = malloc(strlen(own.dli_fname) + 12);
    int result = ENOMEM;
    if (with && preload) {
        strcat(strcpy(preload, "LD_PRELOAD="), own.dli_fname);
        if (count) memcpy(with, environment, count * sizeof *with);
        with[count] = preload;
        with[count + 1] = NULL;
        result = spawn(pid, path, actions, attributes, arguments, with);
    }
    free(preload);
    free(with);
    return result;
}
