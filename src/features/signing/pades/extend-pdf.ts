import { randomBytes } from "node:crypto";
import { Failure } from "#contract/failure";
import { DerError } from "#trust/asn1/der";
import { hashBytes } from "#trust/asn1/oids";
import { withBudget, withEnd, withMemory } from "#trust/revocation/bound-fetch";
import { gatherValidation } from "#trust/revocation/gather-validation";
import type { SigningPorts, ValidationMaterial } from "#trust/revocation/ports";
import type { PdfFile } from "../pdf/types.ts";
import { type Archived, type ArchiveRequest, archive } from "./archive.ts";
import { judgeReach, type Reach, type ReachRequest } from "./judge-reach.ts";
import { addMaterial, joinMaterial } from "./material.ts";

/** A signature of the file for which no complete validation material can be had now. */
export type Gap = {
  readonly fieldName: string;
  readonly reason: string;
  /** Whether a later extension may have it: a server did not answer, and no certificate has expired. */
  readonly mayClose: boolean;
};

export type ExtendedPdf = Archived & {
  /**
   * Signatures and time-stamps that are under the new time-stamp, but without fresh material of their own.
   */
  readonly gaps: readonly Gap[];
};

type Gathered = { readonly material: readonly ValidationMaterial[]; readonly gaps: readonly Gap[] };

/**
 * Time for the questions about one signature, and about all: a task ends after 60 s, and stamps afterwards.
 */
const [fieldMsMax, allMsMax] = [10_000, 30_000];

/** Questions about all signatures of a file: an ordinary one with its time-stamps asks some ten. */
const asksMax = 300;

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Failure)) throw error;
  const { reason } = error.facts;
  return typeof reason === "string" ? reason : error.message;
};

const tryReach = async (request: ReachRequest): Promise<Reach | "unreadable"> => {
  try {
    return await judgeReach(request);
  } catch (error) {
    if (error instanceof DerError) return "unreadable";
    throw error;
  }
};

const unasked = {
  foreign: "its certificate leads to no known root",
  unreadable: "the signature cannot be read",
} as const;

/**
 * Fresh material of every signature and time-stamp of the file. The file may hold signatures of anyone:
 * servers are asked only about chains that lead to a known certificate, in a bounded time.
 */
const gatherAll = async (file: PdfFile, { known, now }: ArchiveRequest, ports: Ports): Promise<Gathered> => {
  const material: ValidationMaterial[] = [];
  const gaps: Gap[] = [];
  const held = file.validation().certificates;
  const all = withEnd(withBudget(withMemory(ports.fetch), asksMax), allMsMax);
  const gatherField = async (fieldName: string, contents: Uint8Array): Promise<void> => {
    const reach = await tryReach({ contents, known, held, now: now.getTime() });
    if (reach === "foreign" || reach === "unreadable") {
      gaps.push({ fieldName, reason: unasked[reach], mayClose: false });
      return;
    }
    const { bounded: fetch, clear } = withEnd(all.bounded, fieldMsMax);
    const request = { contents, known: [...known, ...held], fetch, now, acceptsUnusableSigner: true };
    try {
      material.push(await gatherValidation(request));
    } catch (error) {
      gaps.push({ fieldName, reason: reasonOf(error), mayClose: reach === "open" });
    } finally {
      clear();
    }
  };
  try {
    for (const { name, signature } of file.fields()) {
      if (signature !== undefined) await gatherField(name, signature.contents);
    }
  } finally {
    all.clear();
  }
  return { material, gaps };
};

type Ports = Pick<SigningPorts, "stamp" | "fetch">;

/**
 * Adds fresh validation material for every signature and time-stamp of a signed file, and a document
 * time-stamp over all of it (EN 319 142-1, 5.5). Repeated before the last time-stamp's certificate ends, it
 * keeps a signature provable. Signatures need not be valid any more: expired certificates are the reason to
 * extend. `known` holds the certificates of the operator: a signature that leads to none of them is under the
 * new time-stamp, as a gap. Fails with timestamp_failed, and with pdf_unsigned for a file without a
 * signature.
 */
export const extendPdf = async (
  file: PdfFile,
  request: ArchiveRequest,
  ports: Ports,
): Promise<ExtendedPdf> => {
  const { material, gaps } = await gatherAll(file, request, ports);
  if (material.length + gaps.length === 0) throw new Failure("pdf_unsigned");
  // A stamp that is not kept shows which authority answers: its own material belongs under its stamp.
  const shown = await ports.stamp(request.hash, randomBytes(hashBytes[request.hash]));
  const { known, now } = request;
  const authority = await gatherValidation({ contents: shown, known, fetch: ports.fetch, now });
  const archived = await archive(file, addMaterial(joinMaterial(material), authority), request, ports);
  return { ...archived, gaps };
};
