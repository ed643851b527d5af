import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { ledger } from "./ledger.ts";
import { modelNames } from "./model.ts";
import { modelHash, readModelFiles } from "./model-files.ts";

describe("the ledger", () => {
  it.each(modelNames)("matches the installed files of %s", async (name) => {
    const files = await readModelFiles(ledger[name]);
    expect(files).toHaveLength(ledger[name].files.length);
    expect(modelHash(ledger[name])).toMatch(/^[0-9a-f]{64}$/);
  });

  it("names the installed version of each package", async () => {
    for (const { npm } of Object.values(ledger)) {
      if (npm === undefined) continue;
      const text = await readFile(
        new URL(`../../../node_modules/${npm.name}/package.json`, import.meta.url),
        "utf8",
      );
      expect(JSON.parse(text)).toMatchObject({ version: npm.version });
    }
  });

  it("refuses a file with another hash, and names the file and both hashes", async () => {
    const entry = { ...ledger.iris, files: [{ path: "models/iris.json", sha256: "0".repeat(64) }] };
    await expect(readModelFiles(entry)).rejects.toThrow(
      `The model file models/iris.json of @vladmandic/human@3.3.6 has SHA-256 ${ledger.iris.files[0]?.sha256}, the ledger says ${"0".repeat(64)}`,
    );
  });

  it("refuses a missing file", async () => {
    const entry = { ...ledger.iris, files: [{ path: "models/none.onnx", sha256: "0".repeat(64) }] };
    await expect(readModelFiles(entry)).rejects.toThrow(/none\.onnx/);
  });
});
