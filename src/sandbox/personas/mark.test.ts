import { assert, nat, property, uint8Array } from "fast-check";
import { describe, expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
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
  const marked = writeMark(files[format], "liveness-eyes-closed/selfie");

  it("is read from the bytes, and an unmarked file has none", () => {
    expect(readMark(marked)).toBe("liveness-eyes-closed/selfie");
    expect(readMark(files[format])).toBeUndefined();
  });

  it("changes no pixel", async () => {
    const [plain, after] = [await imaging.open(files[format]), await imaging.open(marked)];
    expect(after.data).toEqual(plain.data);
  });

  it("is read for each length of its names, and refused for every other mark", () => {
    for (const mark of ["a/b", `${"a".repeat(64)}/${"b".repeat(32)}`]) {
      expect(readMark(writeMark(files[format], mark))).toBe(mark);
    }
    const others = [
      "",
      "a",
      `${"a".repeat(65)}/b`,
      `a/${"b".repeat(33)}`,
      "A/b",
      "a b/c",
      "-a/b",
      "a/b-",
      "a/b/c",
    ];
    for (const mark of others) expect(() => writeMark(files[format], mark), mark).toThrow("No mark");
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
        return name === undefined || /^[a-z0-9-]{1,64}\/[a-z0-9-]{1,32}$/.test(name);
      }),
    );
  });
});

it("reads any bytes without an error", () => {
  assert(property(uint8Array({ maxLength: 200 }), (bytes) => readMark(bytes) === undefined));
});

it("searches 64 segments and no further", () => {
  const marked = writeMark(files.jpeg, "delay/selfie");
  expect(readMark(withComments(marked, 63))).toBe("delay/selfie");
  expect(readMark(withComments(marked, 64))).toBeUndefined();
});

it("reads a hostile file of many megabytes as fast as a small one", () => {
  const large = new Uint8Array(40_000_000).fill(0xff);
  large.set([0xff, 0xd8]);
  const started = performance.now();
  const found = Array.from({ length: 1_000 }, () => readMark(large)).filter((mark) => mark !== undefined);
  expect(found).toEqual([]);
  expect(performance.now() - started).toBeLessThan(1_000);
});

it("refuses to mark bytes of another format", () => {
  expect(() => writeMark(new TextEncoder().encode("GIF89a"), "delay/selfie")).toThrow("JPEG or a PNG");
});
