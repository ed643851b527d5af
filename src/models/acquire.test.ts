import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  integerField,
  joined,
  messageField,
  serialize,
  textField,
} from "../inference/conversion/protobuf.ts";
import { livenessNetwork, yunetNetwork } from "../inference/testing/small-networks.ts";
import { makeAcquire } from "./acquire.ts";
import { choose, empty, remove } from "./choose.ts";
import type { Manifest } from "./manifest.ts";
import { manifestOf, openTestModels, smallNetwork } from "./testing/small-models.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
});
afterEach(() => rm(folder, { recursive: true }));

const shelfFolder = (): string => join(folder, "models");
const open = (catalogue: readonly Manifest[] = []) => openTestModels(shelfFolder(), catalogue);
const fileOf = async (bytes: Uint8Array): Promise<string> => {
  const file = join(folder, "brought.onnx");
  await writeFile(file, bytes);
  return file;
};
const add = async (bytes: Uint8Array, manifest: Manifest) => await open().add(await fileOf(bytes), manifest);
const manifest = manifestOf(smallNetwork);
const other = livenessNetwork({ side: 16, index: 1, channel: 2, name: "other" });
const otherManifest = manifestOf(other, { name: "other" });

describe("a file that is brought", () => {
  it("needs no manifest where the catalogue knows it, and the catalogue's holds against another", async () => {
    const file = await fileOf(smallNetwork);
    const models = open([manifest]);
    expect(await models.identify(file, undefined)).toEqual({ manifest, isKnown: true });
    const kinder = { ...manifest, caution: "None." };
    expect(await models.identify(file, kinder)).toEqual({ manifest, isKnown: true });
  });

  it("is refused without a manifest, or with one of another file", async () => {
    const file = await fileOf(smallNetwork);
    await expect(open().identify(file, undefined)).rejects.toThrow(
      `cut or changed: this one has ${smallNetwork.length} bytes`,
    );
    const { sha256: _, ...lacking } = manifest;
    await expect(open().identify(file, lacking)).rejects.toThrow(/^The manifest lacks sha256/);
    await expect(open().identify(file, manifestOf(other))).rejects.toThrow(/is of another file/);
    await expect(open().identify(file, { ...manifest, bytes: 5 })).rejects.toThrow(/its manifest says 5/);
  });

  it("is described by a whole manifest, alone or in a list", async () => {
    const file = await fileOf(smallNetwork);
    const list = { note: "two", models: [otherManifest, manifest] };
    expect(await open().identify(file, manifest)).toEqual({ manifest, isKnown: false });
    expect(await open().identify(file, list)).toEqual({ manifest, isKnown: false });
  });

  it.each([{ name: "facemesh" }, { group: "facemesh" }])(
    "may not bear a bundled network's name: %j",
    async (change) => {
      const named = manifestOf(smallNetwork, change);
      const identified = open().identify(await fileOf(smallNetwork), named);
      await expect(identified).rejects.toThrow("facemesh is the name of a bundled network");
    },
  );

  it("may be described in words, where the catalogue knows a model of that name and slot", async () => {
    const file = await fileOf(smallNetwork);
    const figures = { published: "ACER 3.81 %", thresholds: { "1e-3": 0.9 } };
    const known = {
      ...manifestOf(other),
      group: "pair",
      urls: ["https://example.com/other.onnx"],
      ...figures,
    };
    const { name, slot, sha256, bytes } = manifest;
    const inWords = {
      name,
      slot,
      sha256,
      bytes,
      input: "as usual",
      output: "three",
      licence: "MIT",
      more: 1,
    };
    const { manifest: completed } = await open([known]).identify(file, inWords);
    expect(completed).toEqual({ ...manifest, group: "pair", licence: { weights: "MIT" } });
    const own = { ...inWords, thresholds: { "1e-2": 0.7 } };
    expect((await open([known]).identify(file, own)).manifest.thresholds).toEqual({ "1e-2": 0.7 });
    await expect(open().identify(file, inWords)).rejects.toThrow(/is not whole.*\/input/);
    const elsewhere = { ...inWords, slot: "eye-state" };
    await expect(open([known]).identify(file, elsewhere)).rejects.toThrow(/is not whole/);
  });

  it("is copied in, also where it may only be read", async () => {
    const file = await fileOf(smallNetwork);
    await chmod(file, 0o400);
    await open().add(file, manifest);
    const { shelf } = open();
    const [installed] = await shelf.list();
    expect(installed).toMatchObject({ manifest, source: { kind: "file", from: "brought.onnx" } });
    expect(Buffer.from(await shelf.read(installed!)).equals(smallNetwork)).toBe(true);
  });

  it("leaves a download of it alone, which another command may be writing", async () => {
    const { shelf, add: take } = open();
    const download = await shelf.partOf(manifest.sha256);
    await writeFile(download, smallNetwork.subarray(0, 10));
    const file = await fileOf(smallNetwork);
    await expect(take(file, { ...manifest, output: { kind: "yunet" } })).rejects.toThrow(/is refused/);
    await take(file, manifest);
    expect(await readdir(join(shelfFolder(), "partial"))).toEqual([`${manifest.sha256}.part`]);
  });

  const foreign = serialize(
    joined([
      messageField(8, joined([textField(1, "my.operators"), integerField(2, 1)])),
      messageField(7, messageField(1, joined([textField(4, "Run"), textField(7, "my.operators")]))),
    ]),
  );
  const elsewhere = serialize(
    joined([messageField(8, integerField(2, 17)), messageField(7, messageField(5, integerField(14, 1)))]),
  );
  it.each([
    ["operators of an unknown set", foreign, {}, /unknown set: my.operators/],
    ["weights in other files", elsewhere, {}, /weights lie in other files/],
    [
      "an operator that the runtime does not know",
      livenessNetwork({ side: 16, index: 1, channel: 0, operator: "Abracadabra" }),
      {},
      /Abracadabra/,
    ],
    ["a text instead of a network", Buffer.from('{"a":1}'), {}, /JSON text/],
    ["noise instead of a network", Buffer.alloc(5000, 7), {}, /no ONNX network/],
    [
      "fewer classes than the manifest says",
      smallNetwork,
      { output: { kind: "logits", size: 2, index: 1 } },
      /its output is 1 x 3; the manifest says 2/,
    ],
    [
      "logits that the manifest calls probabilities",
      smallNetwork,
      { output: { kind: "probabilities", size: 3, index: 1 } },
      /no probabilities/,
    ],
    [
      "an output that is not there",
      smallNetwork,
      { output: { kind: "logits", name: "live", size: 3, index: 1 } },
      /outputs are logits; the manifest says live/,
    ],
    [
      "an input that is not there",
      smallNetwork,
      { input: { ...manifest.input, name: "picture" } },
      /does not run as its manifest says/,
    ],
    ["another network than a YuNet", smallNetwork, { output: { kind: "yunet" } }, /cls_8 is missing/],
  ] as const)("is refused for %s, and nothing of it stays", async (_what, bytes, change, reason) => {
    await expect(add(bytes, manifestOf(bytes, change))).rejects.toThrow(reason);
    expect(await open().shelf.list()).toEqual([]);
    expect(await readdir(join(shelfFolder(), "partial"))).toEqual([]);
  });
});

