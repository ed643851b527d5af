import { Failure } from "#contract/failure";
import { gatherValidation } from "#trust/revocation/gather-validation";
import type { HashName, SigningPorts, ValidationMaterial } from "#trust/revocation/ports";
import { openPdf } from "../pdf/open-pdf.ts";
import { ContentsTooSmall, type PdfFile, type Reserved } from "../pdf/types.ts";
import { addMaterial } from "./material.ts";
import { spareBytes, tokenBytes } from "./reserve.ts";
import { stamperOf, tokenEnd } from "./token-end.ts";

export type ArchiveRequest = {
  readonly hash: HashName;
  readonly known: readonly Uint8Array[];
  readonly now: Date;
};

/** The parts of the whole file, and the end of the certificate of the authority that stamped last. */
export type Archived = { readonly parts: readonly Uint8Array[]; readonly provableUntil: Date | undefined };

type Attempt = {
  readonly file: PdfFile;
  readonly material: ValidationMaterial;
  readonly reservedBytes: number;
};

const attemptsMax = 4;

/** Whether the material has the certificate of the authority that made the token. */
const coversStamper = ({ certificates }: ValidationMaterial, token: Uint8Array): boolean => {
  const stamper = stamperOf(token);
  return stamper !== undefined && certificates.some((one) => Buffer.compare(one, stamper.bytes) === 0);
};

/** The bytes that the reserved room lacks; 0 where the token fits. */
const placeToken = (reserved: Reserved, token: Uint8Array): number => {
  try {
    reserved.place(token);
    return 0;
  } catch (error) {
    if (error instanceof ContentsTooSmall) return error.neededBytes;
    throw error;
  }
};

/**
 * Appends the validation material and a document time-stamp over it, in one revision (EN 319 142-1, 5.4 and
 * 5.5). Returns the parts of the whole file.
 *
 * The material must hold the certificate and the status of the authority that stamps, because only what is
 * under the stamp is proven later. Where another authority of the list answered than the one in the material,
 * its token shows which one it is: the material is completed, and the revision is made anew.
 */
export const archive = async (
  file: PdfFile,
  material: ValidationMaterial,
  { hash, known, now }: ArchiveRequest,
  { stamp, fetch }: Pick<SigningPorts, "stamp" | "fetch">,
): Promise<Archived> => {
  const before = [file.original, ...file.revisions()];
  const reopen = (): Promise<PdfFile> => {
    const whole = before.length === 1 ? file.original : Buffer.concat(before);
    return openPdf(whole, { limits: { bytesMax: whole.length } });
  };
  let attempt: Attempt = { file, material, reservedBytes: tokenBytes };
  for (let count = 1; count <= attemptsMax; count++) {
    const reserved = attempt.file.appendTimestamp({
      validation: attempt.material,
      reservedBytes: attempt.reservedBytes,
    });
    const token = await stamp(hash, reserved.digest(hash));
    if (!coversStamper(attempt.material, token)) {
      const more = await gatherValidation({ contents: token, known, fetch, now });
      attempt = { ...attempt, file: await reopen(), material: addMaterial(attempt.material, more) };
      continue;
    }
    const neededBytes = placeToken(reserved, token);
    if (neededBytes === 0) {
      const parts = [...before, ...attempt.file.revisions().slice(-1)];
      return { parts, provableUntil: tokenEnd(token) };
    }
    attempt = { ...attempt, file: await reopen(), reservedBytes: neededBytes + spareBytes };
  }
  throw new Failure("timestamp_failed", { reason: "the authorities alternate" });
};
