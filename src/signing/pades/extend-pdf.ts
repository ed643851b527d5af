import { randomBytes } from "node:crypto";
import { Failure } from "#contract/failure";
import type { PdfFile } from "../pdf/types.ts";
import type { SigningPorts, ValidationMaterial } from "../ports.ts";
import { gatherValidation } from "../revocation/gather-validation.ts";
import { type Archived, type ArchiveRequest, archive } from "./archive.ts";
import { addMaterial, joinMaterial } from "./material.ts";

/** A signature of the file for which no complete validation material can be had now. */
export type Gap = { readonly fieldName: string; readonly reason: string };

export type ExtendedPdf = Archived & {
  /** Signatures and time-stamps that are under the new time-stamp, but without fresh material of their own. */
  readonly gaps: readonly Gap[];
};

type Gathered = { readonly material: readonly ValidationMaterial[]; readonly gaps: readonly Gap[] };

const hashBytes = { sha256: 32, sha384: 48, sha512: 64 } as const;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Failure)) throw error;
  const { reason } = error.facts;
  return typeof reason === "string" ? reason : error.message;
};

/** Fresh material of every signature and time-stamp of the file. The file may hold signatures of anyone. */
const gatherAll = async (file: PdfFile, { known, now }: ArchiveRequest, ports: Ports): Promise<Gathered> => {
  const material: ValidationMaterial[] = [];
  const gaps: Gap[] = [];
  for (const { name, signature } of file.fields()) {
    if (signature === undefined) continue;
    const { contents } = signature;
    try {
      material.push(
        await gatherValidation({ contents, known, fetch: ports.fetch, now, acceptsUnusableSigner: true }),
      );
    } catch (error) {
      gaps.push({ fieldName: name, reason: reasonOf(error) });
    }
  }
  return { material, gaps };
};

type Ports = Pick<SigningPorts, "stamp" | "fetch">;

/**
 * Adds fresh validation material for every signature and time-stamp of a signed file, and a document time-stamp over all of it
 * (EN 319 142-1, 5.5). Repeated before the last time-stamp's certificate ends, it keeps a signature provable. Signatures need
 * not be valid any more: expired certificates are the reason to extend. Fails with timestamp_failed, and with pdf_unreadable for
 * a file without a signature.
 */
export const extendPdf = async (
  file: PdfFile,
  request: ArchiveRequest,
  ports: Ports,
): Promise<ExtendedPdf> => {
  const { material, gaps } = await gatherAll(file, request, ports);
  if (material.length + gaps.length === 0) {
    throw new Failure("pdf_unreadable", { reason: "the file holds no signature to extend" });
  }
  // A stamp that is not kept shows which authority answers: its own material belongs under its stamp.
  const shown = await ports.stamp(request.hash, randomBytes(hashBytes[request.hash]));
  const { known, now } = request;
  const authority = await gatherValidation({ contents: shown, known, fetch: ports.fetch, now });
  const archived = await archive(file, addMaterial(joinMaterial(material), authority), request, ports);
  return { ...archived, gaps };
};