describe("the installed models", () => {
  it("are not there while only their file is: a record makes them so", async () => {
    await add(smallNetwork, manifest);
    await rm(join(shelfFolder(), `${manifest.sha256}.json`));
    expect(await open().shelf.list()).toEqual([]);
    await add(smallNetwork, manifest);
    expect(await open().shelf.list()).toHaveLength(1);
  });

  it("are not read where the file was changed, is missing, or the record is damaged", async () => {
    const installed = await add(smallNetwork, manifest);
    const { shelf } = open();
    expect(await shelf.damageOf(installed)).toBeUndefined();
    await writeFile(shelf.fileOf(manifest.sha256), smallNetwork.with(5, 0));
    expect(await shelf.damageOf(installed)).toBe("changed");
    await expect(shelf.read(installed)).rejects.toThrow(/was changed[^]*idem models add --file PATH/);
    await rm(shelf.fileOf(manifest.sha256));
    expect(await shelf.damageOf(installed)).toBe("missing");
    await expect(shelf.read(installed)).rejects.toThrow(/is missing[^]*idem models add --file PATH/);
    await writeFile(join(shelfFolder(), `${manifest.sha256}.json`), "{");
    await expect(shelf.list()).rejects.toThrow(/damaged/);
  });

  it("are repaired by the same file, which needs no manifest again, and stay in their slot", async () => {
    const models = open();
    const calibration = { recogniser: "0".repeat(80), at: "now", pairs: { all: 1, within: {} }, points: [] };
    await models.shelf.calibrate(await add(smallNetwork, manifest), calibration);
    await choose(models, "small", "active");
    await rm(models.shelf.fileOf(manifest.sha256));
    await expect(choose(models, "small", "active")).rejects.toThrow(/is missing/);
    const file = await fileOf(smallNetwork);
    expect(await models.identify(file, undefined)).toEqual({ manifest, isKnown: true });
    expect(await models.shelf.damageOf(await models.add(file, manifest))).toBeUndefined();
    expect(await models.shelf.choiceOf("liveness")).toMatchObject({ active: [manifest.sha256] });
    expect(await models.shelf.list()).toMatchObject([{ manifest, calibration }]);
  });

  it("keep their order when an older one is repaired: its name goes on meaning the newer", async () => {
    const models = open();
    const addAt = async (at: string, bytes: Uint8Array, taken: Manifest) => {
      const acquire = makeAcquire({ ...models, blocked: [], clock: () => new Date(at) });
      await acquire.add(await fileOf(bytes), taken);
    };
    const newer = { ...otherManifest, name: manifest.name, version: "2" };
    await addAt("2026-11-01T12:00:00Z", smallNetwork, manifest);
    await addAt("2026-11-02T12:00:00Z", other, newer);
    await rm(models.shelf.fileOf(manifest.sha256));
    await addAt("2026-11-03T12:00:00Z", smallNetwork, manifest);
    expect((await choose(models, "small", "active")).models).toMatchObject([{ manifest: newer }]);
    expect(await models.shelf.list()).toMatchObject([
      { accepted: { at: "2026-11-03T12:00:00.000Z" } },
      { manifest: newer },
    ]);
  });

  it("work in a slot from the next start on, and let it go again", async () => {
    const installed = await add(smallNetwork, manifest);
    const models = open();
    expect(await models.shelf.choiceOf("liveness")).toEqual({ active: [], shadow: [] });
    expect(await choose(models, "small", "shadow")).toEqual({ slot: "liveness", models: [installed] });
    await choose(models, manifest.sha256.slice(0, 8), "active");
    expect(await open().shelf.choiceOf("liveness")).toEqual({ active: [manifest.sha256], shadow: [] });
    await expect(remove(models.shelf, "small")).rejects.toThrow(/in use as liveness/);
    await empty(models.shelf, "liveness", "active");
    await remove(models.shelf, "small");
    expect(await open().shelf.list()).toEqual([]);
    expect((await readdir(shelfFolder())).toSorted()).toEqual(["partial", "selection.json"]);
  });

  it("work together where they are of one group; of one name the latest", async () => {
    const [first, second] = [
      manifestOf(smallNetwork, { group: "pair" }),
      { ...otherManifest, group: "pair" },
    ];
    await add(smallNetwork, first);
    await add(other, second);
    const { models } = await choose(open(), "pair", "active");
    expect(models.map(({ manifest: { name } }) => name).toSorted()).toEqual(["other", "small"]);
    await expect(choose(open(), "other", "shadow")).rejects.toThrow(/decides in the slot liveness already/);
    await choose(open(), "small", "active");
    await choose(open(), "other", "shadow");
    await expect(remove(open().shelf, "other")).rejects.toThrow(/looks on[^]*shadow --none liveness$/);
    expect(await open().shelf.choiceOf("liveness")).toEqual({
      active: [first.sha256],
      shadow: [second.sha256],
    });
  });

  it("do not work together as detectors, of which the first alone would", async () => {
    const shape = [1, 3, 64, 64];
    const change = (name: string): Partial<Manifest> => ({
      name,
      group: "finders",
      slot: "face-detector",
      input: { layout: "NCHW", shape, channels: "BGR", mean: 0, scale: 1 },
      output: { kind: "yunet" },
    });
    for (const x of [10, 20]) {
      const bytes = yunetNetwork(64, [{ score: 1, x, y: 10, width: 20, height: 20, points: [] }]);
      await add(bytes, manifestOf(bytes, change(`finder-${x}`)));
    }
    await expect(choose(open(), "finders", "active")).rejects.toThrow(
      /face-detector takes one model, and 2 are named: .*finder-/,
    );
    expect(await open().shelf.choiceOf("face-detector")).toEqual({ active: [], shadow: [] });
    await choose(open(), "finder-10", "active");
  });

  it("do not work as a group that is not whole, but by their own name", async () => {
    const [first, second] = [
      manifestOf(smallNetwork, { group: "pair" }),
      { ...otherManifest, group: "pair" },
    ];
    await add(smallNetwork, first);
    await expect(choose(open([first, second]), "pair", "active")).rejects.toThrow(
      /1 of 2 of the group pair; missing: other\.[^]*idem models use small$/,
    );
    expect((await choose(open([first, second]), "small", "active")).models).toHaveLength(1);
    await add(other, second);
    expect((await choose(open([first, second]), "pair", "active")).models).toHaveLength(2);
  });

  it("cannot work where no slot takes them, their manifest says too little, or their file was changed", async () => {
    await add(smallNetwork, manifestOf(smallNetwork, { slot: "eye-state" }));
    await expect(choose(open(), "small", "active")).rejects.toThrow(/no use yet for the slot eye-state/);
    const { crop: _, ...input } = manifest.input;
    await add(smallNetwork, manifestOf(smallNetwork, { input }));
    await expect(choose(open(), "small", "active")).rejects.toThrow(/input.crop/);
    await add(smallNetwork, manifest);
    await writeFile(open().shelf.fileOf(manifest.sha256), other);
    await expect(choose(open(), "small", "active")).rejects.toThrow(/has SHA-256/);
    await expect(choose(open(), "nobody", "active")).rejects.toThrow(/nobody is not installed/);
    const known = [otherManifest, manifestOf(other, { name: "eye", slot: "eye-state" })];
    await expect(choose(open(known), "other", "active")).rejects.toThrow(/known, not installed. First: idem/);
    await expect(choose(open(known), "eye", "active")).rejects.toThrow(/cannot be used: this release has no/);
    expect(await open().shelf.choiceOf("liveness")).toEqual({ active: [], shadow: [] });
  });

  it("are chosen anew where the selection was damaged", async () => {
    await add(smallNetwork, manifest);
    await writeFile(join(shelfFolder(), "selection.json"), "[]");
    await expect(open().shelf.choiceOf("liveness")).rejects.toThrow(/selection.json is damaged/);
    expect(await readFile(join(shelfFolder(), "selection.json"), "utf8")).toBe("[]");
  });
});
