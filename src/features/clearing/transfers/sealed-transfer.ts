import { type Static, Type } from "typebox";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { Transfer } from "../store/transfer.ts";

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

/** The part of a transfer that its row keeps sealed: personal data, ticket, token and the texts of the entity. */
export type TransferContent = Static<typeof content>;

const contentShape = makeCheck(content);

type Named = Pick<Transfer, "tenantId" | "environment" | "id">;

const contextOf = ({ id, environment }: Named): BoundContext => ({ owner: `transfer ${id}`, environment });

export type SealedContent = Pick<Transfer, "sealed" | "dataKeyId">;

/**
 * Seals the content of a transfer under the tenant's key for transfers, bound to its row and environment. To open fails as `Keyring.open`, and with
 * stored_newer for a form of a newer release.
 */
export type TransferSealing = {
  readonly seal: (of: Named, content: TransferContent) => Promise<SealedContent>;
  readonly open: (transfer: Named & Pick<Transfer, "sealed">) => Promise<TransferContent>;
};

export const makeTransferSealing = (
  keyring: Pick<Keyring, "seal" | "open" | "dataKeyIdOf">,
): TransferSealing => ({
  seal: async (of, plain) => {
    const bytes = Buffer.from(JSON.stringify(plain), "utf8");
    const sealed = await keyring.seal(of.tenantId, "transfers", bytes, contextOf(of));
    return { sealed, dataKeyId: keyring.dataKeyIdOf(sealed) };
  },
  open: async ({ sealed, ...of }) => {
    const bytes = await keyring.open(of.tenantId, "transfers", sealed, contextOf(of));
    const opened: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (contentShape.Check(opened)) return opened;
    throw new Failure("stored_newer", {}, { cause: new Error("A transfer has another form") });
  },
});
