/* SPDX-License-Identifier: Apache-2.0 */
/* Stillframe's C API: start, stop and dump the profiler of this process.
 *
 * A preloaded library (LD_PRELOAD names libstillframe.so) starts by itself; an application that
 * loads or links it calls stillframe_start(), in Java dev.stillframe.Stillframe.start(). Settings
 * are those of docs/reference/settings.md: by stillframe_configure(), a file, or the environment.
 *
 * Every function may be called on any thread but not from a signal handler; none throws.
 */
#ifndef STILLFRAME_PROFILER_H_
#define STILLFRAME_PROFILER_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STILLFRAME_EXPORT __attribute__((visibility("default")))

/* Stable numbers. Each function lists those that it returns. */
typedef enum stillframe_status {
  STILLFRAME_OK = 0,
  STILLFRAME_NOT_STARTED = 1, /* stillframe_start was not called, or there is no collector: it is
                                 switched off, has found no Java VM, or was forked away from */
  STILLFRAME_ALREADY_STARTED = 2,
  STILLFRAME_NO_DUMP_DIR = 3, /* the setting dump_dir is not set */
  STILLFRAME_DUMP_FAILED = 4, /* the log line says why */
  STILLFRAME_TIMED_OUT = 5,   /* the collector did not answer in time */
  STILLFRAME_NO_THREAD = 6,   /* the collector thread cannot be created */
  STILLFRAME_BAD_ARGUMENT = 7,
  STILLFRAME_TOO_MANY = 8, /* there is no room for one more */
  STILLFRAME_TOO_LATE = 9, /* this setting can be set before the start only */
} stillframe_status;

/* Sets one setting of docs/reference/settings.md by its name there ("slow_ms"), before or after the
 * start. Before it, STILLFRAME_* in the environment overrides the call. After it the newest call
 * wins, and only settings that can change at run time change. An invalid value changes nothing, and
 * one log line says why. Copies both texts. OK; BAD_ARGUMENT, also for null; TOO_LATE. */
STILLFRAME_EXPORT stillframe_status stillframe_configure(const char* name, const char* value);

/* Applies a document of settings: JSON in UTF-8 (docs/production.md), such as
 * an application fetches from a server. Works before and after the start. Replaces the previous
 * document: settings that only the previous one set return to their values without it. Between
 * documents and calls the newest wins. "enabled": false takes effect before this returns. An
 * invalid value is left out, and one log line says why. An invalid document changes nothing. OK;
 * BAD_ARGUMENT. */
STILLFRAME_EXPORT stillframe_status stillframe_configure_document(const char* document,
                                                                  size_t bytes);

/* install_id: a random id of this install that the application keeps; null: none. It decides on
 * cohorts of documents. version_code: below 0: none. Records, sessions and dumps hold both facts,
 * unless the setting omit leaves them out. OK always. */
STILLFRAME_EXPORT stillframe_status stillframe_identify(const char* install_id,
                                                        long long version_code);

/* Starts the collector thread, which waits for the Java VM and then switches the profiler on.
 * Returns at once; stillframe_state() reports the progress. After stillframe_stop it resumes
 * sampling. May be called on any thread, before or after the VM starts, and if it never does. The
 * child of a fork has no profiler. OK; ALREADY_STARTED; NO_THREAD. NOT_STARTED: the setting
 * enabled=0, the control group, a child, another active copy of the profiler, or an earlier start
 * that found no VM in time. */
STILLFRAME_EXPORT stillframe_status stillframe_start(void);

/* Waits, at most `timeout_ms`, until the profiler is on or stays off for a reason. An application
 * that wants its very first messages watched calls it before they run.
 * OK, also when the profiler stays off; TIMED_OUT; NOT_STARTED. */
STILLFRAME_EXPORT stillframe_status stillframe_wait(unsigned timeout_ms);

/* Stops sampling and waits, at most 100 ms, until no signal handler is in flight. Messages are
 * still recorded. The process keeps the SIGPROF handler.
 * OK; NOT_STARTED. */
STILLFRAME_EXPORT stillframe_status stillframe_stop(void);

/* Samples again after stillframe_stop, as stillframe_start does then.
 * OK; NOT_STARTED. */
STILLFRAME_EXPORT stillframe_status stillframe_resume(void);

/* Makes the collector write a dump into the folder dump_dir and waits for it, at most 5 seconds.
 * Usually it takes some milliseconds; a slow runtime or disk delays it. A late dump is still
 * written. The path is copied to `path` (may be null), truncated to `path_bytes`, always
 * terminated; empty if no dump was begun in time. OK; NO_DUMP_DIR; DUMP_FAILED; TIMED_OUT;
 * NOT_STARTED, also before the Java VM exists. */
STILLFRAME_EXPORT stillframe_status stillframe_dump(char* path, size_t path_bytes);

/* Number of the newest dump of this process, whatever its trigger; 0: none yet. */
STILLFRAME_EXPORT unsigned stillframe_newest_dump(void);

