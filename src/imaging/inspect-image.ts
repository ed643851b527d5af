import type { FileFacts, Imaging } from "./image.ts";

/** Decodes a picture whole and tells its file's facts: what passes here can be opened by every engine. */
export const makeInspectImage =
  ({ open }: Pick<Imaging, "open">) =>
  async ({ bytes }: { readonly bytes: Uint8Array }): Promise<FileFacts> =>
    (await open(bytes)).file;
