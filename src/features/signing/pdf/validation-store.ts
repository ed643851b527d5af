import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream } from "@libpdf/core";
import type { ValidationData, ValidationMaterial } from "#trust/revocation/ports";
import { decodeStream } from "./decode-stream.ts";
import type { InflateBudget } from "./inflate.ts";
import type { Held, PdfModel } from "./model.ts";

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
  store: PdfDict,
  kind: Kind,
  budget: InflateBudget,
): readonly { readonly object: PdfObject; readonly bytes: Uint8Array }[] =>
  model
    .itemsOf(store.get(kind.dss))
    .slice(0, valuesMax)
    .flatMap((object) => {
      const stream = model.resolve(object);
      const bytes = stream instanceof PdfStream ? decodeStream(model, stream, budget) : undefined;
      return bytes === undefined ? [] : [{ object, bytes }];
    });

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The validation data of the file's DSS. */
export const readValidation = (model: PdfModel, budget: InflateBudget): ValidationData => {
  const store = model.child(model.catalog, "DSS")?.value;
  const read = (kind: Kind): readonly Uint8Array[] =>
    store === undefined ? [] : streamsOf(model, store, kind, budget).map(({ bytes }) => bytes);
  return { certificates: read(kinds[0]), ocsps: read(kinds[1]), crls: read(kinds[2]) };
};

const getStore = (model: PdfModel): Held<PdfDict> => {
  const existing = model.child(model.catalog, "DSS");
  if (existing !== undefined) return existing;
  const value = PdfDict.of({ Type: PdfName.of("DSS") });
  const ref = model.register(value);
  model.set(model.catalog, "DSS", ref);
  return { ref, value };
};

/** Adds values of one kind. A value that the file holds is not stored twice. */
const makeAdd = (model: PdfModel, store: Held<PdfDict>, kind: Kind, budget: InflateBudget) => {
  const known = new Map<string, PdfRef>();
  for (const { object, bytes } of streamsOf(model, store.value, kind, budget))
    if (object instanceof PdfRef) known.set(digest(bytes), object);
  return (values: readonly Uint8Array[]): readonly PdfRef[] =>
    values.map((bytes) => {
      const id = digest(bytes);
      const existing = known.get(id);
      if (existing !== undefined) return existing;
      const stream = new PdfStream(PdfDict.of({ Filter: PdfName.of("FlateDecode") }), deflateSync(bytes));
      const ref = model.register(stream);
      known.set(id, ref);
      model.push(store, kind.dss, ref);
      return ref;
    });
};

/** Declares the extension of ETSI (EN 319 142-1, 5.6.2) where the file has no extension of that name. */
const declareExtension = (model: PdfModel): void => {
  if (model.pdf.context.info.version.startsWith("2")) return;
  const existing = model.child(model.catalog, "Extensions");
  if (existing?.value.has("ESIC") === true) return;
  const esic = PdfDict.of({ BaseVersion: PdfName.of("1.7"), ExtensionLevel: PdfNumber.of(5) });
  if (existing === undefined) model.set(model.catalog, "Extensions", PdfDict.of({ ESIC: esic }));
  else model.set(existing, "ESIC", esic);
};

/**
 * Adds validation data to the DSS. The key of a VRI entry is the SHA-1 of the padded contents, in upper-case hex. An
 * existing entry never changes: validators take a change for tampering.
 */
export const addValidation = (model: PdfModel, material: ValidationMaterial, budget: InflateBudget): void => {
  const store = getStore(model);
  const add = kinds.map((kind) => ({ kind, values: makeAdd(model, store, kind, budget) }));
  for (const { kind, values } of add) values(material[kind.list]);
  for (const related of material.related) {
    const key = createHash("sha1").update(related.contents).digest("hex").toUpperCase();
    const entry = new PdfDict();
    for (const { kind, values } of add) {
      const refs = values(related[kind.list]);
      if (refs.length > 0) entry.set(kind.vri, new PdfArray([...refs]));
    }
    const entries = model.child(store, "VRI");
    if (entries === undefined) model.set(store, "VRI", PdfDict.of({ [key]: entry }));
    else if (!entries.value.has(key)) model.set(entries, key, entry);
  }
  declareExtension(model);
};
