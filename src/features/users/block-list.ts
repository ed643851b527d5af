import type { Caller } from "#contract/endpoint";
import { Failure, isUnreadable } from "#contract/failure";
import { isSameTemplate, recogniserOfTemplate } from "#judging/face/matching/template";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { stepOf } from "#record/transactions/record-call";
import { evidenceOf } from "./service.ts";
import type { BlockedFace } from "./store/face-list.ts";
import type { FaceListCommands } from "./store/face-list-store.ts";
import type { TemplateVault } from "./template-vault.ts";

type Deps = {
  readonly store: Pick<FaceListCommands, "blockFaces" | "listBlocked" | "listEvidenceHeads" | "unblockFace">;
  readonly keyring: Pick<Keyring, "open" | "seal">;
  readonly vault: Pick<TemplateVault, "open" | "seal">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A blocked face as the operator sees it: its id and its note. */
export type BlockedEntry = Pick<BlockedFace, "id" | "environment" | "at" | "recogniser"> & {
  readonly note: string;
  /** True if the stored template cannot be opened. Such an entry matches no face. */
  readonly isDamaged: boolean;
  /** True where the entry was added or changed past the service. */
  readonly isForged?: true;
};

/** A template to block, and its environment. */
export type FaceToBlock = { readonly environment: Caller["environment"]; readonly template: Uint8Array };

export type BlockAnswer = Pick<BlockedFace, "id" | "environment"> & { readonly isNew: boolean };

/**
 * The operator's list of faces that must not be enrolled, sealed as registered templates are. Made by
 * {@link makeBlockList}.
 */
export type BlockList = {
  /**
   * Blocks all faces or none, and returns their entries in the same order. If the same template is already
   * blocked in its environment, its entry and its note stay: also if two processes block it at once. `note`
   * is the reason; it is sealed too. Fails with store_unavailable where others change the list all the time.
   */
  readonly block: (
    tenantId: string,
    faces: readonly FaceToBlock[],
    note: string,
  ) => Promise<readonly BlockAnswer[]>;
  readonly list: (tenantId: string) => AsyncGenerator<BlockedEntry>;
  /**
   * Returns false if the face does not exist. Destroys the key of its template and adds a receipt to the
   * evidence.
   */
  readonly unblock: (tenantId: string, id: string) => Promise<boolean>;
};

export const makeBlockList = (deps: Deps): BlockList => ({
  block: async (tenantId, faces, note) => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const answers = await tryToBlock(deps, tenantId, faces, note);
      if (answers !== undefined) return answers;
    }
    const cause = new Error("Repeat the command: the block list changed during every try");
    throw new Failure("store_unavailable", {}, { cause });
  },

  list: async function* (tenantId) {
    for await (const entry of allBlocked(deps, tenantId)) {
      const { id, environment, at, recogniser, sealedNote } = entry;
      if (entry.isForged === true) {
        yield { id, environment, at, recogniser, note: "", isDamaged: false, isForged: true };
        continue;
      }
      const template = await findIntact(deps.vault.open(entry));
      const noteBytes = await findIntact(
        deps.keyring.open(tenantId, "templates", sealedNote, contextOf(entry)),
      );
      const note = Buffer.from(noteBytes ?? []).toString("utf8");
      yield { id, environment, at, recogniser, note, isDamaged: template === undefined };
    }
  },

  unblock: async (tenantId, id) => {
    const evidence = [evidenceOf(deps, "face_unblocked", { face: id })];
    return await deps.store.unblockFace(tenantId, id, stepOf({ evidence }));
  },
});

/** Of several processes at once one adds its faces; the others read the list again. */
const triesMax = 20;

/** Undefined, and nothing written, where a face was blocked since the list was read. */
const tryToBlock = async (
  deps: Deps,
  tenantId: string,
  faces: readonly FaceToBlock[],
  note: string,
): Promise<readonly BlockAnswer[] | undefined> => {
  const heads = await deps.store.listEvidenceHeads();
  const listedAt = heads.find((head) => head.tenantId === tenantId)?.seq ?? 0;
  const answers: BlockAnswer[] = [];
  const added: BlockedFace[] = [];
  for (const face of faces) {
    const listed = await findIdentical(deps, tenantId, face);
    const entry = listed ?? (await sealFace(deps, tenantId, face, note));
    answers.push({ id: entry.id, environment: entry.environment, isNew: listed === undefined });
    if (listed === undefined) added.push(entry);
  }
  if (added.length === 0) return answers;
  const evidence = added.map(({ id, keyId }) => evidenceOf(deps, "face_blocked", { face: id, key: keyId }));
  return (await deps.store.blockFaces(tenantId, added, stepOf({ evidence }), listedAt)) ? answers : undefined;
};

/** Yields every entry of the tenant. */
async function* allBlocked({ store }: Deps, tenantId: string): AsyncGenerator<BlockedFace> {
  let page = await store.listBlocked(tenantId, "");
  while (page.length > 0) {
    yield* page;
    page = await store.listBlocked(tenantId, page.at(-1)!.id);
  }
}

/**
 * The entry of the identical template in its environment. A damaged entry blocks no face, so it does not
 * count.
 */
const findIdentical = async (
  deps: Deps,
  tenantId: string,
  { environment, template }: FaceToBlock,
): Promise<BlockedFace | undefined> => {
  const recogniser = recogniserOfTemplate(template);
  for await (const entry of allBlocked(deps, tenantId)) {
    if (entry.isForged === true || entry.environment !== environment) continue;
    if (entry.recogniser !== recogniser) continue;
    const listed = await findIntact(deps.vault.open(entry));
    if (listed !== undefined && isSameTemplate(listed, template)) {
      return entry;
    }
  }
  return undefined;
};

/** The opened bytes; undefined if the stored ones are damaged or of a newer release. */
const findIntact = async (opening: Promise<Uint8Array>): Promise<Uint8Array | undefined> => {
  try {
    return await opening;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
};

const sealFace = async (
  { keyring, vault, clock, newId }: Deps,
  tenantId: string,
  { environment, template }: FaceToBlock,
  note: string,
): Promise<BlockedFace> => {
  const owner = { tenantId, environment, id: newId() };
  const sealed = await vault.seal(owner, template);
  const noteBytes = new Uint8Array(Buffer.from(note, "utf8"));
  const sealedNote = await keyring.seal(tenantId, "templates", noteBytes, contextOf(owner));
  return { ...owner, ...sealed, sealedNote, at: clock() };
};

const contextOf = ({ id, environment }: Pick<BlockedFace, "id" | "environment">): BoundContext => ({
  owner: `blocked ${id} note`,
  environment,
});
