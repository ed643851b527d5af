import { randomUUID } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import type { Blocked } from "./catalogue.ts";
import { completeManifest } from "./complete-manifest.ts";
import { type Examine, measureFile, refuseBlocked } from "./examine.ts";
import { type FetchDeps, fetchModel } from "./fetch-model.ts";
import type { Manifest } from "./manifest.ts";
import type { Installed, ModelStore } from "./model-store.ts";
import { ModelRefused } from "./refusal.ts";

export type AcquireDeps = {
  readonly catalogue: readonly Manifest[];
  readonly blocked: readonly Blocked[];
  /** Names of the bundled networks; no added model may have one. */
  readonly bundled: readonly string[];
  readonly modelStore: ModelStore;
  readonly examine: Examine;
  readonly clock: () => Date;
};

/** An imported file and its manifest; `isKnown`: the catalogue or the model store has the same file. */
export type ImportedFile = { readonly manifest: Manifest; readonly isKnown: boolean };

export type Acquire = {
  /**
   * Identifies a file before any change. Throws ModelRefused where it cannot be identified or must not be
   * installed.
   */
  readonly identify: (path: string, document: unknown) => Promise<ImportedFile>;
  /**
   * Copies a file into the model store. Throws ModelRefused, without any change, where it does not match its
   * manifest.
   */
  readonly add: (path: string, manifest: Manifest) => Promise<Installed>;
  /** Downloads and installs a model. `urls` may name other addresses than the manifest; the hash stays. */
  readonly fetch: (manifest: Manifest, urls: readonly string[], deps: FetchDeps) => Promise<Installed>;
};

/**
 * Installs models from a file or by download. The caller has shown licence and caution and received
 * acceptance.
 */
export const makeAcquire = (deps: AcquireDeps): Acquire => {
  const { modelStore, examine } = deps;
  const take = async (part: string, manifest: Manifest, source: Installed["source"]): Promise<Installed> => {
    const at = deps.clock().toISOString();
    const { licence, caution } = manifest;
    const accepted = { licence: licence.weights, caution, at };
    // The same file repairs a model: its age and its calibration stay.
    const before = (await modelStore.list()).find((one) => one.manifest.sha256 === manifest.sha256);
    const { addedAt = at, calibration } = before ?? {};
    const installed = { manifest, addedAt, source, accepted, ...(calibration && { calibration }) };
    await examine(part, manifest);
    await modelStore.place(part, installed);
    return installed;
  };
  return {
    identify: async (path, document) => await identify(path, document, deps),
    add: async (path, manifest) => {
      await modelStore.clearStaleFiles(deps.clock());
      const part = `${await modelStore.partOf(manifest.sha256)}.${randomUUID()}`;
      try {
        await copyFile(path, part);
        return await take(part, manifest, { kind: "file", from: basename(path) });
      } finally {
        await rm(part, { force: true });
      }
    },
    fetch: async (manifest, urls, fetching) => {
      refuseBlocked(manifest.sha256, deps.blocked);
      await modelStore.clearStaleFiles(deps.clock());
      const part = await modelStore.partOf(manifest.sha256);
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

/**
 * The catalogue's manifest of its own files wins; the operator's manifest applies only to files that the
 * catalogue does not know.
 */
const identify = async (
  path: string,
  document: unknown,
  { catalogue, blocked, bundled, modelStore }: AcquireDeps,
): Promise<ImportedFile> => {
  const file = await measureFile(path);
  refuseBlocked(file.sha256, blocked);
  const known = catalogue.find(({ sha256 }) => sha256 === file.sha256);
  if (known !== undefined) return { manifest: known, isKnown: true };
  if (document === undefined) {
    // The same file as an installed model, perhaps to repair it.
    const installed = (await modelStore.list()).find(({ manifest }) => manifest.sha256 === file.sha256);
    if (installed !== undefined) return { manifest: installed.manifest, isKnown: true };
    throw new ModelRefused(
      `The catalogue does not know a file with SHA-256 ${file.sha256}. If it should be a file of the catalogue, it is cut or changed: this one has ${file.bytes} bytes. If it is another, describe it: --manifest FILE (docs/guides/extend/models.md)`,
    );
  }
  const manifest = completeManifest(document, file, catalogue);
  refuseBundledName(manifest, bundled);
  return { manifest, isKnown: false };
};

/** Commands accept a name or a group, and would mean the bundled network by it. */
const refuseBundledName = ({ name, group = name }: Manifest, bundled: readonly string[]): void => {
  const taken = [name, group].find((one) => bundled.includes(one));
  if (taken !== undefined) {
    throw new ModelRefused(
      `${taken} is the name of a bundled network. Give the manifest another name or group`,
    );
  }
};
