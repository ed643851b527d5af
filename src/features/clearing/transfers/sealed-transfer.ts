import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { type ContentKeyring, type ContentSealing, makeContentSealing } from "../sealed-content.ts";

const content = Type.Object({
  /** The key that created the transfer. */
  keyId: Type.String(),
  scanReference: Type.String(),
  affiliate: Type.Object({
    firstName: Type.String(),
    paternalSurname: Type.String(),
    maternalSurname: Type.String(),
    rutNumber: Type.String(),
    rutCheck: Type.String(),
  }),
  requiresSecondVerification: Type.Boolean(),
  /** Address of the certificate with its token, without the key of the entity. */
  certificateUrl: Type.String(),
  /** ISO 8601; time of the identity call. */
  verifiedAt: Type.String(),
  /** ISO 8601; end of the verification token. */
  expiresAt: Type.String(),
  ticket: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  /** The last statement of the entity. */
  statement: Type.Optional(
    Type.Object({
      code: Type.Optional(Type.Integer()),
      message: Type.Optional(Type.String()),
      date: Type.Optional(Type.String()),
      errors: Type.Unsafe<readonly string[]>(Type.Array(Type.String())),
    }),
  ),
});

/**
 * The part of a transfer that its row keeps sealed: personal data, ticket, token and the texts of the entity.
 */
export type TransferContent = Static<typeof content>;

const contentShape = makeCheck(content);

export type TransferSealing = ContentSealing<TransferContent>;

export const makeTransferSealing = (keyring: ContentKeyring): TransferSealing =>
  makeContentSealing(keyring, "transfer", (opened) => contentShape.Check(opened));
