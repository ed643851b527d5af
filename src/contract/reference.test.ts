import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { knownReference } from "./reference.ts";

describe("a reference", () => {
  it("is accepted in upper and lower case", () => {
    const id = randomUUID();
    expect([knownReference(id), knownReference(id.toUpperCase())]).toEqual([id, id]);
  });

  it.each([
    "\u0000",
    "6f1c2a34",
    "{6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a}",
    "6f1c2a349c9e4f0e8c9a0d7d4d1e2b3a",
    "' or 1",
  ])("that is no UUID fails like an unknown reference: %j", (sent) => {
    expect(() => knownReference(sent)).toThrow(expect.objectContaining({ code: "not_found", facts: {} }));
  });

  it("followed by a line end is refused", () => {
    expect(() => knownReference(`${randomUUID()}\n`)).toThrow(expect.objectContaining({ code: "not_found" }));
  });
});
