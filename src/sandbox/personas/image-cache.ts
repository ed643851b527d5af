import type { PersonaDrawing } from "../specimen/persona-images.ts";
import type { MetImage } from "./find-image.ts";
import { writeMark } from "./mark.ts";

/** The encoded and marked image of a persona. */
export type DrawImage = (image: Pick<MetImage, "drawing" | "persona">, name: string) => Promise<Uint8Array>;

/** All drawings of the catalogue need a few megabytes. */
const cacheBytesMax = 16_000_000;

/**
 * Draws images in an inference thread, each drawing once at a time, and keeps what was drawn last within 16
 * MB. Fails as the pool does.
 */
export const makeDrawImage = (draw: (drawing: PersonaDrawing) => Promise<Uint8Array>): DrawImage => {
  const drawn = new Map<string, Uint8Array>();
  const running = new Map<string, Promise<Uint8Array>>();
  let bytes = 0;
  const keep = (key: string, image: Uint8Array): Uint8Array => {
    drawn.set(key, image);
    bytes += image.length;
    for (const [oldest, { length }] of drawn) {
      if (bytes <= cacheBytesMax) break;
      drawn.delete(oldest);
      bytes -= length;
    }
    return image;
  };
  const drawOnce = async (key: string, drawing: PersonaDrawing): Promise<Uint8Array> => {
    const known = drawn.get(key) ?? running.get(key);
    if (known !== undefined) return await known;
    const made = draw(drawing)
      .then((image) => keep(key, image))
      .finally(() => running.delete(key));
    running.set(key, made);
    return await made;
  };
  return async ({ drawing, persona }, name) =>
    writeMark(await drawOnce(JSON.stringify(drawing), drawing), `${persona}/${name}`);
};
