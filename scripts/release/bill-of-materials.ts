import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { cohortEntry, eyewearEntry, type LedgerEntry, ledger } from "#machine/networks/ledger";
import { isObject, type JsonObject, memberOf, textsOf } from "../contract/json.ts";
import type { LockedPackage } from "./licences.ts";

const run = promisify(execFile);

const root = new URL("../..", import.meta.url);

/**
 * npm's own list of the packages in the lock file, as CycloneDX. It needs no network and no installed
 * packages. Its option `--omit=dev` would also leave out packages that the product shares with tools, such as
 * yaml (npm 11.19).
 */
const listPackages = async (): Promise<JsonObject> => {
  const { stdout } = await run("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"], {
    cwd: root,
    maxBuffer: 64 * 1024 ** 2,
  });
  const bom: unknown = JSON.parse(stdout);
  if (!isObject(bom)) throw new Error("npm sbom wrote no object");
  return bom;
};

type Weights = Pick<LedgerEntry, "files" | "licence" | "origin"> & Partial<Pick<LedgerEntry, "npm" | "slot">>;

/** The weights of a network, as a component with its files. */
const modelComponent = (name: string, { files, licence, origin, npm, slot }: Weights): JsonObject => ({
  "bom-ref": `model:${name}`,
  type: "machine-learning-model",
  name,
  author: origin,
  ...(slot !== undefined && { description: slot }),
  licenses: [{ license: { name: licence } }],
  ...(npm !== undefined && {
    version: npm.version,
    purl: `pkg:npm/${encodeURIComponent(npm.name).replace("%2F", "/")}@${npm.version}`,
  }),
  components: files.map(({ path, sha256 }) => ({
    "bom-ref": `model:${name}:${path}`,
    type: "file",
    name: path,
    hashes: [{ alg: "SHA-256", content: sha256 }],
  })),
});

const models: readonly JsonObject[] = [
  ...Object.entries(ledger).map(([name, entry]) => modelComponent(name, entry)),
  modelComponent("face-cohort", cohortEntry),
  modelComponent("eyewear-probe", eyewearEntry),
];

/** A UUID from the content, in place of npm's random one (RFC 9562, version 8). */
const serialOf = (content: string): string => {
  const hex = createHash("sha256").update(content).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The entries of the packages that a release has, without those of tools, and their references. */
const withoutTools = (bom: JsonObject, packages: readonly LockedPackage[]) => {
  const shipped = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = objectsIn(bom["components"]).filter(({ name, version }) =>
    shipped.has([name, version].join("@")),
  );
  const own = memberOf(bom, "metadata", "component", "bom-ref");
  const kept = new Set([own, ...components.map((one) => one["bom-ref"])]);
  const dependencies = objectsIn(bom["dependencies"])
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: textsOf(dependsOn).filter((one) => kept.has(one)) }));
  return { components, dependencies };
};

/**
 * The software bill of materials in CycloneDX 1.5: every given package and every network. The same bytes for
 * the same source: without npm's time, random number and folder name. Throws where npm fails.
 */
export const writeBillOfMaterials = async (
  name: string,
  packages: readonly LockedPackage[],
): Promise<string> => {
  const listed = await listPackages();
  const { serialNumber: _random, metadata, components: _all, dependencies: _tools, ...bom } = listed;
  const { components, dependencies } = withoutTools(listed, packages);
  const { timestamp: _time, component, ...rest } = Object(metadata);
  const whole = {
    ...bom,
    metadata: { ...rest, component: { ...component, name } },
    components: [...components, ...models],
    dependencies,
  };
  const serialNumber = serialOf(JSON.stringify(whole));
  return `${JSON.stringify({ ...whole, serialNumber }, null, 2)}\n`;
};
