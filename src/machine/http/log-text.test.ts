import { describe, expect, it } from "vitest";
import { makeCallLog } from "./log.ts";
import { textOfLine } from "./log-text.ts";

const texts = (write: (log: ReturnType<typeof makeCallLog>) => void): readonly string[] => {
  const lines: string[] = [];
  write(
    makeCallLog(
      (line) => lines.push(textOfLine(line)),
      () => new Date("2026-11-26T22:10:40.422Z"),
    ),
  );
  return lines;
};

const call = {
  requestId: "r-1",
  tenantId: "t-1",
  keyId: "k-1",
  route: "identity",
  status: 200,
  ms: 812.3,
  bytesIn: 10,
  bytesOut: 20,
};

describe("a line for a person", () => {
  it("of a call begins with time, level, route, status and milliseconds", () => {
    expect(texts(({ call: write }) => write(call))).toEqual([
      "22:10:40.422 INFO  identity 200 812.3 ms requestId=r-1 tenantId=t-1 keyId=k-1 bytesIn=10 bytesOut=20",
    ]);
    expect(texts(({ call: write }) => write({ ...call, status: 503, failure: "overloaded" }))[0]).toMatch(
      /^22:10:40\.422 WARN {2}identity 503 812\.3 ms .*failure=overloaded/,
    );
  });

  it("of the service has its facts", () => {
    expect(texts(({ service }) => service("The service listens", { address: "http://[::1]:80" }))).toEqual([
      "22:10:40.422 INFO  The service listens address=http://[::1]:80",
    ]);
  });

  it("of an error has the causes with their stacks below", () => {
    const error = new Error("outer", { cause: new TypeError("inner") });
    const [text = ""] = texts((log) => log.error({ component: "jobs", note: "A job failed", error }));
    const [first, second, ...more] = text.split("\n");
    expect([first, second]).toEqual(["22:10:40.422 ERROR jobs: A job failed", "    Error: outer"]);
    expect(more).toContain("    TypeError: inner");
    expect(more.filter((line) => line.startsWith("      at ")).length).toBeGreaterThan(1);
  });

  it.each([
    ["a\u001b[2Jb", String.raw`"a\u001b[2Jb"`],
    ["a\nb", String.raw`"a\nb"`],
    ["a\rb", String.raw`"a\rb"`],
    ["a\u009bb", String.raw`"a\u{9b}b"`],
    ["a\u202eb", String.raw`"a\u{202e}b"`],
    [" a", '" a"'],
    ["", '""'],
    ["Ñandú y más", "Ñandú y más"],
  ])("holds no character that moves the cursor: %j", (value, shown) => {
    expect(texts(({ service }) => service("x", { value }))).toEqual([`22:10:40.422 INFO  x value=${shown}`]);
  });
});
