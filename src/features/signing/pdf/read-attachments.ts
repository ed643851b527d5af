import { inflateSync } from "node:zlib";
import { PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from "@libpdf/core";
import { Failure } from "#contract/failure";
import { makeInflateBudget } from "./inflate.ts";
import type { PdfModel } from "./model.ts";
import { standardLimits } from "./open-pdf.ts";
import { parsePdf } from "./parse.ts";
import { readXref } from "./read-xref.ts";
import { makeSteps, type Steps, stepsFor } from "./steps.ts";
import { translateError } from "./translate-error.ts";

/** Bounds of what is read. */
export type AttachmentLimits = {
  /** Largest file. */
  readonly pdfBytesMax: number;
  /** Most bytes of all attachments together, inflated. */
  readonly bytesMax: number;
  readonly countMax: number;
};

/** A node of the name tree stands at most so deep: our choice; writers need two levels for thousands of names. */
const depthMax = 8;

type Resolve = (ref: PdfRef) => PdfObject | null;

/**
 * The embedded files of a PDF by their names (ISO 32000-2, 7.11.4 and 7.7.4). The first one with a name counts. Fails with
 * pdf_unreadable for a file that is no PDF, that is encrypted, or whose attachments have a form that Idem does not write, and with
 * pdf_too_large beyond the limits, before the bytes are inflated.
 */
export const readAttachments = async (
  pdf: Uint8Array,
  { pdfBytesMax, bytesMax, countMax }: AttachmentLimits,
): Promise<ReadonlyMap<string, Uint8Array>> => {
  if (pdf.length > pdfBytesMax) {
    throw new Failure("pdf_too_large", { bytes: pdf.length, bytesMax: pdfBytesMax });
  }
  const model = await openStrictly(pdf, pdfBytesMax);
  if (model.pdf.isEncrypted) throw new Failure("pdf_unreadable", { reason: "it is encrypted" });
  try {
    return filesIn(model, { bytesMax, countMax });
  } catch (error) {
    // An object that is damaged is found only when it is followed.
    throw translateError(error, { ...standardLimits, bytesMax: pdfBytesMax });
  }
};

const filesIn = (
  { catalog, dictOf, resolve: follow, steps }: PdfModel,
  { bytesMax, countMax }: Pick<AttachmentLimits, "bytesMax" | "countMax">,
): ReadonlyMap<string, Uint8Array> => {
  const resolve: Resolve = (ref) => follow(ref) ?? null;
  const tree = dictOf(dictOf(catalog.value.get("Names"))?.get("EmbeddedFiles"));
  const found = new Map<string, Uint8Array>();
  let left = bytesMax;
  for (const [name, file] of filesOf(tree, resolve, countMax, steps)) {
    if (found.has(name)) continue;
    const bytes = bytesOf(file, left);
    left -= bytes.length;
    found.set(name, bytes);
  }
  return found;
};

/** As the signer reads a file: by its cross-reference alone, without a repair, so that both read the same objects. */
const openStrictly = async (pdf: Uint8Array, bytesMax: number): Promise<PdfModel> => {
  const limits = { ...standardLimits, bytesMax };
  try {
    const budget = makeInflateBudget(limits.inflatedBytesMax);
    const steps = makeSteps(stepsFor(pdf.length, limits.stepsMax));
    return await parsePdf(pdf, readXref(pdf, { ...limits, budget, steps }), {
      password: undefined,
      budget,
      steps,
      nodesMax: 2 * limits.pagesMax,
    });
  } catch (error) {
    throw translateError(error, limits);
  }
};

const filesOf = (
  tree: PdfDict | undefined,
  resolve: Resolve,
  countMax: number,
  steps: Steps,
): readonly (readonly [string, PdfStream])[] => {
  const files: [string, PdfStream][] = [];
  let nodes = 0;
  const walk = (node: PdfDict, depth: number): void => {
    nodes += 1;
    if (depth > depthMax || nodes > countMax) throw tooMany(countMax);
    const names = node.getArray("Names", resolve);
    const kids = node.getArray("Kids", resolve);
    // Nodes may share one array.
    steps.take((names?.length ?? 0) + (kids?.length ?? 0));
    for (let index = 0; index + 1 < (names?.length ?? 0); index += 2) {
      const file = fileOf(target(names?.at(index + 1), resolve), resolve);
      if (files.length === countMax) throw tooMany(countMax);
      if (file !== undefined) files.push(file);
    }
    for (let index = 0; index < (kids?.length ?? 0); index += 1) {
      const kid = target(kids?.at(index), resolve);
      if (kid instanceof PdfDict) walk(kid, depth + 1);
    }
  };
  if (tree !== undefined) walk(tree, 0);
  return files;
};

const tooMany = (countMax: number): Failure => new Failure("pdf_too_large", { attachmentsMax: countMax });

/** The name and the stream of a file specification (7.11.3); undefined for another object. */
const fileOf = (specification: PdfObject | undefined, resolve: Resolve): [string, PdfStream] | undefined => {
  if (!(specification instanceof PdfDict)) return undefined;
  const name = (specification.getString("UF", resolve) ?? specification.getString("F", resolve))?.asString();
  const stream = target(specification.getDict("EF", resolve)?.get("F"), resolve);
  return name !== undefined && stream instanceof PdfStream ? [name, stream] : undefined;
};

const target = (value: PdfObject | undefined, resolve: Resolve): PdfObject | undefined =>
  value instanceof PdfRef ? (resolve(value) ?? undefined) : value;

/** The bytes of a stream without a filter, or with FlateDecode alone and no predictor. */
const bytesOf = (stream: PdfStream, bytesMax: number): Uint8Array => {
  const filter = stream.get("Filter");
  const [only] = filter instanceof PdfArray && filter.length === 1 ? [filter.at(0)] : [filter];
  if (only === undefined) {
    if (stream.data.length > bytesMax) throw new Failure("pdf_too_large", { bytesMax });
    return new Uint8Array(stream.data);
  }
  if (!(only instanceof PdfName) || only.value !== "FlateDecode" || stream.get("DecodeParms") !== undefined)
    throw new Failure("pdf_unreadable", { reason: "an attachment is packed in another form" });
  return inflate(stream.data, bytesMax);
};

const inflate = (packed: Uint8Array, bytesMax: number): Uint8Array => {
  try {
    return new Uint8Array(inflateSync(packed, { maxOutputLength: Math.max(1, bytesMax) }));
  } catch (cause) {
    const isTooLong = cause instanceof RangeError;
    throw isTooLong
      ? new Failure("pdf_too_large", { bytesMax }, { cause })
      : new Failure("pdf_unreadable", { reason: "an attachment cannot be unpacked" }, { cause });
  }
};
