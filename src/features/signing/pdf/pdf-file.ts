import type { HashName } from "#trust/revocation/ports";
import { drawSignature } from "./appearance.ts";
import { addAttachments } from "./attachments.ts";
import { listSignatureFields } from "./fields.ts";
import { refuseXfaOnly } from "./judge-form.ts";
import { judgeSigning, refuseForbiddenSigning } from "./judge-signing.ts";
import { pdfDictionary } from "./make-value.ts";
import type { PdfModel } from "./model.ts";
import { chooseFieldName, placeField } from "./place-field.ts";
import type { PdfReference } from "./reader/pdf-value.ts";
import { makeHashBefore, reserve } from "./reserve.ts";
import { signatureDictionary, timestampDictionary } from "./signature-dictionary.ts";
import { documentCertification } from "./stored-signature.ts";
import { translateError } from "./translate-error.ts";
import type { PdfFile, PdfLimits, Reserved, SignatureRevision, TimestampRevision } from "./types.ts";
import { addValidation, readValidation } from "./validation-store.ts";
import { writeRevision } from "./write-revision.ts";

/** Appends revisions after the bytes of a model, each hashed over the state of those before it. */
const makeAppender = (model: PdfModel) => {
  const revisions: Buffer[] = [];
  const hashBefore = makeHashBefore(model.view.bytes);
  let end = { startxref: model.view.starts[0] ?? 0, objects: model.size };
  const size = (): number =>
    revisions.reduce((sum, revision) => sum + revision.length, model.view.bytes.length);
  const append = (object?: number, reservedBytes = 0, fieldName = ""): Reserved | undefined => {
    const base = size();
    const reservation =
      object === undefined ? undefined : { object, reservedBytes, byteRangeAt: 0, contentsAt: 0 };
    const lastByte = (revisions.at(-1) ?? model.view.bytes).at(-1);
    const written = writeRevision(model, { ...end, size: base, lastByte }, reservation);
    const before = [...revisions];
    revisions.push(written.bytes);
    end = { startxref: written.startxref, objects: written.objects };
    if (reservation === undefined) return undefined;
    return reserve({ revision: written.bytes, base, reservation, fieldName }, (hash) =>
      hashBefore(hash, before),
    );
  };
  const reserveRevision = (object: number, reservedBytes: number, fieldName: string): Reserved => {
    const reserved = append(object, reservedBytes, fieldName);
    if (reserved === undefined) throw new Error("a revision was not reserved");
    return reserved;
  };
  return { append, reserveRevision, revisions, hashOriginal: (hash: HashName) => hashBefore(hash, []) };
};

const certifyDocument = (model: PdfModel, value: PdfReference): void => {
  const permissions = model.child(model.catalog, "Perms");
  if (permissions === undefined) model.set(model.catalog, "Perms", pdfDictionary({ DocMDP: value }));
  else model.set(permissions, "DocMDP", value);
};

const prepareSignature = (model: PdfModel, revision: SignatureRevision) => {
  const name = chooseFieldName(model, revision.fieldName, "Signature");
  refuseXfaOnly(model);
  refuseForbiddenSigning(
    judgeSigning(listSignatureFields(model), documentCertification(model), {
      certify: revision.certify !== undefined,
      attaches: (revision.attachments ?? []).length > 0,
      fieldName: name,
    }),
  );
  const look = revision.visible === undefined ? undefined : drawSignature(model, revision.visible);
  const value = model.register(signatureDictionary(model, revision));
  placeField(model, {
    name,
    value,
    look,
    lock: revision.lock,
    pageNumber: revision.visible?.pageNumber ?? 1,
  });
  if (revision.certify !== undefined) certifyDocument(model, value);
  addAttachments(model, revision.attachments ?? [], revision.at);
  return { object: value.number, name };
};

const prepareTimestamp = (model: PdfModel, revision: TimestampRevision) => {
  if (revision.validation !== undefined) addValidation(model, revision.validation);
  const name = chooseFieldName(model, undefined, "Timestamp");
  const value = model.register(timestampDictionary());
  placeField(model, { name, value, look: undefined, lock: undefined, pageNumber: 1 });
  return { object: value.number, name };
};

/** A PdfFile over a parsed model. */
export const makePdfFile = (
  model: PdfModel,
  options: Pick<PdfFile, "repaired" | "repairs"> & { readonly limits: PdfLimits },
): PdfFile => {
  /** Objects are read when they are needed: damage appears late. */
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw translateError(error, options.limits);
    }
  };
  const { append, reserveRevision, revisions, hashOriginal } = makeAppender(model);
  return {
    original: model.view.bytes,
    repaired: options.repaired,
    repairs: options.repairs,
    hashOriginal,
    pageCount: model.pages.length,
    isEncrypted: model.view.seal !== undefined,
    certification: documentCertification(model),
    fields: () => guarded(() => listSignatureFields(model)),
    validation: () => guarded(() => readValidation(model)),
    revisions: () => [...revisions],
    appendSignature: (revision) =>
      guarded(() => {
        const { object, name } = prepareSignature(model, revision);
        return reserveRevision(object, revision.reservedBytes, name);
      }),
    appendTimestamp: (revision) =>
      guarded(() => {
        const { object, name } = prepareTimestamp(model, revision);
        return reserveRevision(object, revision.reservedBytes, name);
      }),
    appendValidation: (material) =>
      guarded(() => {
        addValidation(model, material);
        append();
      }),
  };
};
