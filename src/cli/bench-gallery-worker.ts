/** The galleries' thread as `idem bench search` fills it: with drawn faces in the place of sealed ones. */
import { parentPort, workerData } from "node:worker_threads";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { attachGallery, makeServeGallery } from "#gallery/serve-gallery";
import { benchGallery, type DrawnBatch, idOfNumber, seedOf, unpackProbe } from "./bench-gallery.ts";
import { makeDrawFace } from "./synthetic-faces.ts";

const options = Compile(
  Type.Object({
    world: Type.Integer(),
    scoring: Type.Object({ base: Type.Number(), dlib: Type.Number(), faceres: Type.Number() }),
  }),
);

if (parentPort !== null) {
  const { world, scoring } = options.Parse(workerData);
  const draw = makeDrawFace(world);
  const open = async ({ from, count }: DrawnBatch) =>
    Array.from({ length: count }, (_, n) => ({
      gallery: benchGallery,
      id: idOfNumber(from + n),
      face: draw(seedOf(from + n)),
    }));
  attachGallery(parentPort, makeServeGallery({ scoring, open, openProbe: unpackProbe }));
}
