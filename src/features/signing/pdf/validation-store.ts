import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { ValidationData, ValidationMaterial } from "#trust/revocation/ports";
import { latin1 } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { pdfArray, pdfDictionary, pdfName, pdfNumber, pdfStream } from "./make-value.ts";
import type { Held, PdfModel } from "./model.ts";
import { decodeStream } from "./reader/decode-stream.ts";
import { headerBytesMax } from "./reader/open-view.ts";
import type { Entries, PdfReference, PdfValue } from "./reader/pdf-value.ts";
import { tryRead } from "./steps.ts";

/** The entry of the DSS, and the one of a VRI dictionary, for each kind (ISO 32000-2, tables 261 and 262). */
const kinds = [
  { list: "certificates", dss: "Certs", vri: "Cert" },
  { list: "ocsps", dss: "OCSPs", vri: "OCSP" },
  { list: "crls", dss: "CRLs", vri: "CRL" },
] as const;
type Kind = (typeof kinds)[number];

/** Values of a DSS that are read. A file that is extended each year for 100 years has less than 5,000. */
const valuesMax = 20_000;

const streamsOf = (
  model: PdfModel,
  store: Entries,
  kind: Kind,
): readonly { readonly value: PdfValue; readonly bytes: Uint8Array }[] =>
  model
    .itemsOf(store.get(kind.dss))
    .slice(0, valuesMax)
    .flatMap((value) => {
      const stream = model.resolve(value);
      if (stream.kind !== "stream") return [];
      const { view } = model;
      const bytes = tryRead(view.steps, DamagedPdf, () => decodeStream(stream.entries, stream.raw, view));
      return bytes === undefined ? [] : [{ value, bytes }];
    });

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The validation data of the file's DSS. */
export const readValidation = (model: PdfModel): ValidationData => {
  const store = model.dictOf(model.entriesAt(model.catalog).get("DSS"));
  const read = (kind: Kind): readonly Uint8Array[] =>
    store === undefined ? [] : streamsOf(model, store, kind).map(({ bytes }) => bytes);
  return { certificates: read(kinds[0]), ocsps: read(kinds[1]), crls: read(kinds[2]) };
};

/** Adds values of one kind. A value that the file holds is not stored twice. */
const makeAdd = (model: PdfModel, store: Held, kind: Kind) => {
  const known = new Map<string, PdfReference>();
  for (const { value, bytes } of streamsOf(model, model.entriesAt(store), kind))
    if (value.kind === "reference") known.set(digest(bytes), value);
  return (values: readonly Uint8Array[]): readonly PdfReference[] =>
    values.map((bytes) => {
      const id = digest(bytes);
      const existing = known.get(id);
      if (existing !== undefined) return existing;
      const ref = model.register(pdfStream({ Filter: pdfName("FlateDecode") }, deflateSync(bytes)));
      known.set(id, ref);
      model.push(store, kind.dss, ref);
      return ref;
    });
};

/** Declares the extension of ETSI (EN 319 142-1, 5.6.2) where the file has no extension of that name. */
const declareExtension = (model: PdfModel): void => {
  if (/%PDF-2/.test(latin1(model.view.bytes, 0, headerBytesMax))) return;
  const existing = model.child(model.catalog, "Extensions");
  if (existing !== undefined && model.entriesAt(existing).has("ESIC")) return;
  const esic = pdfDictionary({ BaseVersion: pdfName("1.7"), ExtensionLevel: pdfNumber(5) });
  if (existing === undefined) model.set(model.catalog, "Extensions", pdfDictionary({ ESIC: esic }));
  else model.set(existing, "ESIC", esic);
};

/**
 * Adds validation data to the DSS. The key of a VRI entry is the SHA-1 of the padded contents, in upper-case
 * hex. An existing entry never changes: validators take a change for tampering.
 */
export const addValidation = (model: PdfModel, material: ValidationMaterial): void => {
  const store = model.childOrNew(model.catalog, "DSS", pdfDictionary({ Type: pdfName("DSS") }));
  const add = kinds.map((kind) => ({ kind, values: makeAdd(model, store, kind) }));
  for (const { kind, values } of add) values(material[kind.list]);
  for (const related of material.related) {
    const key = createHash("sha1").update(related.contents).digest("hex").toUpperCase();
    const lists = add.map(({ kind, values }) => [kind.vri, values(related[kind.list])] as const);
    const entry = pdfDictionary(
      Object.fromEntries(lists.map(([name, refs]) => [name, refs.length === 0 ? undefined : pdfArray(refs)])),
    );
    const entries = model.child(store, "VRI");
    if (entries === undefined) model.set(store, "VRI", pdfDictionary({ [key]: entry }));
    else if (!model.entriesAt(entries).has(key)) model.set(entries, key, entry);
  }
  declareExtension(model);
};
