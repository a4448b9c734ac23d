# SPDX-License-Identifier: Apache-2.0
"""Writes the Java source of as many classes as asked for, each of which computes for a moment: COUNT FILE."""

import sys

# Long names, so that they fill the table's text before its rows.
PACKAGE = "com.example.application.generated.screens.presentation.internal"
NAME = "PresenterOfAScreenAmongAllTheScreensThatThisApplicationShowsToItsUsersInTheCourseOfALongSessionNumber"
COMPUTES_NS = 1_100_000
CLASS = """class {name}{number:05} implements Runnable {{
  @Override
  public void run() {{
    long end = System.nanoTime() + {ns};
    while (System.nanoTime() < end) {{
    }}
  }}
}}
"""
DRIVER = """package {package};

/** Runs the next of the classes each time. */
public class Presenters implements Runnable {{
  private static final String NAME = "{package}.{name}";

  private int next;

  @Override
  public void run() {{
    try {{
      ((Runnable) Class.forName(NAME + (100000 + next++ + "").substring(1)).newInstance()).run();
    }} catch (ReflectiveOperationException e) {{
      throw new IllegalStateException(e);
    }}
  }}
}}
"""


def main():
    count = int(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as source:
        source.write(DRIVER.format(package=PACKAGE, name=NAME))
        for number in range(count):
            source.write(CLASS.format(name=NAME, number=number, ns=COMPUTES_NS))


if __name__ == "__main__":
    main()
