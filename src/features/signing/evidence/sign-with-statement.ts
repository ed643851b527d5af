import { createHash } from "node:crypto";
import type { SignerIdentity, SigningPorts } from "#trust/revocation/ports";
import type { Level } from "../pades/level.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import type { RepairPolicy } from "../pdf/repairs.ts";
import type { PdfFile } from "../pdf/types.ts";
import { refuseBroken } from "../verify/refuse-broken.ts";
import { signProven } from "../verify/sign-proven.ts";
import type { SignedDocument } from "./sign-document.ts";
import { type SigningInstruction, signingRevision } from "./signing-revision.ts";
import type { SignedInput } from "./statement.ts";

/** With what the deployment signs. */
export type SigningTerms = {
  readonly signer: SignerIdentity;
  readonly level: Level;
  /** Trusted roots and known issuers in DER. */
  readonly known: readonly Uint8Array[];
  /** Largest file in bytes. */
  readonly bytesMax: number;
  /** What becomes of a file that is readable only after a repair. */
  readonly repair: RepairPolicy;
};

/** The hashes of the file: as sent, and as repaired where bytes of it were replaced or cut off. */
const hashFile = (sent: Uint8Array, { original, repaired, hashOriginal }: PdfFile): SignedInput => {
  const kept = { sha256: hashOriginal("sha256").digest("hex"), bytes: original.length };
  if (!repaired && original.length === sent.length) return { sent: kept };
  const sha256 = createHash("sha256").update(sent).digest("hex");
  return { sent: { sha256, bytes: sent.length }, repaired: kept };
};

/**
 * Signs a document with the statement of its authentication. `font` (TrueType) draws the lines of a visible
 * signature. Fails as {@link openPdf}, {@link refuseBroken} and {@link signProven}.
 */
export const signWithStatement = async (
  sent: Uint8Array,
  instruction: SigningInstruction,
  { signer, level, known, bytesMax, repair }: SigningTerms,
  font: Uint8Array,
  ports: SigningPorts,
): Promise<SignedDocument> => {
  const file = await openPdf(sent, { limits: { bytesMax }, requiresContents: true, repair });
  if (file.fields().some(({ isSigned }) => isSigned))
    await refuseBroken(file.original, new Date(instruction.facts.at));
  const document = hashFile(sent, file);
  const { revision, statementSha256 } = signingRevision(
    instruction,
    { pageCount: file.pageCount, ...document },
    font,
  );
  const request = { signer, level, revision, known };
  const { parts, fieldName, provableUntil } = await signProven(file, request, ports);
  const whole = file.hashOriginal("sha256");
  for (const part of parts.slice(1)) whole.update(part);
  const sha256 = whole.digest("hex");
  return {
    parts,
    level,
    signer: signer.name,
    fieldName,
    document,
    statementSha256,
    sha256,
    ...(provableUntil && { provableUntil }),
  };
};
