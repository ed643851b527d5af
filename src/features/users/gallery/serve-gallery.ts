import type { MessagePort } from "node:worker_threads";
import { type ScalePoint, scoreOfValue, valueOfScore } from "#judging/face/matching/score-scale";
import { type Gallery, makeGallery } from "./gallery.ts";
import type {
  GalleryAnswers,
  GalleryMessage,
  GalleryReply,
  GalleryRequest,
  GallerySize,
  SearchRequest,
} from "./message.ts";
import type { Found } from "./scan.ts";
import type { Descriptors, Scoring } from "./scoring.ts";
import { makeSegments } from "./segments.ts";

/** A face of a batch and its gallery; without `face` if it could not be opened. */
export type OpenedFace = {
  readonly gallery: string;
  readonly id: string;
  readonly face?: Descriptors;
  /** True if its keys were destroyed: the face is erased and does not count as missing. */
  readonly isErased?: boolean;
};

export type GalleryParts<Batch> = {
  readonly scoring: Scoring;
  /** The score scale. Absent where the sum of a row is the score itself. */
  readonly points?: readonly ScalePoint[] | undefined;
  /** Opens a batch. An item without `face` could not be opened. */
  readonly open: (batch: Batch) => Promise<readonly OpenedFace[]>;
  /** The vectors of a packed template; undefined for bytes that are no template of the present recogniser. */
  readonly openProbe: (template: Uint8Array) => Descriptors | undefined;
};

type Serve<Batch> = (request: GalleryRequest<Batch>) => Promise<GalleryAnswers[keyof GalleryAnswers]>;

const inScores = ({ candidates, total }: Found, points: readonly ScalePoint[]): Found => ({
  candidates: candidates.map(({ id, scoreMax }) => ({ id, scoreMax: scoreOfValue(points, scoreMax) })),
  total,
});

const putFace = (gallery: Gallery, missing: Set<string>, { id, face, isErased }: OpenedFace): void => {
  missing.delete(id);
  if (face !== undefined) {
    gallery.put(id, face);
    return;
  }
  // An earlier face of the same id is outdated too.
  gallery.remove(id);
  if (isErased !== true) {
    missing.add(id);
  }
};

/** Ids of the faces that could not be opened, by gallery. */
const makeMissing = () => {
  const missing = new Map<string, Set<string>>();
  return {
    of: (name: string): Set<string> => {
      const ids = missing.get(name) ?? new Set();
      missing.set(name, ids);
      return ids;
    },
    forget: (name: string): void => {
      missing.delete(name);
    },
  };
};

/** Serves the galleries of a thread, by name, over one memory. An unknown name is an empty gallery. */
export const makeServeGallery = <Batch>({
  scoring,
  points,
  open,
  openProbe,
}: GalleryParts<Batch>): Serve<Batch> => {
  const segments = makeSegments();
  const galleries = new Map<string, Gallery>();
  const galleryOf = (name: string): Gallery => {
    const gallery = galleries.get(name) ?? makeGallery(segments, scoring);
    galleries.set(name, gallery);
    return gallery;
  };
  const missing = makeMissing();
  const sizeOf = (name: string): GallerySize => ({
    size: galleries.get(name)?.size() ?? 0,
    missing: missing.of(name).size,
  });

  const put = async (batch: Batch): Promise<GalleryAnswers["put"]> => {
    const opened = await open(batch);
    opened.forEach((one) => putFace(galleryOf(one.gallery), missing.of(one.gallery), one));
    const names = [...new Set(opened.map(({ gallery }) => gallery))];
    const sizes = names.map((name) => ({ gallery: name, ...sizeOf(name) }));
    return { sizes, unopened: opened.filter(({ face }) => face === undefined).length };
  };

  const remove = (name: string, ids: readonly string[]): GalleryAnswers["remove"] => {
    ids.forEach((id) => putFace(galleryOf(name), missing.of(name), { gallery: name, id, isErased: true }));
    return sizeOf(name);
  };

  const forget = (name: string): GalleryAnswers["forget"] => {
    galleries.get(name)?.clear();
    galleries.delete(name);
    missing.forget(name);
    return sizeOf(name);
  };

  const search = ({ gallery, probe, scoreMin, limit }: SearchRequest): GalleryAnswers["search"] => {
    const query = openProbe(probe);
    const sumMin = points === undefined ? scoreMin : valueOfScore(points, scoreMin);
    const found = query && galleries.get(gallery)?.search(query, sumMin, limit);
    if (found === undefined) return { candidates: [], total: 0 };
    return points === undefined ? found : inScores(found, points);
  };

  return async (request) => {
    if (request.kind === "put") return await put(request.batch);
    if (request.kind === "remove") return remove(request.gallery, request.ids);
    return request.kind === "forget" ? forget(request.gallery) : search(request);
  };
};

/** Answers the messages of a port, one after the other. */
export const attachGallery = <Batch>(port: MessagePort, serve: Serve<Batch>): void => {
  let before = Promise.resolve();
  const answer = async ({ number, request }: GalleryMessage<Batch>): Promise<void> => {
    const reply = await serve(request).then(
      (given): GalleryReply => ({ number, answer: given }),
      (error: unknown): GalleryReply => ({ number, error: String(error) }),
    );
    port.postMessage(reply);
  };
  port.on("message", (message: GalleryMessage<Batch>) => {
    before = before.then(() => answer(message));
  });
};
