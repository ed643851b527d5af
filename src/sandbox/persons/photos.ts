import type { Image, Imaging } from "#machine/imaging/image";
import type { PhotoOf } from "../registries/registry-simulator.ts";
import { painted } from "../specimen/canvas.ts";
import { portraitSize } from "../specimen/cards/draw-card.ts";
import { drawPortrait, drawSelfieOf } from "../specimen/drawn-person.ts";
import { type Persons, portraitBox, readPersons } from "../specimen/persons.ts";
import { expose } from "../specimen/photograph.ts";
import type { SandboxFace, SandboxPerson } from "./sandbox-person.ts";

/** A registry's photo: small, as registries keep them. It takes some 0.3 s of an idle core to draw. */
const photoSize = { width: 168, height: 216 } as const;

/** Photos that a registry has drawn already; the eldest is forgotten. */
const photosMax = 200;

/** The face of a person for a document, 420 × 540 px. */
export const portraitOf = async (imaging: Imaging, { face, gender }: SandboxPerson): Promise<Image> => {
  const image =
    face.kind === "drawn"
      ? drawPortrait(face.seed, gender, photoSize)
      : await photographOf(imaging, await readPersons(), face.of);
  return await imaging.resize(image, portraitSize.width, portraitSize.height);
};

/** A later image of the same person, as a telephone takes it: JPEG. */
export const selfieOf = async (imaging: Imaging, { face, gender }: SandboxPerson): Promise<Uint8Array> => {
  if (face.kind === "drawn") {
    const image = expose(drawSelfieOf(face.seed, gender), {
      noise: 2,
      blurPx: 1,
      falloff: 0.8,
      seed: face.seed,
    });
    return await imaging.encodeJpeg(image, 88);
  }
  const persons = await readPersons();
  return face.of === "holder" ? persons.selfie : persons.impostor;
};

/** Head and shoulders of a photograph, 35 : 45. */
const photographOf = async (
  imaging: Imaging,
  persons: Persons,
  of: Extract<SandboxFace, { readonly kind: "photograph" }>["of"],
): Promise<Image> => {
  if (of === "holder") return imaging.crop(await imaging.open(persons.portrait), portraitBox);
  return cropUpright(imaging, await imaging.open(persons.impostor));
};

/** The middle of an image in the form of a portrait. */
const cropUpright = (imaging: Imaging, image: Image): Image => {
  const scale = Math.min(image.width / portraitSize.width, image.height / portraitSize.height);
  const [width, height] = [Math.floor(portraitSize.width * scale), Math.floor(portraitSize.height * scale)];
  return imaging.crop(image, {
    x: Math.floor((image.width - width) / 2),
    y: Math.floor((image.height - height) / 2),
    width,
    height,
  });
};

/**
 * The photos of registries: drawn when they are asked, and kept while there is space. A person of the demo
 * has none where the development dependency with the images is missing.
 */
export const makePhotoOf = (imaging: Imaging): PhotoOf => {
  const kept = new Map<string, Promise<Uint8Array | undefined>>();
  return (person, kind) => {
    const name = `${person.country} ${person.index} ${kind}`;
    const known = kept.get(name) ?? draw(imaging, person, kind);
    kept.delete(name);
    kept.set(name, known);
    const [eldest] = kept.keys();
    if (kept.size > photosMax && eldest !== undefined) kept.delete(eldest);
    return known;
  };
};

const draw = async (
  imaging: Imaging,
  person: SandboxPerson,
  kind: Parameters<PhotoOf>[1],
): Promise<Uint8Array | undefined> => {
  if (kind === "no-face") return await imaging.encodeJpeg(painted(168, 216, wall), 90);
  const portrait = await portraitOf(imaging, person);
  return await imaging.encodeJpeg(kind === "portrait" ? portrait : twice(portrait), 90);
};

const wall = (x: number, y: number): readonly [number, number, number] => {
  const shade = 190 - ((x + y) % 40);
  return [shade, shade, shade + 4];
};

/** The same face beside itself. */
const twice = ({ width, height, data }: Image): Image => {
  const wide = new Uint8Array(2 * data.length);
  for (let row = 0; row < height; row++) {
    const line = data.subarray(row * width * 3, (row + 1) * width * 3);
    wide.set(line, row * width * 6);
    wide.set(line, row * width * 6 + width * 3);
  }
  return { width: 2 * width, height, data: wide };
};
