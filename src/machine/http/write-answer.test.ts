import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Base64Parts } from "#contract/base64";
import { encodeParts, writeJson } from "./write-answer.ts";

const mark = "a mark that no caller can foretell";

const readAll = (body: ReturnType<typeof writeJson>): string =>
  typeof body === "string" ? body : Buffer.concat([...body.chunks()]).toString("utf8");

describe("parts in Base64", () => {
  it("are the text of their bytes, wherever they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 8 }), (parts) => {
        const text = Buffer.concat([...encodeParts(parts)]).toString("latin1");
        const bytes = Buffer.concat(parts);
        expect(text).toBe(bytes.toString("base64"));
        expect(new Base64Parts(parts).length).toBe(text.length);
      }),
    );
  });

  it("are cut into chunks without padding between them", () => {
    const bytes = Buffer.alloc(1_000_001, "idem");
    const chunks = [...encodeParts([bytes])];
    expect(chunks.length).toBeGreaterThan(4);
    expect(Buffer.concat(chunks).toString("latin1")).toBe(bytes.toString("base64"));
  });
});

describe("the JSON of a result", () => {
  it("holds a small file as a text, and streams a large one to the same bytes", () => {
    for (const size of [10, 600_000, 900_000]) {
      const bytes = Buffer.alloc(size, "ñ");
      const parts = new Base64Parts([bytes.subarray(0, 7), bytes.subarray(7)]);
      const body = writeJson({ serviceResultLog: "ñ", serviceDocument: parts, after: 1 }, mark);
      const expected = { serviceResultLog: "ñ", serviceDocument: bytes.toString("base64"), after: 1 };
      expect(readAll(body)).toBe(JSON.stringify(expected));
      expect(typeof body === "string").toBe(size < 675_000);
      if (typeof body !== "string") expect(body.bytes).toBe(Buffer.byteLength(JSON.stringify(expected)));
    }
  });

  it("streams several large files to the same bytes", () => {
    const [one, two] = [Buffer.alloc(900_000, "a"), Buffer.alloc(950_001, "b")];
    const body = writeJson({ a: new Base64Parts([one]), b: { c: new Base64Parts([two]) }, d: 1 }, mark);
    const expected = { a: one.toString("base64"), b: { c: two.toString("base64") }, d: 1 };
    expect(readAll(body)).toBe(JSON.stringify(expected));
    if (typeof body !== "string") expect(body.bytes).toBe(Buffer.byteLength(JSON.stringify(expected)));
  });
});
