import { pdfArray, pdfDictionary, pdfName, pdfNumber } from "./make-value.ts";
import type { PdfModel } from "./model.ts";
import type { PdfValue } from "./reader/pdf-value.ts";
import { dateString, textString } from "./text-string.ts";
import type { FieldLock, SignatureRevision } from "./types.ts";

const version = pdfName("1.2");

const transform = (
  method: string,
  parameters: Readonly<Record<string, PdfValue | undefined>>,
  data?: PdfValue,
): PdfValue =>
  pdfDictionary({
    Type: pdfName("SigRef"),
    TransformMethod: pdfName(method),
    TransformParams: pdfDictionary({ ...parameters, Type: pdfName("TransformParams"), V: version }),
    Data: data,
  });

const lockTransform = ({ action, fields }: FieldLock, model: PdfModel): PdfValue =>
  transform(
    "FieldMDP",
    { Action: pdfName(action), Fields: action === "All" ? undefined : pdfArray(fields.map(textString)) },
    model.referTo(model.catalog.object),
  );

const references = (model: PdfModel, { certify, lock }: SignatureRevision): PdfValue | undefined => {
  const list = [
    ...(certify === undefined ? [] : [transform("DocMDP", { P: pdfNumber(certify) })]),
    ...(lock === undefined ? [] : [lockTransform(lock, model)]),
  ];
  return list.length === 0 ? undefined : pdfArray(list);
};

const text = (given: string | undefined): PdfValue | undefined =>
  given === undefined ? undefined : textString(given);

const statementDictionary = (statement: NonNullable<SignatureRevision["statement"]>): PdfValue =>
  pdfDictionary(Object.fromEntries(Object.entries(statement).map(([key, value]) => [key, text(value)])));

/**
 * The dictionary of a signature without `ByteRange` and `Contents` (ISO 32000-2, table 255; EN 319 142-1,
 * 6.3).
 */
export const signatureDictionary = (model: PdfModel, revision: SignatureRevision): PdfValue =>
  pdfDictionary({
    Type: pdfName("Sig"),
    Filter: pdfName("Adobe.PPKLite"),
    SubFilter: pdfName(revision.subFilter),
    M: dateString(revision.at),
    Prop_Build: pdfDictionary({ App: pdfDictionary({ Name: pdfName("Idem") }) }),
    Name: text(revision.name),
    Reason: text(revision.reason),
    Location: text(revision.location),
    ContactInfo: text(revision.contact),
    Idem: revision.statement === undefined ? undefined : statementDictionary(revision.statement),
    Reference: references(model, revision),
  });

/** The dictionary of a document time-stamp without `ByteRange` and `Contents` (ISO 32000-2, 12.8.5). */
export const timestampDictionary = (): PdfValue =>
  pdfDictionary({
    Type: pdfName("DocTimeStamp"),
    Filter: pdfName("Adobe.PPKLite"),
    SubFilter: pdfName("ETSI.RFC3161"),
    V: pdfNumber(0),
  });
