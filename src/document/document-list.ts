import type { Caller } from "#contract/endpoint";
import type { Keyring } from "#storage/blobs";
import type { Json, Step, Store } from "#storage/store";
import { listedHash } from "./met-before.ts";

type Deps = {
  readonly store: Pick<Store, "listDocument" | "unlistDocument" | "listListedDocuments">;
  readonly keyring: Pick<Keyring, "pseudonym" | "seal" | "open">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

export type ListedEntry = {
  readonly id: string;
  readonly world: Caller["world"];
  readonly at: Date;
  readonly note: string;
};

/** The operator's list of documents that are known from fraud (106). It holds no number that could be read back. */
export type DocumentList = {
  /** Answers the entry's id; undefined where the document is listed already. */
  readonly add: (
    owner: Pick<Caller, "tenantId" | "world">,
    document: { readonly country: string; readonly number: string; readonly note: string },
  ) => Promise<string | undefined>;
  readonly list: (tenantId: string) => AsyncGenerator<ListedEntry>;
  /** False where there is no such entry. */
  readonly remove: (tenantId: string, id: string) => Promise<boolean>;
};

export const makeDocumentList = ({ store, keyring, clock, newId }: Deps): DocumentList => {
  const stepOf = (kind: string, body: Json): Step => ({
    events: [],
    evidence: [{ id: newId(), kind, at: clock(), body }],
  });
  return {
    add: async (owner, { country, number, note }) => {
      const { tenantId, world } = owner;
      const id = newId();
      const words = new Uint8Array(Buffer.from(note, "utf8"));
      const document = {
        tenantId,
        id,
        world,
        number: await listedHash(keyring, owner, country, number),
        sealedNote: await keyring.seal(tenantId, "documents", words, contextOf(id)),
        at: clock(),
      };
      const isNew = await store.listDocument(document, stepOf("document_listed", { entry: id }));
      return isNew ? id : undefined;
    },

    list: async function* (tenantId) {
      let after = "";
      for (;;) {
        const page = await store.listListedDocuments(tenantId, after);
        for (const { id, world, at, sealedNote } of page) {
          const note = await keyring.open(tenantId, "documents", sealedNote, contextOf(id));
          yield { id, world, at, note: Buffer.from(note).toString("utf8") };
          after = id;
        }
        if (page.length === 0) {
          return;
        }
      }
    },

    remove: (tenantId, id) => store.unlistDocument(tenantId, id, stepOf("document_unlisted", { entry: id })),
  };
};

const contextOf = (id: string): string => `listed document ${id} note`;
