# SPDX-License-Identifier: Apache-2.0
"""The programs of contributors_test.py (in tests/process/verdicts), the parts that each measures, and the expected
report.
"""

import dataclasses

from process import ANDROID, RELEASES


@dataclasses.dataclass
class Part:
    causes: str  # with spaces
    name: str = ""  # of message, method or thread: a part of the contributor's text or of its methods
    said: str = ""  # by the sentence where the part is large, one of these; the name if empty
    method: bool = False  # it shares its contributor with other methods


def work(name, said=""):
    return Part("work", name, said)


def of_work(name):
    return Part("work", name, method=True)


SLEEP = Part("sleep", "Verdicts.sleep", "slept|sleeping")


@dataclasses.dataclass
class Program:
    name: str
    parts: dict  # by name in the ledger
    kind: str = ""
    method: str = ""
    says: tuple = ()
    hold_s: float = 0.8
    settings: dict = dataclasses.field(default_factory=dict)
    stops: tuple = ()  # in ms: so long the process is stopped, one after the other
    short: bool = False  # in the short form too
    release: str = ANDROID


IN = "MeasuredWork$"
TRAP = "MeasuredTraps$"
COMPUTE = work("MeasuredWaits.compute")
ENDED = {"inflate": work("MeasuredLoop$Inflate"), "sync": Part("sleep", "MeasuredLoop$Sync"), "bind": work("MeasuredLoop$Bind"),
         "rest": Part("sleep", "MeasuredLoop$Rest", "slept|sleeping"), "quick": Part("quick-messages", "MeasuredLoop$Quick"),
         "newest": work("MeasuredLoop$Newest", "MeasuredWaits.compute")}
FIELD = "MeasuredField$"
SHAPE = "MeasuredShapes$"
TURN = "MeasuredTurns$"
TOLD = "MeasuredTold$"
OWNERS = {"archiver": Part("lock", "archiver"), "scaler": Part("lock", "scaler"), "rest": SLEEP}


def on_every_release(program):
    return [dataclasses.replace(program, release=release) for release in RELEASES]


def before_14(program):
    """The program on each chosen release but 14, or else on 11. On 14 the test bed leaves collections to the runtime's
    own thread.
    """
    return [dataclasses.replace(program, release=release) for release in RELEASES if release != "14"] or [
        dataclasses.replace(program, release="11")]


