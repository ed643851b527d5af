import { expect, it } from "vitest";
import { makeTaskMemory } from "#machine/imaging/task-memory";
import { imageOf, openFaceEngine } from "#support/face/images";

const plain = openFaceEngine();
const wanted = { template: true, liveness: true, attributes: true, mesh: true } as const;
const images = ["franck_02159.jpg", "cage.jpg", "franck_02159.jpg"].map(imageOf);

it("measures one face after another in one block as with new arrays", { timeout: 120_000 }, async () => {
  // A face takes more than the block has: the last arrays have memory of their own.
  const { memory, freeing } = makeTaskMemory(2 * 1024 ** 2);
  const { measure } = openFaceEngine(memory);
  const measureFace = freeing((bytes: Uint8Array) => measure(bytes, wanted));
  for (const image of images) expect(await measureFace(image)).toEqual(await plain.measure(image, wanted));
});
