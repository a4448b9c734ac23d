#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# ProGuard's retrace over a frame that stands for several: an inlined method and its caller, and a frame without a line
# number whose method has two possible names.
#
# Guess: each restored frame has a line of its own, in all releases: a stack trace is read line by line. An alternative
#   is a line of blanks and the other name.
# Seen: 6.2.2 does so. 7.4.2 writes the frames of one input line on one output line, with a tab between them, and
#   alternatives too. Whoever reads a frame per line loses the caller of each inlined method.
# Versions: Debian's libproguard-java 6.2.2-3; Maven Central's proguard-retrace and proguard-base 7.4.2 with
#   proguard-core 9.1.1.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"

apt-get download -qq libproguard-java=6.2.2-3 >&2
dpkg -x ./*.deb packages
for artifact in proguard-retrace:7.4.2 proguard-base:7.4.2 proguard-core:9.1.1; do
  mvn -q -B dependency:copy -Dartifact="com.guardsquare:$artifact" -DoutputDirectory="$work/new" >&2
done
debian=$work/packages/usr/share/java

cat >mapping.txt <<'END'
com.example.Till -> a.a:
    1:3:int total(int):10:12 -> b
    4:4:int com.example.Price.of(int):40:40 -> b
    4:4:int total(int):13 -> b
    1:1:void pay():50:50 -> c
    2:5:void refund():60:63 -> c
END
printf 'java.lang.IllegalStateException: empty\n\tat a.a.b(SourceFile:%d)\n\tat a.a.b(SourceFile:%d)\n\tat a.a.c(SourceFile)\n' \
  2 4 >trace.txt

cat >expected-old.txt <<'END'
java.lang.IllegalStateException: empty
>at com.example.Till.total(Till.java:11)
>at com.example.Price.of(Price.java:40)
>at com.example.Till.total(Till.java:13)
>at com.example.Till.pay(Till.java)
>                    refund(Till.java)
END
cat >expected-new.txt <<'END'
java.lang.IllegalStateException: empty
>at com.example.Till.total(Till.java:11)
>at com.example.Price.of(Price.java:40)>at com.example.Till.total(Till.java:13)
>at com.example.Till.pay(Till.java)>                    refund(Till.java)
END

# > stands for a tab.
retrace() { java -cp "$1" proguard.retrace.ReTrace mapping.txt trace.txt | tr '\t' '>'; }

retrace "$debian/proguard-retrace-6.2.2.jar:$debian/proguard-6.2.2.jar" >old.txt
retrace "$work/new/*" >new.txt
for release in old new; do
  echo "$release:"
  cat "$release.txt"
  diff "expected-$release.txt" "$release.txt"
done
echo "retrace 7.4.2 writes an inlined frame and its caller on one line, 6.2.2 on two"
