/** The gallery thread of `idem bench search`: filled with drawn faces instead of sealed templates. */
import { parentPort, workerData } from "node:worker_threads";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { attachGallery, makeServeGallery } from "#features/users/gallery/serve-gallery";
import { benchGallery, type DrawnBatch, idOfNumber, seedOf, unpackProbe } from "./gallery.ts";

const options = makeCheck(
  Type.Object({
    seed: Type.Integer(),
    scoring: Type.Object({ base: Type.Number(), dlib: Type.Number(), faceres: Type.Number() }),
  }),
);

if (parentPort !== null) {
  const { seed, scoring } = options.Parse(workerData);
  const draw = makeDrawFace(seed);
  const open = async ({ from, count }: DrawnBatch) =>
    Array.from({ length: count }, (_, n) => ({
      gallery: benchGallery,
      id: idOfNumber(from + n),
      face: draw(seedOf(from + n)),
    }));
  attachGallery(parentPort, makeServeGallery({ scoring, open, openProbe: unpackProbe }));
}
