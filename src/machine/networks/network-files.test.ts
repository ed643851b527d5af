import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeKeptFiles } from "./kept-files.ts";
import { ledger } from "./ledger.ts";
import { modelNames } from "./model.ts";
import { hashOf, readModelFiles } from "./model-files.ts";
import { readNetwork } from "./network-files.ts";
import { onnxBytes } from "./onnx-bytes.ts";

const converted = modelNames.filter((name) => ledger[name].form !== "onnx");

describe("the ONNX file of a converted network", () => {
  it.each(converted)("has the hash of the ledger: %s", async (name) => {
    const entry = ledger[name];
    expect(hashOf(onnxBytes(name, entry, await readModelFiles(entry)))).toBe(entry.converted);
  });

  it.each(converted)("is read with that hash, and kept: %s", async (name) => {
    const folder = await mkdtemp(join(tmpdir(), "idem-networks-"));
    try {
      const kept = makeKeptFiles(folder);
      expect(hashOf(await readNetwork(name, ledger[name], kept))).toBe(ledger[name].converted);
      expect(await readdir(folder)).toEqual([`${ledger[name].converted}.onnx`]);
      expect(hashOf(await readNetwork(name, ledger[name], kept))).toBe(ledger[name].converted);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("whose conversion gives another hash than the ledger's is refused with both hashes, and not kept", async () => {
    const folder = await mkdtemp(join(tmpdir(), "idem-networks-"));
    try {
      const shipped = ledger.blazeface;
      if (shipped.form === "onnx") throw new Error("blazeface needs no conversion");
      const { converted: found } = shipped;
      const entry = { ...shipped, converted: "0".repeat(64) };
      await expect(readNetwork("blazeface", entry, makeKeptFiles(folder))).rejects.toThrow(
        `The network blazeface has SHA-256 ${found} once converted, the ledger says ${entry.converted}: it is not loaded`,
      );
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

it("a network that needs no conversion has no second hash", () => {
  const others = modelNames.filter((name) => !converted.includes(name));
  expect(others.map((name) => ledger[name].converted)).toEqual(others.map(() => undefined));
});
