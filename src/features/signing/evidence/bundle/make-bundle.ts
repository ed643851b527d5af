import { createHash } from "node:crypto";
import { Failure } from "#contract/failure";
import type { BundleRequest, CollectedBundle } from "./bundle.ts";
import type { CollectBundle } from "./collect.ts";
import { attachmentNames, type BundleContent } from "./content.ts";
import { reasonText } from "./stated-hash.ts";
import { verifyFiles } from "./verify/verify-bundle.ts";
import type { LinkDeps } from "./verify/verify-links.ts";

/** A signed file in parts, one after the other, and the level of its signature. */
export type SignedBundle = { readonly parts: readonly Uint8Array[]; readonly level: string };

/**
 * Writes the report with its attachments and signs it, in a thread. Implemented in
 * `src/app/evidence-bundle.ts`.
 */
export type SignReport = (
  bundle: CollectedBundle,
  stated: { readonly reason: string; readonly at: Date },
) => Promise<SignedBundle>;

/** A bundle that is ready to be handed out. */
export type MadeBundle = SignedBundle & {
  readonly content: BundleContent;
  readonly bytes: number;
  /** SHA-256 (hex) of the file. */
  readonly sha256: string;
};

/** Fails as {@link CollectBundle} and as signing does. Made by {@link makeMakeBundle}. */
export type MakeBundle = (request: BundleRequest) => Promise<MadeBundle>;

export type MakeBundleDeps = LinkDeps & {
  readonly collect: CollectBundle;
  readonly sign: SignReport;
};

/** Collects, verifies what was collected as a receiver will, and signs. */
export const makeMakeBundle =
  ({ collect, sign, ...deps }: MakeBundleDeps): MakeBundle =>
  async (request) => {
    const collected = await collect(request);
    if (!request.anyway) await requireSound(deps, collected);
    const signed = await sign(collected, { reason: reasonOf(collected), at: request.at });
    const hash = createHash("sha256");
    signed.parts.forEach((part) => hash.update(part));
    return {
      ...signed,
      content: collected.content,
      bytes: signed.parts.reduce((sum, part) => sum + part.length, 0),
      sha256: hash.digest("hex"),
    };
  };

/** The store can change between the search and the copy: what a receiver would refuse is not handed out. */
const requireSound = async (deps: LinkDeps, { attachments }: CollectedBundle): Promise<void> => {
  const files = new Map(attachments.map(({ name, bytes }) => [name, bytes]));
  const { faults } = await verifyFiles(deps, files);
  if (faults.length > 0) {
    const named = faults.slice(0, 20).map(({ place, finding }) => `${place}: ${finding}`);
    throw new Failure("evidence_damaged", { count: faults.length, faults: named });
  }
};

const reasonOf = ({ content, attachments }: CollectedBundle): string => {
  const file = attachments.find(({ name }) => name === attachmentNames.content);
  const sha256 = createHash("sha256")
    .update(file?.bytes ?? new Uint8Array())
    .digest("hex");
  return reasonText(content.operation.id, sha256);
};
