import type { Caller } from "#contract/endpoint";
import type { Keyring } from "#storage/blobs";
import type { BlockedFace } from "#storage/face-list";
import type { Store } from "#storage/store";
import { evidenceOf } from "./service.ts";
import type { TemplateVault } from "./template-vault.ts";

type Deps = {
  readonly store: Pick<Store, "blockFaces" | "listBlocked" | "unblockFace">;
  readonly keyring: Pick<Keyring, "open" | "seal">;
  readonly vault: Pick<TemplateVault, "seal">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A blocked face as the operator sees it: its id, and what was noted with it. */
export type BlockedEntry = Pick<BlockedFace, "id" | "world" | "at" | "recogniser"> & {
  readonly note: string;
};

/** A template to be blocked, and in which world. */
export type FaceToBlock = { readonly world: Caller["world"]; readonly template: Uint8Array };

/** The operator's list of faces that are not to be enrolled; kept as registered templates are. */
export type BlockList = {
  /**
   * Blocks all faces or none, and answers their ids in their order. `note` says why, for whoever reads the list; it is
   * sealed too.
   */
  readonly block: (
    tenantId: string,
    faces: readonly FaceToBlock[],
    note: string,
  ) => Promise<readonly string[]>;
  readonly list: (tenantId: string) => AsyncGenerator<BlockedEntry>;
  /** False when there is no such face. Its template's key is gone with it, and the evidence keeps a receipt. */
  readonly unblock: (tenantId: string, id: string) => Promise<boolean>;
};

export const makeBlockList = ({ store, keyring, vault, clock, newId }: Deps): BlockList => ({
  block: async (tenantId, faces, note) => {
    const words = new Uint8Array(Buffer.from(note, "utf8"));
    const blocked: BlockedFace[] = [];
    for (const { world, template } of faces) {
      const owner = { tenantId, id: newId() };
      const sealed = await vault.seal(owner, template);
      const sealedNote = await keyring.seal(tenantId, "templates", words, contextOf(owner.id));
      blocked.push({ ...owner, ...sealed, world, sealedNote, at: clock() });
    }
    const evidence = blocked.map(({ id, keyId }) =>
      evidenceOf({ clock, newId }, "face_blocked", { face: id, key: keyId }),
    );
    await store.blockFaces(tenantId, blocked, { events: [], evidence });
    return blocked.map(({ id }) => id);
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
