import { describe, expect, it } from "vitest";
import { readBlocked, readCatalogue } from "./catalogue.ts";
import { findInCatalogue } from "./choose.ts";
import { trialDims } from "./judge-fit.ts";
import { findProblems, isManifest } from "./manifest.ts";
import { findUnserved, livenessSpecOf } from "./serve-slot.ts";

const catalogue = readCatalogue();
const blocked = readBlocked();

describe("the catalogue", () => {
  it("lists every file once, by its hash, and no blocked file", () => {
    const hashes = [...catalogue, ...blocked].map(({ sha256 }) => sha256);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length);
  });

  it("lists only liveness models that this release serves", () => {
    const models = catalogue.filter(({ slot }) => slot === "liveness");
    expect(models.map(findUnserved)).toEqual(models.map(() => undefined));
    expect(models.map((model) => livenessSpecOf(model).side)).toContain(80);
  });

  it.each(["text-detector", "text-recogniser", "document-corners"])(
    "lists only models for %s that this release serves",
    (wanted) => {
      const models = catalogue.filter(({ slot }) => slot === wanted);
      expect(models.length).toBeGreaterThan(0);
      expect(models.map(findUnserved)).toEqual(models.map(() => undefined));
    },
  );

  it("finds a model by name, a group, and the beginning of a hash", () => {
    expect(findInCatalogue(catalogue, "minifasnet").map(({ name }) => name)).toEqual([
      "minifasnet-v2",
      "minifasnet-v1se",
    ]);
    expect(findInCatalogue(catalogue, "104ee26c").map(({ name }) => name)).toEqual(["yunet-n-dynamic"]);
    expect(() => findInCatalogue(catalogue, "104ee26")).toThrow(/knows no 104ee26/);
  });

  it("uses 320 pixels for free sides in a trial", () => {
    expect(trialDims(findInCatalogue(catalogue, "yunet-n-dynamic")[0]!)).toEqual([1, 3, 320, 320]);
    expect(trialDims(findInCatalogue(catalogue, "ppocr-v5-rec-latin")[0]!)).toEqual([1, 3, 48, 320]);
  });
});

describe("a manifest", () => {
  const [entry] = catalogue;
  it.each([
    ["another field", { ...entry, more: 1 }, "/"],
    ["a cut hash", { ...entry, sha256: entry!.sha256.slice(0, 12) }, "/sha256"],
    ["an address that is not https", { ...entry, urls: ["http://example.com/a.onnx"] }, "/urls/0"],
    ["no caution", { ...entry, caution: "" }, "/caution"],
    ["a name that is a path", { ...entry, name: "../a" }, "/name"],
  ])("is invalid with %s, and the problem names the place", (_what, value, place) => {
    expect(isManifest(value)).toBe(false);
    expect(findProblems(value).some((problem) => problem.startsWith(place))).toBe(true);
  });
});
