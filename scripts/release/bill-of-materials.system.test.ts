import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ledger } from "#machine/networks/ledger";
import { writeBillOfMaterials } from "./bill-of-materials.ts";
import { productionPackages } from "./licences.ts";

type Component = {
  readonly "bom-ref": string;
  readonly name: string;
  readonly version?: string;
  readonly hashes?: unknown;
  readonly components?: readonly Component[];
};

const modelNames = [...Object.keys(ledger), "face-cohort", "eyewear-probe"];

describe("the bill of materials", () => {
  it("is the same for the same source, and names every package and model", async () => {
    const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));
    const packages = productionPackages(lock);
    const write = () => writeBillOfMaterials("idem", packages);
    const [first, second] = await Promise.all([write(), write()]);
    expect(first).toBe(second);
    const bom = JSON.parse(first);
    const components: readonly Component[] = bom.components;
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "idem" } } });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);

    const known = [...packages.map(({ name, version }) => `${name}@${version}`), ...modelNames];
    const named = components.map((one) =>
      one["bom-ref"].startsWith("model:") ? one.name : `${one.name}@${one.version}`,
    );
    expect(new Set(named)).toEqual(new Set(known));

    for (const [name, { files }] of Object.entries(ledger)) {
      const parts = components.find((one) => one.name === name)?.components ?? [];
      expect(parts.map(({ hashes }) => hashes)).toEqual(
        files.map(({ sha256 }) => [{ alg: "SHA-256", content: sha256 }]),
      );
    }
  });
});
