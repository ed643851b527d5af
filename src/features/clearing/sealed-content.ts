import { Failure } from "#contract/failure";
import type { Keyring } from "#machine/storage/blobs";
import type { ClearingOwner } from "./store/clearing-token.ts";

type Named = ClearingOwner & { readonly id: string };

/** What a row of clearing keeps sealed, with the data key that sealed it. */
export type SealedContent = { readonly sealed: Uint8Array; readonly dataKeyId: string };

/** Seals and opens the content of one kind of row. Made by {@link makeContentSealing}. */
export type ContentSealing<Content> = {
  readonly seal: (of: Named, content: Content) => Promise<SealedContent>;
  /**
   * Fails as `Keyring.open`, and with stored_newer for a form of a newer release. A settled row may keep no
   * content.
   */
  readonly open: (row: Named & { readonly sealed?: Uint8Array }) => Promise<Content>;
};

export type ContentKeyring = Pick<Keyring, "seal" | "open" | "dataKeyIdOf">;

/**
 * Seals under the tenant's key for transfers. The content is bound to the kind of its row, its id and its
 * environment.
 */
export const makeContentSealing = <Content>(
  keyring: ContentKeyring,
  kind: "transfer" | "callback",
  isContent: (opened: unknown) => opened is Content,
): ContentSealing<Content> => {
  const contextOf = ({ id, environment }: Named) => ({ owner: `${kind} ${id}`, environment });
  return {
    seal: async (of, content) => {
      const bytes = Buffer.from(JSON.stringify(content), "utf8");
      const sealed = await keyring.seal(of.tenantId, "transfers", bytes, contextOf(of));
      return { sealed, dataKeyId: keyring.dataKeyIdOf(sealed) };
    },
    open: async ({ sealed, ...of }) => {
      if (sealed === undefined) throw new Error(`A settled ${kind} keeps no content`);
      const bytes = await keyring.open(of.tenantId, "transfers", sealed, contextOf(of));
      const opened: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
      if (isContent(opened)) return opened;
      throw new Failure("stored_newer", {}, { cause: new Error(`A ${kind} has another form`) });
    },
  };
};
