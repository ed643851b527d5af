/**
 * Composition of evidence bundles: what collects one from the store, and what verifies one without a store.
 */
import { randomUUID } from "node:crypto";
import { Failure } from "#contract/failure";
import { version } from "#contract/version";
import type { ImageFile } from "#features/signing/evidence/bundle/bundle";
import { type CollectBundle, makeCollectBundle } from "#features/signing/evidence/bundle/collect";
import { makeExportBundle } from "#features/signing/evidence/bundle/export-bundle";
import {
  type MakeBundle,
  makeMakeBundle,
  type SignReport,
} from "#features/signing/evidence/bundle/make-bundle";
import type { LinkDeps } from "#features/signing/evidence/bundle/verify/verify-links";
import { exportEvidenceEndpoint } from "#features/signing/http/evidence.endpoint";
import { formatOf } from "#machine/imaging/file-format";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import { makeOpenTimeline, type OpenTimelineDeps } from "#record/operations/open-timeline";
import type { AssetCommands } from "#record/operations/store/asset-store";
import { readLine, writeLine } from "#record/transactions/evidence-file";
import { readHeads } from "#record/transactions/head-file";
import { anchorsAfter, knownHeadOf, linksAfter } from "#record/transactions/read-chain";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import { verifyEvidence } from "#record/transactions/verify-evidence";
import type { Roots } from "#trust/timestamps/trust";
import { verifyToken } from "#trust/timestamps/verify-token";
import type { Engine } from "./engine.ts";
import { headFileOf } from "./evidence.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { shownImages } from "./shown-images.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

/** The commands that a bundle reads; records come with their measurements opened. */
export type BundleStore = OpenTimelineDeps["store"] &
  Pick<EvidenceCommands, "listLinks" | "listAnchors"> &
  Pick<TransactionCommands, "findTransaction"> &
  Pick<AssetCommands, "findAsset">;

export type BundleParts = {
  readonly store: BundleStore;
  readonly keyring: Pick<Keyring, "open">;
  readonly blobs: Pick<Blobs, "get">;
  readonly keepPixels: Engine["keepPixels"];
  /** The file of heads, which need not exist. */
  readonly headFile: string;
  /** Roots of the authority of the anchors; without them anybody could have signed a time-stamp. */
  readonly roots: Roots | undefined;
};

/** Collects bundles from a store. */
export const openBundleCollector = (parts: BundleParts): CollectBundle => {
  const images = { store: parts.store, blobs: shownImages(parts.blobs, parts) };
  return makeCollectBundle({
    store: parts.store,
    linksAfter: (tenantId, seq) => linksAfter(parts.store, tenantId, seq),
    anchorsAfter: (tenantId, seq) => anchorsAfter(parts.store, tenantId, seq),
    openTimeline: makeOpenTimeline(parts),
    readImage: (tenantId, id) => readImage(images, tenantId, id),
    listHeads: async (tenantId) => await readHeadsOf(parts.headFile, tenantId),
    ...linkDepsOf(parts.roots),
    writeLine,
    release: version,
  });
};

/** What the verification of the links of a bundle needs. */
export const linkDepsOf = (roots: Roots | undefined): LinkDeps => ({
  readLine,
  verifyChain: verifyEvidence,
  judgeToken: (token, hash) => verifyToken(token, hash, roots),
});

/** What bundles need of the service. */
export type BundleServiceParts = Pick<Parts, "recordCall"> & {
  readonly engine: Pick<Engine, "keepPixels">;
  readonly storage: Pick<Storage, "store" | "keyring" | "blobs">;
  readonly config: Pick<ReadyConfig, "dataDirectory">;
};

/** Opens the export of bundles. `roots` are those of the anchors' authority. */
export const openBundles = (
  { storage, engine, config, recordCall }: BundleServiceParts,
  roots: Roots | undefined,
  sign: SignReport,
): Module => {
  const { store } = storage;
  const make = openMakeBundle(
    { ...storage, keepPixels: engine.keepPixels, headFile: headFileOf(config), roots },
    sign,
  );
  const findTenantName = async (id: string): Promise<string> =>
    (await store.listTenants()).find((tenant) => tenant.id === id)?.name ?? id;
  const exportBundle = makeExportBundle({ make, findTenantName, recordCall, newId: randomUUID });
  return { name: "evidence-bundle", endpoints: [exportEvidenceEndpoint(exportBundle)] };
};

/** Without a signer there is no bundle. */
export const refuseBundle: SignReport = async () => {
  throw new Failure("signer_unusable", { reason: "IDEM_SIGNER is none" });
};

/** Makes bundles from a store. */
export const openMakeBundle = (parts: BundleParts, sign: SignReport): MakeBundle =>
  makeMakeBundle({ ...linkDepsOf(parts.roots), collect: openBundleCollector(parts), sign });

const readHeadsOf = async (path: string, tenantId: string) => {
  const heads = [];
  for await (const line of readHeads(path)) {
    if (line.tenantId === tenantId) heads.push(knownHeadOf(line, "the kept head"));
  }
  return heads;
};

const readImage = async (
  { store, blobs }: Pick<BundleParts, "store" | "blobs">,
  tenantId: string,
  id: string,
): Promise<ImageFile | undefined> => {
  const asset = await store.findAsset(id);
  if (asset?.tenantId !== tenantId || asset.isForged === true) return undefined;
  try {
    const bytes = await blobs.get(tenantId, asset.blobId);
    return { bytes, mediaType: `image/${formatOf(bytes)}` as const };
  } catch (error) {
    if (error instanceof Failure && (error.code === "not_found" || error.code === "stored_damaged"))
      return undefined;
    throw error;
  }
};
