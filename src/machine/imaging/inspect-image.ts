import type { FileFacts, Imaging } from "./image.ts";

/** A JPEG shrinks to an eighth during decoding, in a third of the time; the whole file is still read. */
const longSideMax = 256;

/**
 * Decodes a whole image and returns its file's facts: an image that passes here can be opened by every
 * engine.
 */
export const makeInspectImage =
  ({ open }: Pick<Imaging, "open">) =>
  async ({ bytes }: { readonly bytes: Uint8Array }): Promise<FileFacts> =>
    (await open(bytes, { longSideMax })).file;
