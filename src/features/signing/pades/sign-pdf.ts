import { gatherValidation } from "#trust/revocation/gather-validation";
import type { SigningPorts } from "#trust/revocation/ports";
import type { PdfFile } from "../pdf/types.ts";
import { archive } from "./archive.ts";
import { checkSigner } from "./check-signer.ts";
import { type Level, reaches } from "./level.ts";
import { placeSignature, type SignRequest } from "./place-signature.ts";
import { makeStepTimes, type Timings } from "./step-times.ts";

/**
 * A signed file. It is the parts one after the other: the bytes that stay, and each revision. Never joined in
 * memory.
 */
export type SignedPdf = {
  readonly parts: readonly Uint8Array[];
  readonly level: Level;
  readonly fieldName: string;
  /** What the signature covers (hex), by the signer's hash function: the whole file but its Contents. */
  readonly digest: string;
  /** Until when the last time-stamp proves by itself; absent without one. Extend the file before. */
  readonly provableUntil?: Date;
  readonly timings: Timings;
};

/**
 * Signs a file as PAdES baseline (ETSI EN 319 142-1) of the wanted level, all or nothing. Fails with
 * timestamp_failed where no authority stamps, with signer_unusable where the signer is expired or revoked,
 * and as the writer of the revision.
 */
export const signPdf = async (
  file: PdfFile,
  request: SignRequest,
  ports: SigningPorts,
): Promise<SignedPdf> => {
  const { endStep, timings } = makeStepTimes();
  const { level, signer, known } = request;
  const now = request.revision.at;
  const needsMaterial = reaches(level, "B-LT");
  if (!needsMaterial) {
    await checkSigner({ signer, known, now, fetch: ports.fetch });
    endStep("check");
  }
  const placed = await placeSignature(file, request, ports, endStep);
  const done = (
    parts: readonly Uint8Array[],
    provableUntil: Date | undefined = placed.provableUntil,
  ): SignedPdf => ({
    parts,
    level,
    fieldName: placed.fieldName,
    digest: Buffer.from(placed.digest).toString("hex"),
    ...(provableUntil && { provableUntil }),
    timings,
  });
  const { original } = placed.file;
  if (!needsMaterial) return done([original, ...placed.file.revisions()]);
  // Asked after the stamp: OCSP answers are newer than the proven time of the signature (EN 319 102-1, 5.5).
  // A CRL is the last one that its authority issued, at most an hour in the cache (fetch-validation.ts).
  const material = await gatherValidation({
    contents: placed.contents,
    known: [...signer.chain, ...known],
    fetch: ports.fetch,
    now,
  });
  endStep("validation");
  if (level === "B-LT") {
    placed.file.appendValidation(material);
    return done([original, ...placed.file.revisions()]);
  }
  const { parts, provableUntil } = await archive(
    placed.file,
    material,
    { hash: signer.hash, known, now },
    ports,
  );
  endStep("archive");
  return done(parts, provableUntil);
};
