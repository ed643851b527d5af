import { expect, it } from "vitest";
import { makeLogSink } from "./log-sink.ts";

const line = JSON.stringify({ time: "2026-11-26T22:10:40.422Z", level: "info", message: "Ready again" });

it.each([
  ["auto", true, "22:10:40.422 INFO  Ready again\n"],
  ["auto", false, `${line}\n`],
  ["auto", undefined, `${line}\n`],
  ["text", false, "22:10:40.422 INFO  Ready again\n"],
  ["json", true, `${line}\n`],
] as const)("the format %s with a terminal: %s", (logFormat, isTTY, expected) => {
  const written: string[] = [];
  const output = { ...(isTTY !== undefined && { isTTY }), write: (text: string) => written.push(text) };
  makeLogSink({ logFormat }, output)(line);
  expect(written).toEqual([expected]);
});
