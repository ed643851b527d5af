import { PdfArray, PdfDict, PdfName, PdfNumber } from "@libpdf/core";
import type { PdfModel } from "./model.ts";
import { dateString, textString } from "./text-string.ts";
import type { SignatureRevision } from "./types.ts";

const version = PdfName.of("1.2");

const transform = (method: string, parameters: PdfDict): PdfDict => {
  parameters.set("Type", PdfName.of("TransformParams"));
  parameters.set("V", version);
  return PdfDict.of({
    Type: PdfName.of("SigRef"),
    TransformMethod: PdfName.of(method),
    TransformParams: parameters,
  });
};

const references = (model: PdfModel, revision: SignatureRevision): readonly PdfDict[] => {
  const list: PdfDict[] = [];
  if (revision.certify !== undefined)
    list.push(transform("DocMDP", PdfDict.of({ P: PdfNumber.of(revision.certify) })));
  if (revision.lock !== undefined) {
    const parameters = PdfDict.of({ Action: PdfName.of(revision.lock.action) });
    if (revision.lock.action !== "All")
      parameters.set("Fields", new PdfArray(revision.lock.fields.map(textString)));
    const reference = transform("FieldMDP", parameters);
    reference.set("Data", model.catalog.ref);
    list.push(reference);
  }
  return list;
};

/** The dictionary of a signature without `ByteRange` and `Contents` (ISO 32000-2, table 255; EN 319 142-1, 6.3). */
export const signatureDictionary = (model: PdfModel, revision: SignatureRevision): PdfDict => {
  const dictionary = PdfDict.of({
    Type: PdfName.of("Sig"),
    Filter: PdfName.of("Adobe.PPKLite"),
    SubFilter: PdfName.of(revision.subFilter),
    M: dateString(revision.at),
    Prop_Build: PdfDict.of({ App: PdfDict.of({ Name: PdfName.of("Idem") }) }),
  });
  const texts = {
    Name: revision.name,
    Reason: revision.reason,
    Location: revision.location,
    ContactInfo: revision.contact,
  };
  for (const [key, text] of Object.entries(texts))
    if (text !== undefined) dictionary.set(key, textString(text));
  if (revision.statement !== undefined)
    dictionary.set(
      "Idem",
      PdfDict.of(
        Object.fromEntries(Object.entries(revision.statement).map(([key, text]) => [key, textString(text)])),
      ),
    );
  const list = references(model, revision);
  if (list.length > 0) dictionary.set("Reference", new PdfArray([...list]));
  return dictionary;
};

/** The dictionary of a document time-stamp without `ByteRange` and `Contents` (ISO 32000-2, 12.8.5). */
export const timestampDictionary = (): PdfDict =>
  PdfDict.of({
    Type: PdfName.of("DocTimeStamp"),
    Filter: PdfName.of("Adobe.PPKLite"),
    SubFilter: PdfName.of("ETSI.RFC3161"),
    V: PdfNumber.of(0),
  });
