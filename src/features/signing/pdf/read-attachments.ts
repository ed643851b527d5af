import { inflateSync } from "node:zlib";
import { Failure } from "#contract/failure";
import { makeInflateBudget } from "./inflate.ts";
import type { PdfModel } from "./model.ts";
import { openModel } from "./open-model.ts";
import { standardLimits } from "./open-pdf.ts";
import type { Entries, PdfValue } from "./reader/pdf-value.ts";
import { readSoundSections } from "./sound-sections.ts";
import { makeSteps, stepsFor } from "./steps.ts";
import { translateError } from "./translate-error.ts";

/** Bounds of what is read. */
export type AttachmentLimits = {
  /** Largest file. */
  readonly pdfBytesMax: number;
  /** Most bytes of all attachments together, inflated. */
  readonly bytesMax: number;
  readonly countMax: number;
};

/**
 * A node of the name tree stands at most so deep: our choice; writers need two levels for thousands of names.
 */
const depthMax = 8;

/**
 * The embedded files of a PDF by their names (ISO 32000-2, 7.11.4 and 7.7.4). The first one with a name
 * counts. Fails with pdf_unreadable for a file that is no PDF, that is encrypted, or whose attachments have a
 * form that Idem does not write, and with pdf_too_large beyond the limits, before the bytes are inflated.
 */
export const readAttachments = async (
  pdf: Uint8Array,
  { pdfBytesMax, ...bounds }: AttachmentLimits,
): Promise<ReadonlyMap<string, Uint8Array>> => {
  if (pdf.length > pdfBytesMax) {
    throw new Failure("pdf_too_large", { bytes: pdf.length, bytesMax: pdfBytesMax });
  }
  const limits = { ...standardLimits, bytesMax: pdfBytesMax };
  try {
    // Without a repair, as a signed file is verified: both read the same objects.
    const budget = makeInflateBudget(limits.inflatedBytesMax);
    const source = { bytes: pdf, budget, steps: makeSteps(stepsFor(pdf.length, limits.stepsMax)), limits };
    const model = openModel({ ...source, ...readSoundSections(source), repaired: false }, limits);
    if (model.view.seal !== undefined) throw new Failure("pdf_unreadable", { reason: "it is encrypted" });
    return filesIn(model, bounds);
  } catch (error) {
    throw translateError(error, limits);
  }
};

const filesIn = (
  model: PdfModel,
  { bytesMax, countMax }: Omit<AttachmentLimits, "pdfBytesMax">,
): ReadonlyMap<string, Uint8Array> => {
  const tree = model.dictOf(model.dictOf(model.entriesAt(model.catalog).get("Names"))?.get("EmbeddedFiles"));
  const found = new Map<string, Uint8Array>();
  let left = bytesMax;
  for (const [name, file] of filesOf(tree, model, countMax)) {
    if (found.has(name)) continue;
    const bytes = bytesOf(file, left);
    left -= bytes.length;
    found.set(name, bytes);
  }
  return found;
};

type Stream = Extract<PdfValue, { readonly kind: "stream" }>;

const filesOf = (
  tree: Entries | undefined,
  model: PdfModel,
  countMax: number,
): readonly (readonly [string, Stream])[] => {
  const files: [string, Stream][] = [];
  let nodes = 0;
  const walk = (node: Entries, depth: number): void => {
    nodes += 1;
    if (depth > depthMax || nodes > countMax) throw tooMany(countMax);
    const names = model.itemsOf(node.get("Names"));
    for (let index = 0; index + 1 < names.length; index += 2) {
      const file = fileOf(model.dictOf(names[index + 1]), model);
      if (files.length === countMax) throw tooMany(countMax);
      if (file !== undefined) files.push(file);
    }
    for (const item of model.itemsOf(node.get("Kids"))) {
      const kid = model.dictOf(item);
      if (kid !== undefined) walk(kid, depth + 1);
    }
  };
  if (tree !== undefined) walk(tree, 0);
  return files;
};

const tooMany = (countMax: number): Failure => new Failure("pdf_too_large", { attachmentsMax: countMax });

/** The name and the stream of a file specification (7.11.3); undefined for another object. */
const fileOf = (specification: Entries | undefined, model: PdfModel): [string, Stream] | undefined => {
  const name = model.textOf(specification?.get("UF")) ?? model.textOf(specification?.get("F"));
  const stream = model.resolve(model.dictOf(specification?.get("EF"))?.get("F"));
  return name !== undefined && stream.kind === "stream" ? [name, stream] : undefined;
};

/** The bytes of a stream without a filter, or with FlateDecode alone and no predictor. */
const bytesOf = ({ entries, raw }: Stream, bytesMax: number): Uint8Array => {
  const filter = entries.get("Filter");
  const [only] = filter?.kind === "array" && filter.items.length === 1 ? filter.items : [filter];
  if (only === undefined) {
    if (raw.length > bytesMax) throw new Failure("pdf_too_large", { bytesMax });
    return new Uint8Array(raw);
  }
  if (only.kind !== "name" || only.value !== "FlateDecode" || entries.has("DecodeParms"))
    throw new Failure("pdf_unreadable", { reason: "an attachment is packed in another form" });
  return inflate(raw, bytesMax);
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