/* Waits, at most `timeout_ms`, for the dump with this number, and copies its path as
 * stillframe_dump does. Works before stillframe_start. OK; TIMED_OUT; BAD_ARGUMENT for 0, and for
 * dumps older than the newest 8. */
STILLFRAME_EXPORT stillframe_status stillframe_await_dump(unsigned number, char* path,
                                                          size_t path_bytes, unsigned timeout_ms);

/* Number of the newest jank record that this process wrote or rewrote; 0: none yet. */
STILLFRAME_EXPORT unsigned stillframe_newest_record(void);

/* As stillframe_await_dump, for the record of this number. */
STILLFRAME_EXPORT stillframe_status stillframe_await_record(unsigned number, char* path,
                                                            size_t path_bytes, unsigned timeout_ms);

/* Calls `listener` with the path of each record written from now on. It runs on a thread of its
 * own, which never ends and wakes up for records only. After sending the file, rename it from .json
 * to .sent, or remove it. Once per process. OK; TOO_MANY: a listener exists; NO_THREAD;
 * BAD_ARGUMENT for null. */
STILLFRAME_EXPORT stillframe_status stillframe_on_record(void (*listener)(const char* path,
                                                                          void* argument),
                                                         void* argument);

/* Adds a fact about the application to later dumps, such as its battery's charge. Copies 64 bytes
 * of the name and 256 of the value; the newest 32 facts are kept. A null value removes the fact.
 * Works before stillframe_start. OK; BAD_ARGUMENT for a name that is null or empty. */
STILLFRAME_EXPORT stillframe_status stillframe_annotate(const char* name, const char* value);

/* Sets the current screen, such as the visible activity; null: none. Works before stillframe_start.
 * OK always. */
STILLFRAME_EXPORT stillframe_status stillframe_set_scene(const char* scene);

/* Watches the messages of the calling thread, from the next one on. The thread must have a Looper.
 * The setting loopers does the same for threads by name; the main thread is always watched. OK,
 * also if it is watched already; TOO_MANY; NOT_STARTED, also before the Java VM exists. */
STILLFRAME_EXPORT stillframe_status stillframe_watch_looper(void);

/* A heartbeat of the calling thread, for a thread without a Looper: a loop of a game engine or a
 * server. Each round of the loop is a beat, between stillframe_heartbeat_begin and _end. Beats have
 * what messages have: history, samples beyond slow_ms, records. The wait for work belongs outside.
 *
 * The first begin names the thread in dumps: up to 15 bytes of `name`; null: the thread's own name.
 * It allocates, and takes one of 15 places, which Loopers share and which are not freed. Later
 * calls ignore `name`; a quick beat reads the clock twice, without a lock or an allocation. A begin
 * ends an open beat; so does the end of the thread.
 *
 * Samples: a thread that is attached to the Java VM when a beat becomes slow has managed frames.
 * Native frames need the setting native. Without both a sample has the system call that it waits
 * in, or nothing. On a stack other than the thread's own, such as a coroutine's, native frames are
 * missing.
 *
 * OK; NOT_STARTED, also before the profiler is on; BAD_ARGUMENT on the main thread and on a watched
 * thread with a Looper; TOO_MANY. */
STILLFRAME_EXPORT stillframe_status stillframe_heartbeat_begin(const char* name);

/* Ends the beat of the calling thread. OK; NOT_STARTED if no beat is open. */
STILLFRAME_EXPORT stillframe_status stillframe_heartbeat_end(void);

/* Whether an install takes part in the experiment that `salt` names, at `percent` of all installs.
 * A pure function by a published hash (docs/production.md), the same in every release and on a
 * server. Enrolled installs stay enrolled when the percentage grows. Starts nothing; works at any
 * time. 1 or 0; 0 also for null, and for a percentage outside 0 to 100. */
STILLFRAME_EXPORT int stillframe_is_enrolled(const char* install_id, const char* salt,
                                             double percent);

/* Registers the natives of dev.stillframe.Stillframe, found by the class loader of the calling
 * class. For an application that links the profiler into a library of its own: that library's
 * JNI_OnLoad calls this with its JNIEnv*. libstillframe.so does it by itself. OK; BAD_ARGUMENT if
 * the class is missing or of another version. */
STILLFRAME_EXPORT stillframe_status stillframe_bind_java(void* jni_env);

/* "on", "on, " with what is missing, or a few words on why no samples are taken. Valid for the life
 * of the process; not to be freed. */
STILLFRAME_EXPORT const char* stillframe_state(void);

/* The tag for the application's own metrics. "control": the settings (control_percent) chose this
 * install for the control group, in which the profiler is disabled. "sampled": the profiler was
 * started here, even if it failed later. "out": it was not started, or was disabled by the setting
 * enabled since the start. Fixed from stillframe_start on. Static. */
STILLFRAME_EXPORT const char* stillframe_group(void);

/* "0.1.0" */
STILLFRAME_EXPORT const char* stillframe_version(void);

#ifdef __cplusplus
}
#endif

#endif /* STILLFRAME_PROFILER_H_ */
