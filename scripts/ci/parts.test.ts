import { describe, expect, it } from "vitest";
import { chooseParts, hashInputs, type InputFile } from "./parts.ts";

const fileOf = (path: string, text: string): InputFile => ({ path, bytes: Buffer.from(text) });

/** Files by the pattern that finds them. */
const reading = (files: Readonly<Record<string, readonly InputFile[]>>) => (patterns: readonly string[]) =>
  patterns.flatMap((pattern) => files[pattern] ?? []);

const hashOf = (...files: readonly InputFile[]): string =>
  hashInputs({ files: ["all"] }, reading({ all: files }));

describe("the hash of a part's inputs", () => {
  const [a, b] = [fileOf("a", "1"), fileOf("b", "2")];

  it("is the same in each order of the files, and SHA-256", () => {
    expect(hashOf(a, b)).toBe(hashOf(b, a));
    expect(hashOf(a, b)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, readonly InputFile[]]>([
    ["another byte", [a, fileOf("b", "3")]],
    ["another name", [a, fileOf("c", "2")]],
    ["a file more", [a, b, fileOf("c", "")]],
    ["a file less", [a]],
    ["bytes in the other file", [fileOf("a", "2"), fileOf("b", "1")]],
    ["a name that looks like two lines", [fileOf("a\nb", "1")]],
  ])("differs with %s", (_, files) => {
    expect(hashOf(...files)).not.toBe(hashOf(a, b));
  });

  const importing = (text: string): string =>
    hashInputs({ files: [], imports: ["source"] }, reading({ source: [fileOf("a.ts", text)] }));

  it.each([
    'import sharp from "sharp";',
    'const { x } = await import("sharp");',
    'import "sharp";',
    'import.meta.resolve("sharp");',
  ])("counts the package that a source file loads: %s", (line) => {
    expect(importing(line)).toBe(importing('import { metadata } from "sharp"; const changed = 1;'));
    expect(importing(line)).not.toBe(importing(line.replace('"sharp"', '"sharp/lib"')));
  });

  it("counts no module of ours", () => {
    expect(importing('import { a } from "./a.ts"; import { b } from "#b/b"; import("../c.ts");')).toBe(
      importing(""),
    );
  });
});

describe("a part", () => {
  const hashes = { training: "t", image: "i" };
  const runsOn = (proved: Readonly<Record<string, string>>, weekday: number) =>
    chooseParts(hashes, proved, weekday)
      .filter(({ runs }) => runs)
      .map(({ part }) => part);

  it("runs where its inputs differ from those that passed, and where none passed", () => {
    expect(runsOn({ training: "other" }, 6)).toEqual(["training", "image"]);
  });

  it("does not run where its inputs are those that passed", () => {
    expect(runsOn({ training: "t" }, 6)).toEqual(["image"]);
    expect(chooseParts(hashes, hashes, 6)).toContainEqual({
      part: "image",
      runs: false,
      reason: "unchanged since it passed",
    });
  });

  it("runs on its weekday all the same", () => {
    expect([0, 1, 2, 3, 4, 5, 6].map((day) => runsOn(hashes, day))).toEqual([
      ["training"],
      ["image"],
      [],
      [],
      [],
      [],
      [],
    ]);
  });
});
