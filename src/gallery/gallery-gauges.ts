import type { Collector } from "#http/metrics";
import type { FaceList } from "#storage/face-list";
import { isGalleryOf } from "./follow-list.ts";
import type { GalleryReadings } from "./gallery-thread.ts";

/** The galleries as metrics: what is held, whether enrolments may be compared with it, and what searches take. */
export const galleryGauges = (
  lists: readonly FaceList[],
  isFilled: (list: FaceList) => boolean,
  read: () => GalleryReadings,
): readonly Collector[] => {
  const byList = (name: string, help: string, valueOf: (list: FaceList) => number): Collector => ({
    name,
    help,
    labels: ["list"],
    read: () => lists.map((list) => ({ labels: { list }, value: valueOf(list) })),
  });
  return [
    byList("idem_gallery_faces", "Faces held in memory to be searched", (list) =>
      sumOf(read(), list, "size"),
    ),
    byList("idem_gallery_unopened", "Stored faces that nobody can be compared with", (list) =>
      sumOf(read(), list, "missing"),
    ),
    byList("idem_gallery_filled", "1 where the whole list is held, 0 while it is being filled", (list) =>
      Number(isFilled(list)),
    ),
    {
      name: "idem_gallery_search_runs",
      help: "Searches since the start, failed ones counted in",
      read: () => [{ value: read().searches.runs }],
    },
    {
      name: "idem_gallery_search_seconds",
      help: "Time spent in searches since the start, waiting counted in",
      read: () => [{ value: read().searches.ms / 1000 }],
    },
  ];
};

const sumOf = ({ galleries }: GalleryReadings, list: FaceList, what: "size" | "missing"): number =>
  [...galleries].reduce((sum, [name, counts]) => sum + (isGalleryOf(name, list) ? counts[what] : 0), 0);
