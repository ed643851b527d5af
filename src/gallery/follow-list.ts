import type { FaceList, KeptFace, PlacedEvidence } from "#storage/face-list";
import type { Json, KeyRow, Store } from "#storage/store";
import type { GalleryThread } from "./gallery-thread.ts";

/** Faces as the store keeps them, with the tenant's wrapped keys: the galleries' thread opens them. */
export type SealedBatch = {
  readonly list: FaceList;
  readonly keys: readonly KeyRow[];
  readonly faces: readonly KeptFace[];
};

type Owner = Pick<KeptFace, "tenantId" | "world">;

/** A gallery's name: tenants, worlds and lists are never searched together. */
export const galleryName = (list: FaceList, { tenantId, world }: Owner): string =>
  `${list}/${world}/${tenantId}`;

/** Whether the gallery of this name is of this list. */
export const isGalleryOf = (name: string, list: FaceList): boolean => name.startsWith(`${list}/`);

/** Where the faces come from, and where they go. */
export type Route = {
  readonly store: Pick<Store, "findFaces" | "findKeys" | "listEvidence" | "listFaces">;
  readonly gallery: Pick<GalleryThread<SealedBatch>, "forget" | "put" | "remove">;
};

/** One list of one tenant. */
export type Place = { readonly list: FaceList; readonly tenantId: string };

/** How far a place was followed: `seq` is undefined until it is filled. */
export type Followed = {
  seq: number | undefined;
  faces: number;
  /** Of another recogniser, or damaged: nobody can be compared with them. */
  unopened: number;
};

const pageRows = 200;
const worlds = ["live", "test"] as const;

/**
 * Fills a place, or brings it from where it was to the present; answers how far the evidence goes now. `seqMin` is how far
 * it went at least when this was asked for: a filling begins there.
 */
export const followList = async (
  route: Route,
  place: Place,
  followed: Followed,
  seqMin: number,
  signal: AbortSignal,
): Promise<number> => {
  let seq = followed.seq ?? (await fill(route, place, followed, seqMin, signal));
  for (;;) {
    signal.throwIfAborted();
    const entries = await route.store.listEvidence(place.tenantId, seq);
    const last = entries.at(-1);
    if (last === undefined) {
      return seq;
    }
    if (entries.some(({ kind }) => kind === "data_key_destroyed")) {
      seq = await fill(route, place, followed, last.seq, signal);
      continue;
    }
    await apply(route, place, followed, changedIn(place.list, entries));
    seq = last.seq;
    followed.seq = seq;
  }
};

/** Reads the whole list. What changes meanwhile is met again as a change: putting a face twice is putting it once. */
const fill = async (
  { store, gallery }: Route,
  { list, tenantId }: Place,
  followed: Followed,
  seq: number,
  signal: AbortSignal,
): Promise<number> => {
  // What a thread that has ended left undone must not empty the next one's galleries.
  signal.throwIfAborted();
  Object.assign(followed, { seq: undefined, faces: 0, unopened: 0 });
  for (const world of worlds) {
    await gallery.forget(galleryName(list, { tenantId, world }));
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
  { store, gallery }: Route,
  { list, tenantId }: Place,
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

/** Ids of a list that the entries speak of, each once. */
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

/** A face that is not there any more leaves both worlds: nothing tells in which it was. */
const apply = async (
  route: Route,
  place: Place,
  followed: Followed,
  ids: readonly string[],
): Promise<void> => {
  if (ids.length === 0) {
    return;
  }
  const { list, tenantId } = place;
  const faces = await route.store.findFaces(list, tenantId, ids);
  const gone = ids.filter((id) => faces.every((face) => face.id !== id));
  await put(route, place, followed, faces);
  for (const world of worlds) {
    await route.gallery.remove(galleryName(list, { tenantId, world }), gone);
  }
};
