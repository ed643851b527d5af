import { createHash } from "node:crypto";
import { oids } from "#trust/asn1/oids";
import { makeSignedData } from "#trust/asn1/write-signed-data";
import type { SignerIdentity, SigningPorts } from "#trust/revocation/ports";
import { openPdf } from "../pdf/open-pdf.ts";
import { ContentsTooSmall, type PdfFile, type Reserved, type SignatureRevision } from "../pdf/types.ts";
import { type Level, reaches } from "./level.ts";
import { reserveFor, spareBytes } from "./reserve.ts";
import { tokenEnd } from "./token-end.ts";

/**
 * What the signature's revision holds beside the signature: reason, statement, appearance and attachments.
 */
export type Revision = Omit<SignatureRevision, "subFilter" | "reservedBytes">;

export type SignRequest = {
  readonly signer: SignerIdentity;
  readonly level: Level;
  readonly revision: Revision;
  /** Trusted roots and known issuers in DER, beside those of the signer's chain. */
  readonly known: readonly Uint8Array[];
};

type EndStep = (step: string) => void;

/** The file with the revision of the signature, and the padded Contents of that signature. */
export type Placed = {
  readonly file: PdfFile;
  readonly fieldName: string;
  readonly digest: Uint8Array;
  readonly contents: Uint8Array;
  /** The end of the certificate of the authority that stamped the signature. */
  readonly provableUntil: Date | undefined;
};

/**
 * The signature as CMS: signed attributes without signing-time (EN 319 142-1, 6.3: the time stands in the
 * dictionary), the whole chain, and the time-stamp over the signature's value (EN 319 122-1, 5.3) where the
 * level asks for one.
 */
const makeSignature = async (
  digest: Uint8Array,
  { signer, level }: SignRequest,
  ports: SigningPorts,
  endStep: EndStep,
) => {
  const signed = await makeSignedData({
    signer: { ...signer, sign: ports.sign },
    digest,
    contentType: oids.data,
  });
  endStep("sign");
  if (!reaches(level, "B-T")) return { cms: signed.encode([]), provableUntil: undefined };
  const imprint = createHash(signer.hash).update(signed.signature).digest();
  const token = await ports.stamp(signer.hash, imprint);
  endStep("stamp");
  return {
    cms: signed.encode([{ type: oids.timestampToken, value: token }]),
    provableUntil: tokenEnd(token),
  };
};

const placeIn = async (
  file: PdfFile,
  request: SignRequest,
  ports: SigningPorts,
  endStep: EndStep,
  reservedBytes: number,
): Promise<Placed> => {
  const reserved: Reserved = file.appendSignature({
    ...request.revision,
    subFilter: "ETSI.CAdES.detached",
    reservedBytes,
  });
  endStep("write");
  const digest = reserved.digest(request.signer.hash);
  endStep("hash");
  const { cms, provableUntil } = await makeSignature(digest, request, ports, endStep);
  return { file, fieldName: reserved.fieldName, digest, contents: reserved.place(cms), provableUntil };
};

/**
 * Appends the revision of the signature. Where the signature needs more room than its certificates foretell,
 * such as for a long token, it is made once more in a file opened anew.
 */
export const placeSignature = async (
  file: PdfFile,
  request: SignRequest,
  ports: SigningPorts,
  endStep: EndStep,
): Promise<Placed> => {
  try {
    return await placeIn(file, request, ports, endStep, reserveFor(request.signer, request.level));
  } catch (error) {
    if (!(error instanceof ContentsTooSmall)) throw error;
    const again = await openPdf(file.original);
    return await placeIn(again, request, ports, endStep, error.neededBytes + spareBytes);
  }
};
