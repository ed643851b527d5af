import type { Json } from "#contract/json";
import type { KeyCommands, KeyRow } from "#trust/key-ring/key-store";
import type { FaceList, KeptFace, PlacedEvidence } from "../store/face-list.ts";
import type { FaceListCommands } from "../store/face-list-store.ts";
import type { GalleryThread } from "./gallery-thread.ts";

/** Sealed faces of the store with the tenant's wrapped keys. The gallery thread opens them. */
export type SealedBatch = {
  readonly list: FaceList;
  readonly keys: readonly KeyRow[];
  readonly faces: readonly KeptFace[];
};

type Owner = Pick<KeptFace, "tenantId" | "environment">;

/** A gallery's name. Tenants, environments and lists are never searched together. */
export const galleryName = (list: FaceList, { tenantId, environment }: Owner): string =>
  `${list}/${environment}/${tenantId}`;

/** True if the gallery of this name belongs to this list. */
export const isGalleryOf = (name: string, list: FaceList): boolean => name.startsWith(`${list}/`);

/** The store that provides the faces, and the galleries that receive them. */
export type FollowListDeps = {
  readonly store: Pick<FaceListCommands, "findFaces" | "listEvidence" | "listFaces"> &
    Pick<KeyCommands, "findKeys">;
  readonly gallery: Pick<GalleryThread<SealedBatch>, "forget" | "put" | "remove">;
};

/** One list of one tenant. */
export type TenantList = { readonly list: FaceList; readonly tenantId: string };

/** The progress on one list of one tenant; `seq` is undefined until the list is filled. */
export type Followed = {
  seq: number | undefined;
  faces: number;
  /** Made by another recogniser, or damaged: these faces cannot be compared. */
  unopened: number;
};

const pageRows = 200;
const environments = ["live", "test"] as const;

/**
 * Fills a list, or applies the changes since `followed.seq`. Returns the new position of the evidence.
 * `seqMin` is a position that the evidence had reached before this call: a fill starts there.
 */
export const followList = async (
  deps: FollowListDeps,
  tenantList: TenantList,
  followed: Followed,
  seqMin: number,
  signal: AbortSignal,
): Promise<number> => {
  let seq = followed.seq ?? (await fill(deps, tenantList, followed, seqMin, signal));
  for (;;) {
    signal.throwIfAborted();
    const entries = await deps.store.listEvidence(tenantList.tenantId, seq);
    const last = entries.at(-1);
    if (last === undefined) {
      return seq;
    }
    if (entries.some(({ kind }) => kind === "data_key_destroyed")) {
      seq = await fill(deps, tenantList, followed, last.seq, signal);
      continue;
    }
    await apply(deps, tenantList, followed, changedIn(tenantList.list, entries));
    seq = last.seq;
    followed.seq = seq;
  }
};

/**
 * Reads the whole list. A change during the read is applied again later as a change; adding a face twice has
 * the effect of adding it once.
 */
const fill = async (
  { store, gallery }: FollowListDeps,
  { list, tenantId }: TenantList,
  followed: Followed,
  seq: number,
  signal: AbortSignal,
): Promise<number> => {
  // A fill that outlives its thread must not empty the galleries of the next thread.
  signal.throwIfAborted();
  Object.assign(followed, { seq: undefined, faces: 0, unopened: 0 });
  for (const environment of environments) {
    await gallery.forget(galleryName(list, { tenantId, environment }));
  }
  let after = "";
  for (;;) {
    signal.throwIfAborted();
    const faces = await store.listFaces(list, tenantId, after, pageRows);
    if (faces.length === 0) {
      followed.seq = seq;
      return seq;
    }
    await put({ store, gallery }, { list, tenantId }, followed, faces);
    after = faces.at(-1)!.id;
  }
};

const put = async (
  { store, gallery }: FollowListDeps,
  { list, tenantId }: TenantList,
  followed: Followed,
  faces: readonly KeptFace[],
): Promise<void> => {
  if (faces.length === 0) {
    return;
  }
  const keys = await store.findKeys(tenantId);
  const { unopened } = await gallery.put({ list, keys, faces });
  followed.faces += faces.length - unopened;
  followed.unopened += unopened;
};

/** Ids of the list that the entries name, each once. */
const changedIn = (list: FaceList, entries: readonly PlacedEvidence[]): readonly string[] => {
  const { kinds, member } = changes[list];
  const ids = entries.filter(({ kind }) => kinds.includes(kind)).map(({ body }) => membersOf(body)[member]);
  return [...new Set(ids.filter((id) => typeof id === "string"))];
};

const membersOf = (body: Json): Readonly<Record<string, Json>> =>
  body !== null && typeof body === "object" && !isList(body) ? body : {};

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const changes: Readonly<
  Record<FaceList, { readonly kinds: readonly string[]; readonly member: "person" | "face" }>
> = {
  people: { kinds: ["person_enrolled", "person_template_replaced", "person_deleted"], member: "person" },
  blocked: { kinds: ["face_blocked", "face_unblocked"], member: "face" },
};

/** Removes a deleted face from both environments: the entry does not name its environment. */
const apply = async (
  deps: FollowListDeps,
  tenantList: TenantList,
  followed: Followed,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) {
    return;
  }
  const { list, tenantId } = tenantList;
  const faces = await deps.store.findFaces(list, tenantId, ids);
  const gone = ids.filter((id) => faces.every((face) => face.id !== id));
  await put(deps, tenantList, followed, faces);
  for (const environment of environments) {
    await deps.gallery.remove(galleryName(list, { tenantId, environment }), gone);
  }
};
