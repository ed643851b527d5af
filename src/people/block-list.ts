import type { Caller } from "#contract/endpoint";
import type { Keyring } from "#storage/blobs";
import type { BlockedFace } from "#storage/face-list";
import type { Store } from "#storage/store";
import { evidenceOf } from "./service.ts";
import type { TemplateVault } from "./template-vault.ts";

type Deps = {
  readonly store: Pick<Store, "blockFace" | "listBlocked" | "unblockFace">;
  readonly keyring: Pick<Keyring, "open" | "seal">;
  readonly vault: Pick<TemplateVault, "seal">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A blocked face as the operator sees it: its id, and what was noted with it. */
export type BlockedEntry = Pick<BlockedFace, "id" | "world" | "at" | "recogniser"> & {
  readonly note: string;
};

/** The operator's list of faces that are not to be enrolled; kept as registered templates are. */
export type BlockList = {
  /** Answers the face's id. `note` says why, for whoever reads the list; it is sealed too. */
  readonly block: (
    owner: Pick<Caller, "tenantId" | "world">,
    template: Uint8Array,
    note: string,
  ) => Promise<string>;
  readonly list: (tenantId: string) => AsyncGenerator<BlockedEntry>;
  /** False when there is no such face. Its template's key is gone with it, and the evidence keeps a receipt. */
  readonly unblock: (tenantId: string, id: string) => Promise<boolean>;
};

export const makeBlockList = ({ store, keyring, vault, clock, newId }: Deps): BlockList => ({
  block: async ({ tenantId, world }, template, note) => {
    const owner = { tenantId, id: newId() };
    const sealed = await vault.seal(owner, template);
    const words = new Uint8Array(Buffer.from(note, "utf8"));
    const sealedNote = await keyring.seal(tenantId, "templates", words, contextOf(owner.id));
    const evidence = [evidenceOf({ clock, newId }, "face_blocked", { face: owner.id, key: sealed.keyId })];
    await store.blockFace({ ...owner, ...sealed, world, sealedNote, at: clock() }, { events: [], evidence });
    return owner.id;
  },

  list: async function* (tenantId) {
    let after = "";
    for (;;) {
      const page = await store.listBlocked(tenantId, after);
      for (const { id, world, at, recogniser, sealedNote } of page) {
        const note = await keyring.open(tenantId, "templates", sealedNote, contextOf(id));
        yield { id, world, at, recogniser, note: Buffer.from(note).toString("utf8") };
        after = id;
      }
      if (page.length === 0) {
        return;
      }
    }
  },

  unblock: async (tenantId, id) => {
    const evidence = [evidenceOf({ clock, newId }, "face_unblocked", { face: id })];
    return await store.unblockFace(tenantId, id, { events: [], evidence });
  },
});

const contextOf = (id: string): string => `blocked ${id} note`;
