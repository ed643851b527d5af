import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTraceparent } from "./traceparent.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const valid = `00-${traceId}-${parentId}-01`;

describe("the header traceparent", () => {
  it.each([
    [valid, true],
    [`00-${traceId}-${parentId}-00`, false],
    [`00-${traceId}-${parentId}-03`, true],
    [`01-${traceId}-${parentId}-01-later`, true],
    [`cc-${traceId}-${parentId}-02`, false],
  ])("is read from %s", (header, isSampled) => {
    expect(readTraceparent(header)).toEqual({ traceId, parentId, isSampled });
  });

  it.each([
    ["no header", undefined],
    ["two headers", [valid, valid]],
    ["an empty one", ""],
    ["version ff", `ff-${traceId}-${parentId}-01`],
    ["more parts in version 00", `${valid}-more`],
    ["capitals", valid.toUpperCase()],
    ["a trace of zeros", `00-${"0".repeat(32)}-${parentId}-01`],
    ["a parent of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
    ["a short trace", `00-${traceId.slice(1)}-${parentId}-01`],
    ["a line end", `${valid}\n`],
    ["257 characters", `01-${traceId}-${parentId}-01-${"a".repeat(201)}`],
  ])("counts as none: %s", (_, header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });

  it("of 256 characters is read", () => {
    expect(readTraceparent(`01-${traceId}-${parentId}-01-${"a".repeat(200)}`)).toBeDefined();
  });

  it("gives hexadecimal digits alone, whatever is sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        const read = readTraceparent(text);
        return read === undefined || /^[0-9a-f]{48}$/.test(read.traceId + read.parentId);
      }),
    );
  });
});
