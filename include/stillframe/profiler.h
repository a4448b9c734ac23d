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

/* Stable numbers. Each function names those that it returns. */
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
 * start. Before it, STILLFRAME_* in the environment has the last word; after it the newest call,
 * and only settings that may change then change. One line of the log says what is wrong; such a
 * value changes nothing. Copies both texts. OK, also for a name that releases before had as a
 * setting; BAD_ARGUMENT, also for null; TOO_LATE. */
STILLFRAME_EXPORT stillframe_status stillframe_configure(const char* name, const char* value);

/* Sets what a document of settings says: JSON in UTF-8, with rules (docs/reference/settings.md),
 * such as an application fetches from a server. Before the start or after it; takes the place of
 * the document before, so that what that set and this does not is as if it had never been set. Of
 * documents and calls the newest counts; "enabled": false takes effect before this returns. One
 * line of the log says what is wrong with a rule or a value, which is left out; a document that is
 * none changes nothing. OK; BAD_ARGUMENT. */
STILLFRAME_EXPORT stillframe_status stillframe_configure_document(const char* document,
                                                                  size_t bytes);

/* Who this is, for rules of documents: a random id of this install that the application keeps, null
 * for none, and its version code, less than 0 for none. Rules that ask for what was not said hold
 * nowhere. Nothing of it is written down or sent. OK always. */
STILLFRAME_EXPORT stillframe_status stillframe_identify(const char* install_id,
                                                        long long version_code);

/* Starts the collector thread, which waits for the Java VM and then switches the profiler on.
 * Returns at once; stillframe_state() tells how far it got. After stillframe_stop it samples again.
 * Any thread of a process whose VM runs, comes later or never comes; the child of a fork has none.
 * OK; ALREADY_STARTED; NOT_STARTED with the setting enabled=0, in the control group, in a child,
 * where another copy of the profiler is at work, or when it was started before and found no VM in
 * time; NO_THREAD. */
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

/* Has the collector write a dump into the folder dump_dir and waits for it, at most 5 seconds:
 * usually some milliseconds, longer while the runtime or the disk is. A dump that is late is
 * written all the same. The path is copied to `path` (may be null), truncated to `path_bytes`,
 * always terminated; empty when no dump was begun in time. OK; NO_DUMP_DIR; DUMP_FAILED;
 * TIMED_OUT; NOT_STARTED, also while there is no Java VM yet. */
STILLFRAME_EXPORT stillframe_status stillframe_dump(char* path, size_t path_bytes);

/* The number of the newest dump of this process, whatever asked for it; 0 before the first. */
STILLFRAME_EXPORT unsigned stillframe_newest_dump(void);

/* Waits, at most `timeout_ms`, for the dump of this number, and copies its path as stillframe_dump
 * does. Works before stillframe_start. OK; TIMED_OUT; BAD_ARGUMENT for 0, and for a dump before the
 * newest 8. */
STILLFRAME_EXPORT stillframe_status stillframe_await_dump(unsigned number, char* path,
                                                          size_t path_bytes, unsigned timeout_ms);

/* The number of the newest record of a jank that this process wrote, at first or anew; 0 before the
 * first. */
STILLFRAME_EXPORT unsigned stillframe_newest_record(void);

/* As stillframe_await_dump, for the record of this number. */
STILLFRAME_EXPORT stillframe_status stillframe_await_record(unsigned number, char* path,
                                                            size_t path_bytes, unsigned timeout_ms);

/* Calls `listener` with the path of each record that is written from now on, on a thread of its own
 * that waits without waking up and stays. Who has sent the file renames it from .json to .sent, or
 * removes it. Once in a process. OK; TOO_MANY: there is one; NO_THREAD; BAD_ARGUMENT for null. */
STILLFRAME_EXPORT stillframe_status stillframe_on_record(void (*listener)(const char* path,
                                                                          void* argument),
                                                         void* argument);

/* A fact about the application for the dumps to come, such as its battery's charge. Texts are
 * copied: of a name 64 bytes, of a value 256, and the newest 32 facts are kept. A null value
 * removes the fact. Works before stillframe_start.
 * OK; BAD_ARGUMENT for a name that is null or empty. */
STILLFRAME_EXPORT stillframe_status stillframe_annotate(const char* name, const char* value);

/* What is on the screen, such as the visible activity; null when nothing is. Works before
 * stillframe_start.
 * OK always. */
STILLFRAME_EXPORT stillframe_status stillframe_set_scene(const char* scene);

/* Watches the messages of the calling thread, which has a Looper, from the next one on; as
 * the setting loopers does for threads by their names. The main thread is always watched.
 * OK, also when it is watched already; TOO_MANY; NOT_STARTED, also while there is no Java VM yet.
 */
STILLFRAME_EXPORT stillframe_status stillframe_watch_looper(void);

/* Whether an install takes part in the experiment that `salt` stands for, at `percent` of all
 * installs: a pure function by a published hash (docs/production.md), the same in every release and
 * on a server. Who is in stays in when the percentage grows. It starts nothing, and works at any
 * time. 1 or 0; 0 also for a null, and for a percentage that is not from 0 to 100. */
STILLFRAME_EXPORT int stillframe_is_enrolled(const char* install_id, const char* salt,
                                             double percent);

/* Registers the natives of dev.stillframe.Stillframe with the class that the calling thread's class
 * loader has: for an application that links the profiler into a library of its own, whose
 * JNI_OnLoad calls this with its JNIEnv*. libstillframe.so does it by itself. OK; BAD_ARGUMENT
 * where there is no such class, or one of another version. */
STILLFRAME_EXPORT stillframe_status stillframe_bind_java(void* jni_env);

/* "on", or in a few words why samples are not taken. Static or owned by the library; valid for the
 * life of the process. */
STILLFRAME_EXPORT const char* stillframe_state(void);

/* "sampled", "control" or "out": with what the application's own metrics are to be tagged.
 * "control": the settings (control_percent) have chosen this install for the control group, in
 * which the profiler sleeps. "sampled": it was started here, whatever became of it. "out": it was
 * not started, or is switched off by the setting enabled since the start. It is so from
 * stillframe_start on, and stays so in this process. Static. */
STILLFRAME_EXPORT const char* stillframe_group(void);

/* "0.1.0" */
STILLFRAME_EXPORT const char* stillframe_version(void);

#ifdef __cplusplus
}
#endif

#endif /* STILLFRAME_PROFILER_H_ */
