import { assert, nat, property, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { readMark, writeMark } from "./mark.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const image = { width: 24, height: 16, data: new Uint8Array(24 * 16 * 3).fill(90) };
const files = { jpeg: await imaging.encodeJpeg(image, 90), png: await imaging.encodePng(image) };

/** A JPEG with this many comments before its other segments. */
const withComments = (bytes: Uint8Array, count: number): Uint8Array => {
  const comment = [0xff, 0xfe, 0, 3, 65];
  return Uint8Array.from([
    0xff,
    0xd8,
    ...Array.from({ length: count }, () => comment).flat(),
    ...bytes.subarray(2),
  ]);
};

describe.each(["jpeg", "png"] as const)("a mark in a %s", (format) => {
  const marked = writeMark(files[format], "liveness-eyes-closed");

  it("is read from the bytes, and an unmarked file has none", () => {
    expect(readMark(marked)).toBe("liveness-eyes-closed");
    expect(readMark(files[format])).toBeUndefined();
  });

  it("changes no pixel", async () => {
    const [plain, after] = [await imaging.open(files[format]), await imaging.open(marked)];
    expect(after.data).toEqual(plain.data);
  });

  it("is read for each length of a name, and refused for every other name", () => {
    for (const name of ["a", "a".repeat(64)]) expect(readMark(writeMark(files[format], name))).toBe(name);
    for (const name of ["", "a".repeat(65), "A", "a b", "-a", "a-", "á"]) {
      expect(() => writeMark(files[format], name), name).toThrow("No name");
    }
  });

  it("is not read from bytes that end within it", () => {
    const start = format === "jpeg" ? 2 : 33;
    const lengths = Array.from({ length: 20 }, (_, n) => start + n);
    for (const length of lengths) expect(readMark(marked.subarray(0, length))).toBeUndefined();
  });

  it("is found or not, without an error, in damaged bytes", () => {
    assert(
      property(uint8Array({ minLength: 1, maxLength: 80 }), nat({ max: marked.length - 1 }), (bytes, at) => {
        const damaged = Uint8Array.from(marked);
        damaged.set(bytes.subarray(0, marked.length - at), at);
        const name = readMark(damaged);
        return name === undefined || /^[a-z0-9-]{1,64}$/.test(name);
      }),
    );
  });
});

it("reads any bytes without an error", () => {
  assert(property(uint8Array({ maxLength: 200 }), (bytes) => readMark(bytes) === undefined));
});

it("searches 64 segments and no further", () => {
  const marked = writeMark(files.jpeg, "delay");
  expect(readMark(withComments(marked, 63))).toBe("delay");
  expect(readMark(withComments(marked, 64))).toBeUndefined();
});

it("reads a hostile file of many megabytes as fast as a small one", () => {
  const large = new Uint8Array(40_000_000).fill(0xff);
  large.set([0xff, 0xd8]);
  const started = performance.now();
  for (let n = 0; n < 1_000; n++) expect(readMark(large)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(1_000);
});

it("refuses to mark bytes of another format", () => {
  expect(() => writeMark(new TextEncoder().encode("GIF89a"), "delay")).toThrow("JPEG or a PNG");
});
