import { randomUUID } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import type { Blocked } from "./catalogue.ts";
import { completeManifest } from "./complete-manifest.ts";
import { type Examine, measureFile, refuseBlocked } from "./examine.ts";
import { type FetchDeps, fetchModel } from "./fetch-model.ts";
import type { Manifest } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";
import type { Installed, Shelf } from "./shelf.ts";

export type AcquireDeps = {
  readonly catalogue: readonly Manifest[];
  readonly blocked: readonly Blocked[];
  /** Names of the bundled networks, which no added model bears. */
  readonly bundled: readonly string[];
  readonly shelf: Shelf;
  readonly examine: Examine;
  readonly clock: () => Date;
};

/** A file that was brought, with the manifest that holds for it; `isKnown`: the catalogue, or the shelf, has this very file. */
export type Brought = { readonly manifest: Manifest; readonly isKnown: boolean };

export type Acquire = {
  /** What a file is, before anything of it is taken. Throws ModelRefused where nothing can be said, or it must not be taken. */
  readonly identify: (path: string, document: unknown) => Promise<Brought>;
  /** Takes a copy of a file in. Throws ModelRefused where it is not as its manifest says; nothing changed then. */
  readonly add: (path: string, manifest: Manifest) => Promise<Installed>;
  /** Downloads a model and takes it in. `urls` may name another place than the manifest; the hash stays. */
  readonly fetch: (manifest: Manifest, urls: readonly string[], deps: FetchDeps) => Promise<Installed>;
};

/** The two ways in. The caller has shown licence and caution, and they were accepted. */
export const makeAcquire = (deps: AcquireDeps): Acquire => {
  const { shelf, examine } = deps;
  const take = async (part: string, manifest: Manifest, source: Installed["source"]): Promise<Installed> => {
    const at = deps.clock().toISOString();
    const { licence, caution } = manifest;
    const accepted = { licence: licence.weights, caution, at };
    // The same file again repairs a model: it is no newer than it was, and what was measured of it stays true.
    const before = (await shelf.list()).find((one) => one.manifest.sha256 === manifest.sha256);
    const { addedAt = at, calibration } = before ?? {};
    const installed = { manifest, addedAt, source, accepted, ...(calibration && { calibration }) };
    await examine(part, manifest);
    await shelf.place(part, installed);
    return installed;
  };
  return {
    identify: async (path, document) => await identify(path, document, deps),
    add: async (path, manifest) => {
      await shelf.clearLeftovers(deps.clock());
      const part = `${await shelf.partOf(manifest.sha256)}.${randomUUID()}`;
      try {
        await copyFile(path, part);
        return await take(part, manifest, { kind: "file", from: basename(path) });
      } finally {
        await rm(part, { force: true });
      }
    },
    fetch: async (manifest, urls, fetching) => {
      refuseBlocked(manifest.sha256, deps.blocked);
      await shelf.clearLeftovers(deps.clock());
      const part = await shelf.partOf(manifest.sha256);
      const from = await fetchModel(manifest, urls, part, fetching);
      try {
        return await take(part, manifest, { kind: "url", from: withoutQuery(from) });
      } finally {
        await rm(part, { force: true });
      }
    },
  };
};

const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
};

/** The catalogue knows best what its own file is; a manifest that comes along describes only what it does not know. */
const identify = async (
  path: string,
  document: unknown,
  { catalogue, blocked, bundled, shelf }: AcquireDeps,
): Promise<Brought> => {
  const file = await measureFile(path);
  refuseBlocked(file.sha256, blocked);
  const known = catalogue.find(({ sha256 }) => sha256 === file.sha256);
  if (known !== undefined) return { manifest: known, isKnown: true };
  if (document === undefined) {
    // The very file of a model that is installed, perhaps to repair it.
    const installed = (await shelf.list()).find(({ manifest }) => manifest.sha256 === file.sha256);
    if (installed !== undefined) return { manifest: installed.manifest, isKnown: true };
    throw new ModelRefused(
      `The catalogue does not know a file with SHA-256 ${file.sha256}. If it should be one of the catalogue, it is cut or changed: this one has ${file.bytes} bytes. If it is another, describe it: --manifest FILE (docs/guides/models.md)`,
    );
  }
  const manifest = completeManifest(document, file, catalogue);
  refuseBundledName(manifest, bundled);
  return { manifest, isKnown: false };
};

/** Commands take a name or a group alike, and would mean the bundled network by it. */
const refuseBundledName = ({ name, group = name }: Manifest, bundled: readonly string[]): void => {
  const taken = [name, group].find((one) => bundled.includes(one));
  if (taken !== undefined) {
    throw new ModelRefused(
      `${taken} is the name of a bundled network. Give the manifest another name or group`,
    );
  }
};
