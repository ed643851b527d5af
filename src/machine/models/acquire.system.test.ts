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
} from "#machine/networks/conversion/protobuf";
import { manifestOf, openTestModels, smallNetwork } from "#support/models/small-models";
import { livenessNetwork, yunetNetwork } from "#support/networks/small-networks";
import { makeAcquire } from "./acquire.ts";
import { choose, empty, remove } from "./choose.ts";
import type { Manifest } from "./manifest.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
});
afterEach(() => rm(folder, { recursive: true }));

const storeFolder = (): string => join(folder, "models");
const open = (catalogue: readonly Manifest[] = []) => openTestModels(storeFolder(), catalogue);
const fileOf = async (bytes: Uint8Array): Promise<string> => {
  const file = join(folder, "brought.onnx");
  await writeFile(file, bytes);
  return file;
};
const add = async (bytes: Uint8Array, manifest: Manifest) => await open().add(await fileOf(bytes), manifest);
const manifest = manifestOf(smallNetwork);
const other = livenessNetwork({ side: 16, index: 1, channel: 2, name: "other" });
const otherManifest = manifestOf(other, { name: "other" });

describe("an imported file", () => {
  it("needs no manifest where the catalogue knows it, and the catalogue's manifest replaces another", async () => {
    const file = await fileOf(smallNetwork);
    const models = open([manifest]);
    expect(await models.identify(file, undefined)).toEqual({ manifest, isKnown: true });
    const kinder = { ...manifest, caution: "None." };
    expect(await models.identify(file, kinder)).toEqual({ manifest, isKnown: true });
  });

  it("is refused without a manifest, or with the manifest of another file", async () => {
    const file = await fileOf(smallNetwork);
    await expect(open().identify(file, undefined)).rejects.toThrow(
      `cut or changed: this one has ${smallNetwork.length} bytes`,
    );
    const { sha256: _, ...lacking } = manifest;
    await expect(open().identify(file, lacking)).rejects.toThrow(/^Add sha256 to the manifest/);
    await expect(open().identify(file, manifestOf(other))).rejects.toThrow(/is of another file/);
    await expect(open().identify(file, { ...manifest, bytes: 5 })).rejects.toThrow(/its manifest says 5/);
  });

  it("is described by a complete manifest, alone or in a list", async () => {
    const file = await fileOf(smallNetwork);
    const list = { note: "two", models: [otherManifest, manifest] };
    expect(await open().identify(file, manifest)).toEqual({ manifest, isKnown: false });
    expect(await open().identify(file, list)).toEqual({ manifest, isKnown: false });
  });

  it.each([{ name: "facemesh" }, { group: "facemesh" }])(
    "may not have the name of a bundled network: %j",
    async (change) => {
      const named = manifestOf(smallNetwork, change);
      const identified = open().identify(await fileOf(smallNetwork), named);
      await expect(identified).rejects.toThrow("facemesh is the name of a bundled network");
    },
  );

  it("may be described in words, where the catalogue has a model of that name and slot", async () => {
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
    await expect(open().identify(file, inWords)).rejects.toThrow(/is not complete.*\/input/);
    const otherSlot = { ...inWords, slot: "eye-state" };
    await expect(open([known]).identify(file, otherSlot)).rejects.toThrow(/is not complete/);
  });

  it("is copied, also where it is read-only", async () => {
    const file = await fileOf(smallNetwork);
    await chmod(file, 0o400);
    await open().add(file, manifest);
    const { modelStore } = open();
    const [installed] = await modelStore.list();
    expect(installed).toMatchObject({ manifest, source: { kind: "file", from: "brought.onnx" } });
    expect(Buffer.from(await modelStore.read(installed!)).equals(smallNetwork)).toBe(true);
  });

  it("does not touch a download of the same file, which another command may be writing", async () => {
    const { modelStore, add: take } = open();
    const download = await modelStore.partOf(manifest.sha256);
    await writeFile(download, smallNetwork.subarray(0, 10));
    const file = await fileOf(smallNetwork);
    await expect(take(file, { ...manifest, output: { kind: "yunet" } })).rejects.toThrow(/is refused/);
    await take(file, manifest);
    expect(await readdir(join(storeFolder(), "partial"))).toEqual([`${manifest.sha256}.part`]);
  });

  const foreign = serialize(
    joined([
      messageField(8, joined([textField(1, "my.operators"), integerField(2, 1)])),
      messageField(7, messageField(1, joined([textField(4, "Run"), textField(7, "my.operators")]))),
    ]),
  );
  const externalWeights = serialize(
    joined([messageField(8, integerField(2, 17)), messageField(7, messageField(5, integerField(14, 1)))]),
  );
  it.each([
    ["operators of an unknown set", foreign, {}, /unknown set: my.operators/],
    ["weights in other files", externalWeights, {}, /weights lie in other files/],
    [
      "an operator unknown to the runtime",
      livenessNetwork({ side: 16, index: 1, channel: 0, operator: "Abracadabra" }),
      {},
      /Abracadabra/,
    ],
    ["a text instead of a network", Buffer.from('{"a":1}'), {}, /JSON text/],
    ["noise instead of a network", Buffer.alloc(5000, 7), {}, /no ONNX network/],
    [
      "fewer classes than the manifest states",
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
  ] as const)("is refused for %s, and no part of it stays", async (_what, bytes, change, reason) => {
    await expect(add(bytes, manifestOf(bytes, change))).rejects.toThrow(reason);
    expect(await open().modelStore.list()).toEqual([]);
    expect(await readdir(join(storeFolder(), "partial"))).toEqual([]);
  });
});

describe("the installed models", () => {
  it("are not installed without a record, even if their file exists", async () => {
    await add(smallNetwork, manifest);
    await rm(join(storeFolder(), `${manifest.sha256}.json`));
    expect(await open().modelStore.list()).toEqual([]);
    await add(smallNetwork, manifest);
    expect(await open().modelStore.list()).toHaveLength(1);
  });

  it("are not read where the file was changed, is missing, or the record is damaged", async () => {
    const installed = await add(smallNetwork, manifest);
    const { modelStore } = open();
    expect(await modelStore.damageOf(installed)).toBeUndefined();
    await writeFile(modelStore.fileOf(manifest.sha256), smallNetwork.with(5, 0));
    expect(await modelStore.damageOf(installed)).toBe("changed");
    await expect(modelStore.read(installed)).rejects.toThrow(/was changed[^]*idem models add --file PATH/);
    await rm(modelStore.fileOf(manifest.sha256));
    expect(await modelStore.damageOf(installed)).toBe("missing");
    await expect(modelStore.read(installed)).rejects.toThrow(/is missing[^]*idem models add --file PATH/);
    await writeFile(join(storeFolder(), `${manifest.sha256}.json`), "{");
    await expect(modelStore.list()).rejects.toThrow(/damaged/);
  });

  it("are repaired by the same file without another manifest, and stay in their slot", async () => {
    const models = open();
    const calibration = { recogniser: "0".repeat(80), at: "now", pairs: { all: 1, within: {} }, points: [] };
    await models.modelStore.calibrate(await add(smallNetwork, manifest), calibration);
    await choose(models, "small", "active");
    await rm(models.modelStore.fileOf(manifest.sha256));
    await expect(choose(models, "small", "active")).rejects.toThrow(/is missing/);
    const file = await fileOf(smallNetwork);
    expect(await models.identify(file, undefined)).toEqual({ manifest, isKnown: true });
    expect(await models.modelStore.damageOf(await models.add(file, manifest))).toBeUndefined();
    expect(await models.modelStore.choiceOf("liveness")).toMatchObject({ active: [manifest.sha256] });
    expect(await models.modelStore.list()).toMatchObject([{ manifest, calibration }]);
  });

  it("keep their order when an older model is repaired: the shared name still means the newer model", async () => {
    const models = open();
    const addAt = async (at: string, bytes: Uint8Array, taken: Manifest) => {
      const acquire = makeAcquire({ ...models, blocked: [], clock: () => new Date(at) });
      await acquire.add(await fileOf(bytes), taken);
    };
    const newer = { ...otherManifest, name: manifest.name, version: "2" };
    await addAt("2026-11-01T12:00:00Z", smallNetwork, manifest);
    await addAt("2026-11-02T12:00:00Z", other, newer);
    await rm(models.modelStore.fileOf(manifest.sha256));
    await addAt("2026-11-03T12:00:00Z", smallNetwork, manifest);
    expect((await choose(models, "small", "active")).models).toMatchObject([{ manifest: newer }]);
    expect(await models.modelStore.list()).toMatchObject([
      { accepted: { at: "2026-11-03T12:00:00.000Z" } },
      { manifest: newer },
    ]);
  });

  it("work in a slot from the next start on, and can be removed from it", async () => {
    const installed = await add(smallNetwork, manifest);
    const models = open();
    expect(await models.modelStore.choiceOf("liveness")).toEqual({ active: [], shadow: [] });
    expect(await choose(models, "small", "shadow")).toEqual({ slot: "liveness", models: [installed] });
    await choose(models, manifest.sha256.slice(0, 8), "active");
    expect(await open().modelStore.choiceOf("liveness")).toEqual({ active: [manifest.sha256], shadow: [] });
    await expect(remove(models.modelStore, "small")).rejects.toThrow(/in use as liveness/);
    await empty(models.modelStore, "liveness", "active");
    await remove(models.modelStore, "small");
    expect(await open().modelStore.list()).toEqual([]);
    expect((await readdir(storeFolder())).toSorted()).toEqual(["partial", "selection.json"]);
  });

  it("work together where they share a group; of models with one name only the latest", async () => {
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
    await expect(remove(open().modelStore, "other")).rejects.toThrow(
      /shadow model[^]*shadow --none liveness$/,
    );
    expect(await open().modelStore.choiceOf("liveness")).toEqual({
      active: [first.sha256],
      shadow: [second.sha256],
    });
  });

  it("do not work together as detectors, where only the first would work", async () => {
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
    expect(await open().modelStore.choiceOf("face-detector")).toEqual({ active: [], shadow: [] });
    await choose(open(), "finder-10", "active");
  });

  it("do not work as an incomplete group, but by their own name", async () => {
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

  it("cannot work without a slot, with an incomplete manifest, or with a changed file", async () => {
    await add(smallNetwork, manifestOf(smallNetwork, { slot: "eye-state" }));
    await expect(choose(open(), "small", "active")).rejects.toThrow(/no use yet for the slot eye-state/);
    const { crop: _, ...input } = manifest.input;
    await add(smallNetwork, manifestOf(smallNetwork, { input }));
    await expect(choose(open(), "small", "active")).rejects.toThrow(/input.crop/);
    await add(smallNetwork, manifest);
    await writeFile(open().modelStore.fileOf(manifest.sha256), other);
    await expect(choose(open(), "small", "active")).rejects.toThrow(/has SHA-256/);
    await expect(choose(open(), "nobody", "active")).rejects.toThrow(/nobody is not installed/);
    const known = [otherManifest, manifestOf(other, { name: "eye", slot: "eye-state" })];
    await expect(choose(open(known), "other", "active")).rejects.toThrow(/known, not installed. First: idem/);
    await expect(choose(open(known), "eye", "active")).rejects.toThrow(/cannot be used: this release has no/);
    expect(await open().modelStore.choiceOf("liveness")).toEqual({ active: [], shadow: [] });
  });

  it("can be selected again after the selection was damaged", async () => {
    await add(smallNetwork, manifest);
    await writeFile(join(storeFolder(), "selection.json"), "[]");
    await expect(open().modelStore.choiceOf("liveness")).rejects.toThrow(/selection.json is damaged/);
    expect(await readFile(join(storeFolder(), "selection.json"), "utf8")).toBe("[]");
  });
});
