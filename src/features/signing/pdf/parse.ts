import { PDF, PdfRef } from "@libpdf/core";
import { Failure } from "#contract/failure";
import { readObjectHeader } from "./bytes.ts";
import { checkPageTree, makeReadEntries } from "./check-page-tree.ts";
import { flatten, wholeXrefStream } from "./flatten.ts";
import type { InflateBudget } from "./inflate.ts";
import { measureObjects } from "./measure-objects.ts";
import { makeModel, type PdfModel } from "./model.ts";
import { type DecryptStream, openObjectStreams } from "./object-streams.ts";
import type { Steps } from "./steps.ts";
import { readTokens, referenceNumber } from "./tokens.ts";
import type { Xref, XrefEntry } from "./xref.ts";

/** Longest dictionary of the encryption. Real ones have less than 1 KB. */
const encryptionBytesMax = 1 << 16;

const unreadable = (reason: string, cause?: unknown): Failure =>
  new Failure("pdf_unreadable", { reason }, { cause });

const load = async (bytes: Uint8Array, password: string | undefined): Promise<PDF> => {
  try {
    // Never lenient: @libpdf/core 0.4.2 then reads some unterminated arrays without end, until the memory is full.
    const options = { lenient: false };
    return await PDF.load(bytes, password === undefined ? options : { ...options, credentials: password });
  } catch (error) {
    throw unreadable("structure", error);
  }
};

/** A tiny file with the encryption of the real one: its key opens before any stream of the real one is inflated. */
const encryptionAlone = (bytes: Uint8Array, xref: Xref, steps: Steps): Buffer | undefined => {
  const number = referenceNumber(xref.trailer.get("Encrypt"));
  const parts = ["%PDF-1.7\n"];
  const entries = new Map<number, XrefEntry>();
  const size = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  const add = (object: number, text: string): void => {
    entries.set(object, { kind: "plain", offset: size(), generation: 0 });
    parts.push(`${object} 0 obj\n${text}\nendobj\n`);
  };
  if (number !== undefined) {
    const entry = xref.entries.get(number);
    const header = entry?.kind === "plain" ? readObjectHeader(bytes, entry.offset, steps) : undefined;
    if (header === undefined) return undefined;
    add(number, readTokens(bytes, header.end, encryptionBytesMax, steps).value());
  }
  const free = (number ?? 0) + 1;
  add(free, `<</Type/Catalog/Pages ${free + 1} 0 R>>`);
  add(free + 1, "<</Type/Pages/Kids[]/Count 0>>");
  const trailer = new Map(xref.trailer).set("Root", `${free} 0 R`);
  trailer.delete("Info");
  const at = size();
  return Buffer.concat([
    Buffer.from(parts.join(""), "latin1"),
    ...wholeXrefStream({ entries, trailer, size: free + 2 }, at),
  ]);
};

const needsPassword = (): Failure => new Failure("pdf_needs_password");

/** Opens the encryption with the password or the empty one. Fails with `pdf_needs_password`. */
const openEncryption = async (
  bytes: Uint8Array,
  xref: Xref,
  password: string | undefined,
  steps: Steps,
): Promise<DecryptStream> => {
  const alone = encryptionAlone(bytes, xref, steps);
  if (alone === undefined) throw unreadable("encryption");
  const { isAuthenticated, securityHandler } = (await load(alone, password)).context.info;
  if (!isAuthenticated || securityHandler === null) throw needsPassword();
  return (raw, number, generation) => securityHandler.decryptStream(raw, number, generation);
};

/**
 * Parses a file whose cross-reference was read. Fails with `pdf_unreadable` or `pdf_needs_password`; throws
 * InflatedTooLarge, PagesTooMany, TooManySteps and DamagedPdf.
 */
export const parsePdf = async (
  bytes: Uint8Array,
  xref: Xref,
  options: {
    readonly password: string | undefined;
    readonly budget: InflateBudget;
    readonly steps: Steps;
    readonly nodesMax: number;
  },
): Promise<PdfModel> => {
  const { steps } = options;
  const root = referenceNumber(xref.trailer.get("Root"));
  const isEncrypted = xref.trailer.has("Encrypt");
  const decrypt = isEncrypted ? await openEncryption(bytes, xref, options.password, steps) : undefined;
  const containers = openObjectStreams(bytes, xref, options, decrypt);
  const costs = measureObjects(bytes, xref, containers, steps);
  checkPageTree(makeReadEntries(bytes, xref, containers, steps), root, options.nodesMax);
  const pdf = await load(flatten(bytes, xref), options.password);
  const { info } = pdf.context;
  if (isEncrypted && !(info.isEncrypted && info.isAuthenticated)) throw needsPassword();
  if (pdf.recoveredViaBruteForce) throw unreadable("structure");
  const rootRef = info.trailer.getRef("Root") ?? (root === undefined ? undefined : PdfRef.of(root));
  if (rootRef === undefined) throw unreadable("no_catalogue");
  return makeModel(pdf, bytes, { xref, steps, costs }, rootRef);
};
