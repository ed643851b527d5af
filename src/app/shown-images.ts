import type { Blobs } from "#machine/storage/blobs";
import type { Engine } from "./engine.ts";

/**
 * Kept images as they leave the service: their pixels alone, without the metadata of the camera or the place.
 * Earlier releases kept images as they were sent, and a validation keeps what its decision measures. An image
 * that was kept without metadata stays equal.
 */
export const shownImages = (
  blobs: Pick<Blobs, "get">,
  { keepPixels }: Pick<Engine, "keepPixels">,
): Pick<Blobs, "get"> => ({
  get: async (tenantId, id) => await keepPixels(await blobs.get(tenantId, id)),
});