PROGRAMS = [
    Program("two-methods", {"parse": of_work(IN + "TwoMethods.parse"), "sort": of_work(IN + "TwoMethods.sort")},
            "method", IN + "TwoMethods.parse", hold_s=0, short=True),
    Program("shared-helper", {"decode": work("Verdicts.spin"), "layout": work("Verdicts.spin")},
            "method", says=("SharedHelper.decode", "SharedHelper.layout", "mostly in Verdicts.spin"), hold_s=0.7, short=True),
    Program("lambdas", {"dear": of_work(IN + "Lambdas.dear"), "cheap": of_work(IN + "Lambdas.part"),
                        "rest": of_work(IN + "Lambdas.part")}, "method", IN + "Lambdas.dear", hold_s=0.3),
    Program("reflection", {"inflate": work(IN + "Reflection.inflate"), "sleep": SLEEP}, "method", IN + "Reflection.inflate"),
    Program("proxy", {"notify": work(IN + "ThroughProxy.notifyListeners"), "sleep": SLEEP}, "method",
            IN + "ThroughProxy.notifyListeners"),
    Program("library", {"library": work(IN + "Restore.restoreCart"), "sleep": SLEEP}, "method", IN + "Restore.restoreCart",
            says=("mostly in com.google.gson.JsonReader",), short=True),
    Program("class-init", {"fill": work(IN + "Registry.fill"), "sleep": SLEEP}, "method", IN + "Registry.fill"),
    Program("exceptions", {"validate": work(IN + "Exceptions"), "sleep": SLEEP}, "method"),
    Program("native-work", {"blur": work(IN + "Copies.blur"), "sleep": SLEEP}, "method", IN + "Copies.blur"),
    Program("strings", {"join": Part("work runtime", IN + "Strings.join"), "sleep": SLEEP}),
    Program("recursion-leaves", {"measure": of_work(IN + "Tree.measure"), "draw": of_work(IN + "Tree.draw"), "sleep": SLEEP},
            "method", IN + "Tree.measure", short=True),
    Program("ten-callees", {"refresh": work(IN + "TenCallees.refresh"), "sleep": SLEEP}, "method",
            IN + "TenCallees.refresh", says=("shared by",), short=True),
    Program("allocation", {"load": Part("work runtime", IN + "Allocation.load"), "sleep": SLEEP}),
    Program("work-lock-sleep", {"work": work("MeasuredWaits.compute"), "lock": Part("lock", "db-writer"), "sleep": SLEEP},
            "method", hold_s=0.3, short=True),
    Program("lock-in-turn", {"work": work("MeasuredWaits.compute"), "lock": Part("lock", "cache-loader")}, "blocked",
            says=("cache-loader", "disk-writer"), hold_s=1.2),
    Program("object-wait", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "java.lang.Object.wait"), "sleep": SLEEP},
            hold_s=0.5),
    Program("thread-join", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "ThreadJoin.run")}),
    Program("future-get", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "FutureGet.run"), "sleep": SLEEP},
            "standstill", hold_s=0.5, short=True),
    Program("latch-then-work", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "MeasuredWaits.await")}),
    Program("reentrant-then-work", {"work": work("MeasuredWaits.compute"), "wait": Part("wait", "ReentrantThenWork.run")}),
    Program("read-then-work", {"work": work("MeasuredWaits.compute"), "read": Part("input-output", "ReadThenWork.run")},
            short=True),
    Program("binder-then-work", {"work": work("MeasuredWaits.compute"), "binder": Part("binder", "BinderThenWork.run")}),
    Program("slices", {"work": work("MeasuredWaits.compute"), "sleep": SLEEP}, hold_s=0, short=True),
    *on_every_release(Program("class-init-elsewhere", {"work": work("MeasuredWaits.compute"),
                                     "init": Part("wait", "InitializedElsewhere.run"), "sleep": SLEEP}, "standstill",
                                    says=("waiting for a class that another thread loads or initialises|to initialise",), hold_s=0.3)),
    Program("three-ended", ENDED, "earlier-messages", hold_s=0.3, short=True),
    Program("nearly-half", {"older": work("MeasuredLoop$Older"), "newer": work("MeasuredLoop$Newer", "MeasuredWaits.compute")},
            hold_s=0.97, short=True),
    Program("one-target", ENDED, "queue-flood", hold_s=0.4, short=True),
    Program("three-kinds", {"blink": Part("quick-messages"), "move": Part("quick-messages"), "rest": ENDED["rest"]},
            "queue-flood", hold_s=0.4),
    Program("repeated", {"row": work("MeasuredLoop$Row"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.3),
    Program("idle-then-message", {"idle": work("idle handler"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.5,
            short=True),
    Program("from-native", {"touch": work("native callback"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.5),
    Program("before-loop", {"startup": work("code before the loop"), "rest": ENDED["rest"]}, "earlier-messages", hold_s=0.5),
    Program("before-loop-then-idle", {"startup": work("code before the loop"), "warm": work("idle handler"), "rest": SLEEP},
            "method", hold_s=0.2, short=True),
    Program("nested", {"before": work("MeasuredLoop$Dialog"), "confirm": work("MeasuredLoop$Confirm", "MeasuredWaits.compute"),
                       "rest": Part("sleep", "MeasuredLoop$Confirm", "slept|sleeping")}, "method", hold_s=0.3),
    Program("everything", ENDED, hold_s=0.6, short=True),
    Program("spread-recursion", {"visit": of_work(TRAP + "Outline.visit"), "measure": of_work(TRAP + "Outline.measure"),
                                 "draw": of_work(TRAP + "Outline.draw"), "sleep": SLEEP}, "method", TRAP + "Outline.visit",
            hold_s=0.3),
    Program("nearly-even", {"decrypt": of_work(TRAP + "Even.decrypt"), "unzip": of_work(TRAP + "Even.unzip")}, "method",
            hold_s=0),  # not short: in turns of less than three intervals, 5 points are chance at times
    Program("other-allocates", {"sum": Part("work runtime", TRAP + "BesideGarbage.sum"), "sleep": SLEEP}, "method",
            TRAP + "BesideGarbage.sum", hold_s=0.4),
    Program("nested-twice", {"first": work("MeasuredTraps$FirstDialog"), "second": work("MeasuredTraps$SecondDialog"),
                             "rest": work("MeasuredTraps$Then", "MeasuredWaits.compute"),
                             "sleep": Part("sleep", "MeasuredTraps$Then", "slept|sleeping")}, hold_s=0.3),
    Program("wrapped", {"render": work(TRAP + "Wrapped.render"), "sleep": SLEEP}, "method", TRAP + "Wrapped.render"),
    Program("unwinding", {"search": work(TRAP + "Unwinding"), "sleep": SLEEP}, "method"),
    Program("sleeping-init", {"work": COMPUTE, "open": SLEEP, "after": COMPUTE}, "standstill", hold_s=0.3),
    Program("short-reads", {"work": COMPUTE, "read": Part("input-output", "ShortReads.run")}, hold_s=0),
    Program("lock-slices", {"work": COMPUTE, "lock": Part("lock", "evictor")}, hold_s=0, short=True),
    Program("polling", {"poll": SLEEP}, "standstill", hold_s=0),
    Program("timed-waits", {"work": COMPUTE, "wait": Part("wait", "TimedWaits.run")}, hold_s=0),
    Program("just-ended", {"ended": work("MeasuredTraps$JustEnded"), "begun": work("MeasuredTraps$Begun")}, "earlier-messages", hold_s=0.05,
            short=True),
    Program("ended-then-quick", {"ended": work("MeasuredTraps$JustEnded"), "quick": work("MeasuredTraps$Then"),
                                 "sleep": SLEEP}, "earlier-messages", hold_s=0.05),
    *on_every_release(Program("two-owners", OWNERS, "blocked", says=("thread archiver", "archiver held it", "scaler"),
                              hold_s=0.2, short=True)),
    *on_every_release(Program("ended-owners", OWNERS, "earlier-messages", says=("archiver", "scaler"), hold_s=0.2)),
    Program("owners-late", OWNERS, hold_s=0.2, short=True),
    *on_every_release(Program("owners-many-turns", OWNERS, "blocked", hold_s=0.2)),
    *on_every_release(Program("idle-handlers", {"fonts": work("MeasuredOwners$Fonts"), "shaders": work("MeasuredOwners$Shaders"),
                                                "rest": SLEEP}, "earlier-messages", hold_s=0.2, short=True)),
    Program("idle-handler-runs", {"fonts": work("MeasuredOwners$Fonts"), "cookies": work("MeasuredOwners$Cookies")}, "method",
            says=("MeasuredOwners$Cookies.queueIdle", "ran during an idle handler, which was still running"), hold_s=1.4, short=True),
    Program("prefs-apply", {"save": COMPUTE, "apply": Part("input-output", "StopActivity.run"), "rest": SLEEP}, "input-output",
            says=("in android.app.QueuedWork.waitToFinish, called from MeasuredField$StopActivity.run",), hold_s=0.2),
    Program("rx-chain", {"render": of_work(FIELD + "Subscribed.render"), "sort": of_work(FIELD + "Subscribed.sort"), "rest": SLEEP}, hold_s=0.2),
    Program("live-data-storm", {"badge": of_work(FIELD + "Storm.badge"), "total": of_work(FIELD + "Storm.total"), "rest": SLEEP},
            hold_s=0.2),
    Program("two-providers", {"maps": of_work("MeasuredField.installMaps"), "crashes": of_work("MeasuredField.installCrashes"),
                              "rest": SLEEP}, "earlier-messages", hold_s=0.2),
    # Since ART 11 a notified thread wakes up only when the monitor is free. Until then it counts as waiting.
    Program("notified-then-blocked", {"wait": Part("wait", "Notified.run"), "blocked": Part("wait", "Notified.run"), "rest": SLEEP},
            "standstill", hold_s=0.2),
    Program("pool-of-owners", {f"pool-{i}": Part("lock") for i in range(40)} | {"rest": SLEEP}, "blocked",
            says=(" others",), hold_s=0.2),
    Program("idle-handler-blocked", {"compactor": Part("lock", "compactor"), "flush": work("MeasuredField$Flush"), "rest": SLEEP},
            "earlier-messages", hold_s=0.2),
    Program("barrier-removed", {"barrier": Part("barrier outside"), "rest": SLEEP}, "not-enough-data",
            says=("The main thread had nothing to do: a sync barrier that was removed again may have held",), hold_s=0.2),
    Program("coroutines", {"resume": Part("quick-messages", "MeasuredField$Resume"), "rest": SLEEP}, hold_s=0.2),
    Program("parse-in-bursts", {"parse": of_work(FIELD + "Bursts.parse"), "bind": of_work(FIELD + "Bursts.bind"), "rest": SLEEP},
            "method", FIELD + "Bursts.parse", hold_s=0.2),
    Program("hot-spot-moves", {"fonts": of_work(SHAPE + "Tour.fonts"), "icons": of_work(SHAPE + "Tour.icons"),
                               "theme": of_work(SHAPE + "Tour.theme"), "rest": SLEEP}, "method", hold_s=0.2),
    *on_every_release(Program("deep-reentered", {"parse": of_work(SHAPE + "Deep.parse"), "draw": of_work(SHAPE + "Deep.draw"),
                                                 "rest": SLEEP}, hold_s=0.2)),
    *on_every_release(Program("lock-handed-on", {"importer": Part("lock", "importer"), "indexer": Part("lock", "indexer"),
                                                 "rest": SLEEP}, "blocked", hold_s=0.2)),
    *on_every_release(Program("convoy", {f"convoy-{i}": Part("lock", f"convoy-{i}") for i in range(5)} | {"rest": SLEEP}, "blocked",
                              hold_s=0.2)),
    Program("asks-and-waits", {"wait": Part("wait", SHAPE + "Asks.run"), "work": COMPUTE, "rest": SLEEP}, hold_s=0.2),
    Program("two-reads", {"settings": Part("input-output", SHAPE + "TwoReads.readSettings", method=True),
                          "user": Part("input-output", SHAPE + "TwoReads.readUser", method=True), "rest": SLEEP}, "input-output",
            hold_s=0.2),
    Program("codes", {"code-1": work("what 1"), "code-2": work("what 2"), "rest": SLEEP}, "earlier-messages", hold_s=0.2),
    Program("rare-slow", {"quick": Part("quick-messages", TURN + "Tick"), "slow": work(TURN + "Tick"), "rest": SLEEP}, hold_s=0.2),
    Program("due-midway", {"first": work(TURN + "First"), "second": work(TURN + "Second"), "rest": SLEEP}, hold_s=0.1),
    Program("beside-barrier", {"second": work(TURN + "Second"), "rest": SLEEP}, "method", hold_s=0.2),
    Program("one-class", {"text": of_work(TURN + "Page.text"), "image": of_work(TURN + "Page.image"), "fade": Part("sleep"),
                          "rest": Part("sleep")}, "earlier-messages", hold_s=0.2),
    Program("woken-for-nothing", {"wait": Part("wait", "Woken.run"), "check": COMPUTE, "rest": SLEEP}, hold_s=0.2),
    *before_14(Program("collects", {"collect": Part("work runtime", TURN + "Collects.trim"), "rest": SLEEP}, "runtime-wait",
                              says=("The main thread collected garbage for",), hold_s=0.2, short=True)),
    *before_14(Program("collected-elsewhere", {"wait": Part("work runtime", TURN + "Trims.run"), "rest": SLEEP}, "runtime-wait",
                              says=("for the garbage collector",), hold_s=0.2)),
    Program("nested-in-idle", {"idle": work("idle handler"), "second": work(TURN + "Second"), "rest": SLEEP}, hold_s=0.2),
    Program("stopped", {"work": work(TURN + "Stopped"), "stop": Part("frozen")}, "process-frozen", hold_s=0.4, stops=(1_500,)),
    *on_every_release(Program("stopped-often", {"work": work(TURN + "Stopped"), "stop": Part("standing-still frozen")}, "standstill",
                              says=("was idle", "reason unknown"), hold_s=0.1, stops=(150,) * 8, short=True)),
    *on_every_release(Program("method-references", {"prices": of_work(TOLD + "References.prices"),
                                                    "stock": of_work(TOLD + "References.stock"), "rest": SLEEP}, "method",
                              TOLD + "References.prices", says=(TOLD + "References.stock",), hold_s=0.2, short=True)),
    *on_every_release(Program("gave-back", {"lock": Part("lock", "compactor"), "rest": SLEEP}, "blocked", says=("; compactor held it",), hold_s=0.2)),
    Program("many-steps", {"step": Part("work", "MeasuredTold$$Lambda", "earlier messages"), "rest": SLEEP},
            hold_s=1.1, short=True),
    Program("most-in-a-callee", {"decode": of_work(TOLD + "Callee.decode"), "own": of_work(TOLD + "Callee.own"),
                                 "draw": of_work(TOLD + "Callee.draw"), "sort": of_work(TOLD + "Callee.sort")}, "method",
            TOLD + "Callee.fill", says=("MeasuredTold$Callee.decode ",), hold_s=0.2),
]
# Programs whose dump is taken at varying moments, in ms from the start.
MOVING = ("moving", "moving-mixed")
MOMENTS_MS = range(1_100, 3_700, 100)
SHORT_MOMENTS_MS = (1_500, 2_000)
