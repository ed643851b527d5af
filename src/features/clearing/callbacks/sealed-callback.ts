import { type Static, Type } from "typebox";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import type { OneShot } from "#record/webhooks/one-shot/one-shot";
import type { NewCallback } from "../store/clearing-store.ts";

const content = Type.Object({
  url: Type.String(),
  /** The verification token that the call answered. */
  hash: Type.String(),
  /** ISO 8601; end of the token. */
  expiresAt: Type.String(),
});

/** The part of a callback that its row keeps sealed until it is settled. */
export type CallbackContent = Static<typeof content>;

const contentShape = makeCheck(content);

type Named = Pick<OneShot, "tenantId" | "environment" | "id">;

const contextOf = ({ id, environment }: Named): BoundContext => ({ owner: `callback ${id}`, environment });

/**
 * Seals the content of a callback under the tenant's key for transfers, bound to its row and environment. To open fails as `Keyring.open`, and with
 * stored_newer for a form of a newer release.
 */
export type CallbackSealing = {
  readonly seal: (of: Named, content: CallbackContent) => Promise<Pick<NewCallback, "sealed" | "dataKeyId">>;
  readonly open: (callback: Named & Pick<OneShot, "sealed">) => Promise<CallbackContent>;
};

export const makeCallbackSealing = (
  keyring: Pick<Keyring, "seal" | "open" | "dataKeyIdOf">,
): CallbackSealing => ({
  seal: async (of, plain) => {
    const bytes = Buffer.from(JSON.stringify(plain), "utf8");
    const sealed = await keyring.seal(of.tenantId, "transfers", bytes, contextOf(of));
    return { sealed, dataKeyId: keyring.dataKeyIdOf(sealed) };
  },
  open: async ({ sealed, ...of }) => {
    if (sealed === undefined) throw new Error("A settled callback keeps no content");
    const bytes = await keyring.open(of.tenantId, "transfers", sealed, contextOf(of));
    const opened: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (contentShape.Check(opened)) return opened;
    throw new Failure("stored_newer", {}, { cause: new Error("A callback has another form") });
  },
});
