import { Failure } from "#contract/failure";
import type { SignatureField } from "./types.ts";

/** Reasons of `pdf_signing_forbidden`. */
export type SigningBar =
  | "certified_no_changes"
  | "certified_no_attachments"
  | "already_certified"
  | "certified_after_signature"
  | "field_locked";

/**
 * Whether a further signature keeps the earlier ones valid. A certification with level 1 allows validation
 * data and document time-stamps alone, and none with a higher level allows attached files; a lock on all
 * fields, or on all but a list, forbids every new field (ISO 32000-2, 12.8.2.2 and 12.8.2.4). Undefined:
 * nothing forbids it.
 */
export const judgeSigning = (
  fields: readonly SignatureField[],
  certification: 1 | 2 | 3 | undefined,
  wanted: { readonly certify: boolean; readonly attaches: boolean; readonly fieldName: string },
): SigningBar | undefined => {
  if (certification === 1) return "certified_no_changes";
  if (wanted.attaches && certification !== undefined) return "certified_no_attachments";
  const signed = fields.filter(({ isSigned }) => isSigned);
  if (wanted.certify && certification !== undefined) return "already_certified";
  if (wanted.certify && signed.length > 0) return "certified_after_signature";
  const locks = signed.flatMap(({ lock, signature }) => [
    ...(signature?.locks ?? []),
    ...(lock === undefined ? [] : [lock]),
  ]);
  const isLocked = locks.some(({ action, fields: names }) => {
    if (action === "All") return true;
    const isListed = names.some(
      (name) => wanted.fieldName === name || wanted.fieldName.startsWith(`${name}.`),
    );
    return action === "Include" ? isListed : !isListed;
  });
  return isLocked ? "field_locked" : undefined;
};

/** Throws `pdf_signing_forbidden` with the bar as its reason. */
export const refuseForbiddenSigning = (bar: SigningBar | undefined): void => {
  if (bar !== undefined) throw new Failure("pdf_signing_forbidden", { reason: bar });
};
