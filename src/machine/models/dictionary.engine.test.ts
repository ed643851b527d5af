import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lineManifestOf, openTestModels } from "#support/models/small-models";
import { lineNetwork } from "#support/networks/small-networks";
import { choose } from "./choose.ts";
import { findCharacters } from "./dictionary.ts";
import type { Manifest } from "./manifest.ts";
import { findUnserved } from "./serve-slot.ts";

describe("findCharacters", () => {
  it("puts the blank before the characters of a file and the space after them", () => {
    const characters = ["", "a", "Ñ", "ab", " "];
    expect(findCharacters({ character: "a\nÑ\nab" })).toEqual(characters);
    expect(findCharacters({ character: "a\r\nÑ\r\nab\r\n" })).toEqual(characters);
  });

  it("keeps the place of a character that cannot be written", () => {
    expect(findCharacters({ character: "a\n\u0000\n\nb" })).toEqual(["", "a", "", "", "b", " "]);
  });

  it("returns undefined where the file has no list", () => {
    expect(findCharacters({})).toBeUndefined();
    expect(findCharacters({ character: "" })).toBeUndefined();
  });
});

describe("a text recogniser", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-lines-"));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const add = async (bytes: Uint8Array, change: Partial<Manifest> = {}) => {
    const file = join(folder, "lines.onnx");
    await writeFile(file, bytes);
    const models = openTestModels(join(folder, "models"));
    return await models.add(file, lineManifestOf(bytes, change));
  };

  it.each([
    ["no list of characters", lineNetwork({}), {}, /holds no list of characters/],
    [
      "a list of another length than its output",
      lineNetwork({ character: "R\nB" }),
      {},
      /lists 2 characters, with blank and space 4 classes; its output has 5/,
    ],
    [
      "another number of classes than its manifest says",
      lineNetwork(),
      { output: { kind: "ctc", size: 6 } },
      /has 5 classes; the manifest says 6/,
    ],
    ["logits for probabilities", lineNetwork(undefined, "logits"), {}, /is no probabilities: logits\?/],
  ] as const)(
    "is refused for %s, and the former model keeps working",
    async (_what, bytes, change, reason) => {
      const before = await add(lineNetwork({ character: "X\nY\nZ" }));
      const models = openTestModels(join(folder, "models"));
      await choose(models, "lines", "active");
      await expect(add(bytes, change)).rejects.toThrow(reason);
      expect(await models.modelStore.list()).toEqual([before]);
      expect((await models.modelStore.choiceOf("text-recogniser")).active).toEqual([before.manifest.sha256]);
    },
  );

  it("needs lines of a fixed height and a free width", () => {
    const manifest = lineManifestOf(lineNetwork());
    const shaped = (shape: Manifest["input"]["shape"]) =>
      findUnserved({ ...manifest, input: { ...manifest.input, shape } });
    expect(findUnserved(manifest)).toBeUndefined();
    expect(shaped([1, 3, 48, 320])).toMatch(/a free width/);
    expect(shaped([1, 3, 480, "width"])).toMatch(/a height of 16 to 128/);
    expect(shaped([1, 1, 48, "width"])).toMatch(/N x 3 x H x W/);
    expect(findUnserved({ ...manifest, output: { kind: "db" } })).toMatch(/needs ctc/);
  });
});
