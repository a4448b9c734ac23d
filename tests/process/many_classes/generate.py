# SPDX-License-Identifier: Apache-2.0
"""Writes the Java source of as many classes as asked for, each of which computes for a moment: COUNT FILE."""

import sys

# Long names, so that they fill the table's text before its rows.
PACKAGE = "com.example.application.generated.screens.presentation.internal"
CLASS = """class PresenterOfTheScreenWithTheNumber{number:05} implements Runnable {{
  @Override
  public void run() {{
    long end = System.nanoTime() + {ns};
    while (System.nanoTime() < end) {{
    }}
  }}
}}
"""
DRIVER = """/** The classes by their numbers. */
public class Presenters {{
  private static final String NAME = "{package}.PresenterOfTheScreenWithTheNumber";

  public static void run(int from, int to) {{
    try {{
      for (int i = from; i < to; i++) {{
        ((Runnable) Class.forName(NAME + (100000 + i + "").substring(1)).newInstance()).run();
      }}
    }} catch (ReflectiveOperationException e) {{
      throw new IllegalStateException(e);
    }}
  }}
}}
"""


def main():
    count = int(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as source:
        source.write(f"package {PACKAGE};\n\n")
        source.write(DRIVER.format(package=PACKAGE))
        for number in range(count):
            source.write(CLASS.format(number=number, ns=1_300_000))


if __name__ == "__main__":
    main()
