# SPDX-License-Identifier: Apache-2.0
"""An application starts on Android's own ActivityThread: the message, its tree and its name are those of the platform."""

import unittest

from process import ANDROID, NO_ANDROID, ProcessTest, has_core, inspect


@unittest.skipUnless(has_core(ANDROID), NO_ANDROID)
class AndroidAppTest(ProcessTest):
    release = ANDROID

    def test_a_slow_start_is_the_application_s(self):
        document = inspect(self.only_dump(self.run_app("StartsLikeAnApp", DUMP_AT_EXIT=1)))
        binding = [m for m in document["history"] if "BIND_APPLICATION" in m["text"]]
        self.assertEqual(len(binding), 1, document["history"])
        self.assertIn("ActivityThread$H", binding[0]["text"])
        methods = {f"{frame['class']}.{frame['method']}" for frame in document["frames"]}
        for method in ("android.app.ActivityThread.main", "android.app.ActivityThread$H.handleMessage",
                       "android.app.ActivityThread.handleBindApplication", "android.app.Instrumentation.callApplicationOnCreate",
                       "StartsLikeAnApp$App.readPreferences"):
            self.assertIn(method, methods)
        self.assertEqual(document["verdict"]["culprit"]["method"], "StartsLikeAnApp$App.readPreferences")


if __name__ == "__main__":
    unittest.main()
