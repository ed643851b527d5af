import type { Imaging } from "#machine/imaging/image";
import { makePhotographPassport } from "#sandbox/specimen/passport-photographs";
import { imageOf } from "../face/images.ts";

const place = { x: 172, y: 6, width: 420, height: 540 };

/**
 * Draws artificial passports with a portrait from a package of test images, and photographs them from above.
 */
export const openPhotographPassport = async (imaging: Imaging) =>
  makePhotographPassport(imaging, imaging.crop(await imaging.open(imageOf("franck_01829.jpg")), place));
