import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { FaceJudging } from "#face/judging";
import type { Keyring } from "#storage/blobs";
import type { BlockedFace } from "#storage/face-list";
import type { Store } from "#storage/store";
import { evidenceOf } from "./service.ts";
import type { TemplateVault } from "./template-vault.ts";

type Deps = {
  readonly store: Pick<Store, "blockFaces" | "listBlocked" | "unblockFace">;
  readonly keyring: Pick<Keyring, "open" | "seal">;
  readonly vault: Pick<TemplateVault, "open" | "seal">;
  readonly face: Pick<FaceJudging, "isSameTemplate" | "recogniserOf">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A blocked face as the operator sees it: its id, and what was noted with it. */
export type BlockedEntry = Pick<BlockedFace, "id" | "world" | "at" | "recogniser"> & {
  readonly note: string;
  /** What is stored cannot be opened any more: it matches nobody. */
  readonly isDamaged: boolean;
};

/** A template to be blocked, and in which world. */
export type FaceToBlock = { readonly world: Caller["world"]; readonly template: Uint8Array };

export type BlockAnswer = Pick<BlockedFace, "id" | "world"> & { readonly isNew: boolean };

/** The operator's list of faces that are not to be enrolled; kept as registered templates are. */
export type BlockList = {
  /**
   * Blocks all faces or none, and answers their entries in their order. A very template that is listed in its world keeps
   * its entry, and its note. `note` says why, for whoever reads the list; it is sealed too.
   */
  readonly block: (
    tenantId: string,
    faces: readonly FaceToBlock[],
    note: string,
  ) => Promise<readonly BlockAnswer[]>;
  readonly list: (tenantId: string) => AsyncGenerator<BlockedEntry>;
  /** False when there is no such face. Its template's key is gone with it, and the evidence keeps a receipt. */
  readonly unblock: (tenantId: string, id: string) => Promise<boolean>;
};

export const makeBlockList = (deps: Deps): BlockList => ({
  block: async (tenantId, faces, note) => {
    const { store } = deps;
    const answers: BlockAnswer[] = [];
    const added: BlockedFace[] = [];
    for (const face of faces) {
      const listed = await findVery(deps, tenantId, face);
      const entry = listed ?? (await sealFace(deps, tenantId, face, note));
      answers.push({ id: entry.id, world: entry.world, isNew: listed === undefined });
      if (listed === undefined) added.push(entry);
    }
    if (added.length > 0) {
      const evidence = added.map(({ id, keyId }) =>
        evidenceOf(deps, "face_blocked", { face: id, key: keyId }),
      );
      await store.blockFaces(tenantId, added, { events: [], evidence });
    }
    return answers;
  },

  list: async function* (tenantId) {
    for await (const entry of allBlocked(deps, tenantId)) {
      const { id, world, at, recogniser, sealedNote } = entry;
      const template = await findSound(deps.vault.open(entry));
      const words = await findSound(deps.keyring.open(tenantId, "templates", sealedNote, contextOf(id)));
      const note = Buffer.from(words ?? []).toString("utf8");
      yield { id, world, at, recogniser, note, isDamaged: template === undefined };
    }
  },

  unblock: async (tenantId, id) => {
    const evidence = [evidenceOf(deps, "face_unblocked", { face: id })];
    return await deps.store.unblockFace(tenantId, id, { events: [], evidence });
  },
});

/** Every entry of the tenant. */
async function* allBlocked({ store }: Deps, tenantId: string): AsyncGenerator<BlockedFace> {
  let page = await store.listBlocked(tenantId, "");
  while (page.length > 0) {
    yield* page;
    page = await store.listBlocked(tenantId, page.at(-1)!.id);
  }
}

/** The entry of this very template in its world. One that is damaged blocks nobody, and so does not stand for it. */
const findVery = async (
  deps: Deps,
  tenantId: string,
  { world, template }: FaceToBlock,
): Promise<BlockedFace | undefined> => {
  const recogniser = deps.face.recogniserOf(template);
  for await (const entry of allBlocked(deps, tenantId)) {
    if (entry.world !== world || entry.recogniser !== recogniser) continue;
    const listed = await findSound(deps.vault.open(entry));
    if (listed !== undefined && deps.face.isSameTemplate(listed, template)) {
      return entry;
    }
  }
  return undefined;
};

/** What was opened; undefined where what is stored is damaged. */
const findSound = async (opening: Promise<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof Failure && error.code === "stored_damaged") return undefined;
    throw error;
  }
};

const sealFace = async (
  { keyring, vault, clock, newId }: Deps,
  tenantId: string,
  { world, template }: FaceToBlock,
  note: string,
): Promise<BlockedFace> => {
  const owner = { tenantId, id: newId() };
  const sealed = await vault.seal(owner, template);
  const words = new Uint8Array(Buffer.from(note, "utf8"));
  const sealedNote = await keyring.seal(tenantId, "templates", words, contextOf(owner.id));
  return { ...owner, ...sealed, world, sealedNote, at: clock() };
};

const contextOf = (id: string): string => `blocked ${id} note`;
