import { Failure } from "#contract/failure";
import type { Imaging } from "#machine/imaging/image";
import type { PersonFault } from "./read-person.ts";

/**
 * Longest side of a kept photo: the head of a portrait then has more pixels than the recogniser takes (112 ×
 * 112), by a factor of three at least.
 */
export const photoSideMax = 720;

/** A photo that is small enough is kept as it is: encoding it again would only lose quality. */
const photoBytesMax = 200_000;

/** ISO/IEC 39794-5 asks for JPEG without visible loss; 90 is the usual step for it. */
const quality = 90;

/** The photo as it is kept: decoded whole, and scaled where it is larger. */
export const makePreparePhoto =
  ({ open, encodeJpeg }: Pick<Imaging, "open" | "encodeJpeg">) =>
  async (bytes: Uint8Array): Promise<Uint8Array | PersonFault> => {
    try {
      const image = await open(bytes, { longSideMax: photoSideMax });
      const isSmall = image.scale === 1 && bytes.length <= photoBytesMax;
      return isSmall ? bytes : new Uint8Array(await encodeJpeg(image, quality));
    } catch (error) {
      const code = error instanceof Failure ? error.code : undefined;
      if (code === "image_too_large") return "photo-too-large";
      if (code === "image_unreadable" || code === "image_unsupported") return "photo-unreadable";
      throw error;
    }
  };
