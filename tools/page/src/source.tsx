// SPDX-License-Identifier: Apache-2.0
// Source positions, linked to files if the report has a source address.

import { createContext } from "preact";
import { useContext } from "preact/hooks";

export const SourceContext = createContext(""); // an address with {file} and {line}; "": none

const PLATFORM = /^(java|javax|android|androidx|dalvik|jdk|sun|libcore|kotlin|kotlinx)\./;

// The link to a line: "com.shop.Cart$Row.total" and "Cart.java:12" become ".../com/shop/Cart.java#L12". "": no link.
export function sourceOf(address: string, method: string, place: string): string {
  const [, file, line] = /^([\w$.-]+\.\w+):(\d+)$/.exec(place) ?? [];
  if (!address || !file || PLATFORM.test(method)) return "";
  const packages = method.split(".").slice(0, -2).join("/");
  const path = encodeURI(packages ? `${packages}/${file}` : file);
  return address.replaceAll("{file}", path).replaceAll("{line}", line!);
}

export function SourcePlace({ method, place }: { method: string; place: string }) {
  const address = sourceOf(useContext(SourceContext), method, place);
  return address ? <a href={address}>{place}</a> : <>{place}</>;
}

// Lines of a stack trace: "app.Main.run(Main.java:3)".
export function Trace({ frames }: { frames: string[] }) {
  return (
    <pre tabIndex={0}>
      {frames.map((frame, i) => {
        const [, method, space, place] = /^(.*?)( ?)\(([^()]*)\)$/.exec(frame) ?? [];
        return (
          <>
            {i > 0 && "\n"}at {method === undefined ? frame : `${method}${space}(`}
            {method !== undefined && <SourcePlace method={method} place={place!} />}
            {method !== undefined && ")"}
          </>
        );
      })}
    </pre>
  );
}
