/**
 * Composition of `idem evidence export --operation`: a store that is read alone, beside a running service,
 * and the signer.
 */

import { X509Certificate } from "node:crypto";
import type { MakeBundle, SignReport } from "#features/signing/evidence/bundle/make-bundle";
import { writeReport } from "#features/signing/evidence/bundle/report/write-report";
import { signWhole } from "#features/signing/verify/sign-proven";
import { ConfigError } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeKeepPixels } from "#machine/imaging/strip/keep-pixels";
import { headFileOf, readRootFile } from "./evidence.ts";
import { type BundleParts, openMakeBundle } from "./evidence-bundle.ts";
import { openSigningSources, type SigningSources } from "./signing.ts";
import { openStorageToRead, type ReadStorage, type ReadyConfig } from "./storage.ts";

export type BundleMaker = Pick<ReadStorage, "store" | "close"> & { readonly make: MakeBundle };

/** Signs in this thread: a command has no other caller who waits. */
const signHere =
  ({ terms: { signer, level, known }, ports }: SigningSources): SignReport =>
  async ({ content, attachments }, { reason, at }) => {
    const report = await writeReport(content, attachments);
    const revision = { at, reason, certify: 1 } as const;
    return await signWhole(report, { signer, level, known, revision }, ports);
  };

/** In this thread as well. */
const keepPixelsHere = ({ images }: Pick<ReadyConfig, "images">): BundleParts["keepPixels"] => {
  const keep = makeKeepPixels(makeImaging({ limits: { ...defaultImagingLimits, ...images } }));
  return (bytes) => keep({ bytes });
};

const clock = (): Date => new Date();

const openRead = async (config: ReadyConfig): Promise<ReadStorage> => {
  const storage = await openStorageToRead(config);
  if (storage !== undefined) return storage;
  throw new ConfigError([`Nothing is stored in ${config.dataDirectory} yet: is IDEM_DATA right?`]);
};

const openSources = async (
  config: ReadyConfig,
  { store }: Pick<ReadStorage, "store">,
): Promise<SigningSources> => {
  const sources = await openSigningSources({
    config,
    egress: makeEgress(config.egress),
    store,
    clock,
    note: () => undefined,
  });
  if (sources !== undefined) return sources;
  throw new ConfigError(["IDEM_SIGNER is none: a bundle needs a signer."]);
};

/**
 * The roots to which signer and time-stamps of this deployment lead, in PEM. Fails as
 * {@link openBundleMaker}.
 */
export const readBundleRoots = async (config: ReadyConfig): Promise<readonly string[]> => {
  const storage = await openRead(config);
  try {
    const { terms } = await openSources(config, storage);
    // Without a configured root the last issuer of the signer ends its chain.
    const last = terms.signer.chain.at(-1);
    const roots = [...terms.known, ...(last === undefined ? [] : [last])].map((der) =>
      new X509Certificate(der).toString(),
    );
    return [...new Set(roots)];
  } finally {
    await storage.close();
  }
};

/** Throws ConfigError where nothing is stored, or where the configuration names no signer. */
export const openBundleMaker = async (config: ReadyConfig): Promise<BundleMaker> => {
  const storage = await openRead(config);
  try {
    const { store } = storage;
    const sources = await openSources(config, storage);
    const roots = config.timestamps && (await readRootFile(config.timestamps.caFile));
    const make = openMakeBundle(
      { ...storage, keepPixels: keepPixelsHere(config), headFile: headFileOf(config), roots },
      signHere(sources),
    );
    return { store, make, close: storage.close };
  } catch (error) {
    await storage.close();
    throw error;
  }
};
