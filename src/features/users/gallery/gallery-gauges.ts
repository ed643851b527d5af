import type { Collector } from "#machine/http/metrics";
import type { FaceList } from "../store/face-list.ts";
import { isGalleryOf } from "./follow-list.ts";
import type { GalleryReadings } from "./gallery-thread.ts";

/** Metrics of the galleries: the faces held, whether a list is filled, and the time of searches. */
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
    byList("idem_gallery_faces", "Faces held in memory for search", (list) => sumOf(read(), list, "size")),
    byList("idem_gallery_unopened", "Stored faces that cannot be compared", (list) =>
      sumOf(read(), list, "missing"),
    ),
    byList("idem_gallery_filled", "1 if the whole list is in memory, 0 while it is being filled", (list) =>
      Number(isFilled(list)),
    ),
    {
      name: "idem_gallery_search_runs",
      help: "Searches since the start, including failed ones",
      read: () => [{ value: read().searches.runs }],
    },
    {
      name: "idem_gallery_search_seconds",
      help: "Time spent in searches since the start, including waiting",
      read: () => [{ value: read().searches.ms / 1000 }],
    },
  ];
};

const sumOf = ({ galleries }: GalleryReadings, list: FaceList, what: "size" | "missing"): number =>
  [...galleries].reduce((sum, [name, counts]) => sum + (isGalleryOf(name, list) ? counts[what] : 0), 0);
