import { usualFace } from "./usual-face.generated.ts";

/** FaceMesh numbers of lips and mouth, of the chin below it, and of the lids: they move without the head. */
const mouth = [
  61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291, 185, 40, 39, 37, 0, 267, 269, 270, 409, 78, 95, 88, 178,
  87, 14, 317, 402, 318, 324, 308, 191, 80, 81, 82, 13, 312, 311, 310, 415, 76, 77, 90, 180, 85, 16, 315, 404,
  320, 307, 306, 184, 74, 73, 72, 11, 302, 303, 304, 408, 62, 96, 89, 179, 86, 15, 316, 403, 319, 325, 292,
  183, 42, 41, 38, 12, 268, 271, 272, 407,
] as const;
const chin = [
  152, 148, 176, 149, 150, 136, 377, 400, 378, 379, 365, 175, 199, 200, 18, 83, 313, 201, 421, 208, 428, 171,
  396, 32, 262, 194, 418, 182, 406, 106, 335, 43, 273, 57, 287, 202, 422, 204, 424, 211, 431, 140, 369, 170,
  395, 169, 394, 135, 364,
] as const;
const lids = [
  159, 145, 386, 374, 158, 157, 160, 161, 153, 154, 144, 163, 385, 384, 387, 388, 380, 381, 373, 390,
] as const;

const moving: ReadonlySet<number> = new Set([...mouth, ...chin, ...lids]);

/** The 319 FaceMesh numbers of skin over bone, of brows, nose and sockets. */
export const stillLandmarks: readonly number[] = usualFace.flatMap((_, i) => (moving.has(i) ? [] : [i]));

/** The usual height of each of them towards the camera, in eye distances. */
export const stillHeights: Float64Array = Float64Array.from(stillLandmarks, (i) => usualFace[i]![2]);
