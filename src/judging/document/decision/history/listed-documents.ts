import type { Caller } from "#contract/endpoint";
import type { Json } from "#contract/json";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { stepOf } from "#record/transactions/record-call";
import type { ListedDocumentCommands } from "../../store/listed-document-store.ts";
import { listedHash } from "./velocity.ts";

type Deps = {
  readonly store: Pick<ListedDocumentCommands, "listDocument" | "unlistDocument" | "listListedDocuments">;
  readonly keyring: Pick<Keyring, "pseudonym" | "seal" | "open">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** An entry of the block list, with its decrypted note. */
export type ListedEntry = {
  readonly id: string;
  readonly environment: Caller["environment"];
  readonly at: Date;
  readonly note: string;
  /** True where the entry was added or changed past the service. */
  readonly isForged?: true;
};

/**
 * The operator's block list of documents (106). No number can be read back from it. Made by {@link
 * makeDocumentList}.
 */
export type DocumentList = {
  /** Returns the entry's id; undefined where the document is listed already. */
  readonly add: (
    owner: Pick<Caller, "tenantId" | "environment">,
    document: { readonly country: string; readonly number: string; readonly note: string },
  ) => Promise<string | undefined>;
  readonly list: (tenantId: string) => AsyncGenerator<ListedEntry>;
  /** False where there is no such entry. */
  readonly remove: (tenantId: string, id: string) => Promise<boolean>;
};

/** Kinds of evidence of the list. */
export const listedDocumentKinds = ["document_listed", "document_unlisted"] as const;

export const makeDocumentList = ({ store, keyring, clock, newId }: Deps): DocumentList => {
  const evidenceStep = (kind: (typeof listedDocumentKinds)[number], body: Json) =>
    stepOf({ evidence: [{ id: newId(), kind, at: clock(), body }] });
  return {
    add: async (owner, { country, number, note }) => {
      const { tenantId, environment } = owner;
      const id = newId();
      const words = new Uint8Array(Buffer.from(note, "utf8"));
      const document = {
        tenantId,
        id,
        environment,
        number: await listedHash(keyring, owner, country, number),
        sealedNote: await keyring.seal(tenantId, "documents", words, contextOf({ id, environment })),
        at: clock(),
      };
      const isNew = await store.listDocument(document, evidenceStep("document_listed", { entry: id }));
      return isNew ? id : undefined;
    },

    list: async function* (tenantId) {
      let after = "";
      for (;;) {
        const page = await store.listListedDocuments(tenantId, after);
        for (const { id, environment, at, sealedNote, isForged } of page) {
          after = id;
          if (isForged === true) {
            yield { id, environment, at, note: "", isForged };
            continue;
          }
          const note = await keyring.open(tenantId, "documents", sealedNote, contextOf({ id, environment }));
          yield { id, environment, at, note: Buffer.from(note).toString("utf8") };
        }
        if (page.length === 0) {
          return;
        }
      }
    },

    remove: (tenantId, id) =>
      store.unlistDocument(tenantId, id, evidenceStep("document_unlisted", { entry: id })),
  };
};

const contextOf = ({ id, environment }: Pick<ListedEntry, "id" | "environment">): BoundContext => ({
  owner: `listed document ${id} note`,
  environment,
});
