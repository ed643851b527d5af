import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ledger } from "./ledger.ts";
import { modelNames } from "./model.ts";
import { readModelFiles } from "./model-files.ts";
import { readNetwork } from "./network-files.ts";
import { onnxBytes } from "./onnx-bytes.ts";

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const converted = modelNames.filter((name) => ledger[name].form !== "onnx");

describe("the ONNX file of a converted network", () => {
  it.each(converted)("has the hash of the ledger: %s", async (name) => {
    const entry = ledger[name];
    expect(hashOf(onnxBytes(name, entry, await readModelFiles(entry)))).toBe(entry.converted);
  });

  it.each(converted)("is read with that hash: %s", async (name) => {
    expect(hashOf(await readNetwork(name, ledger[name]))).toBe(ledger[name].converted);
  });
});

it("a network that needs no conversion has no second hash", () => {
  const others = modelNames.filter((name) => !converted.includes(name));
  expect(others.map((name) => ledger[name].converted)).toEqual(others.map(() => undefined));
});
