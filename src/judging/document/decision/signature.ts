import type { Box, Imaging } from "#machine/imaging/image";
import type { TextLine } from "../reading/ocr/text-line.ts";
import type { DocumentModel } from "./models/document-model.ts";
import { findLabel } from "./viz/find-label.ts";
import type { NormaliseText } from "./viz/normalise-text.ts";

/** The place of a signature, in shares of the upright side. */
export type SignaturePlace = { readonly side: "front" | "back"; readonly box: Box };

type Lines = { readonly front: readonly TextLine[]; readonly back: readonly TextLine[] };

/**
 * Finds the holder's signature on a card of the model. Where the label was read, the signature is above or
 * below it: nearer to the model's place or, without a place, on the side with less print. Without the label
 * it is at the model's place, unless that is unconfirmed.
 */
export const findSignature = (
  model: DocumentModel | undefined,
  lines: Lines,
  normaliseText: NormaliseText,
): SignaturePlace | undefined => {
  const signature = model?.signature;
  if (signature === undefined) {
    return undefined;
  }
  const { side, place, labels, sure } = signature;
  const stated = place === undefined ? undefined : boxOf(place);
  const label = labelIn(lines[side], labels, normaliseText);
  if (label === undefined) {
    return stated === undefined || sure === "?" ? undefined : { side, box: stated };
  }
  return { side, box: besideLabel(label, stated, lines[side]) };
};

const boxOf = ([x, y, width, height]: readonly [number, number, number, number]): Box => ({
  x,
  y,
  width,
  height,
});

const labelIn = (
  lines: readonly TextLine[],
  labels: readonly string[],
  normaliseText: NormaliseText,
): Box | undefined =>
  lines
    .flatMap(({ text, box }) =>
      labels.flatMap((label) => {
        const found = findLabel(normaliseText(text), normaliseText(label));
        return found === undefined ? [] : [{ box, edits: found.edits }];
      }),
    )
    .sort((a, b) => a.edits - b.edits)[0]?.box;

/** Below this confidence a line may be the signature itself, read as letters. The number is our choice. */
const printConfidenceMin = 0.8;

/** Usual size of a signature where a model gives none, as shares of the side. The number is our choice. */
const usualSize = { width: 0.34, height: 0.14 } as const;

const besideLabel = (label: Box, stated: Box | undefined, lines: readonly TextLine[]): Box => {
  const { width, height } = stated ?? usualSize;
  const boxWidth = Math.max(width, label.width);
  const x = label.x + label.width / 2 - boxWidth / 2;
  const above = within({ x, y: label.y - height, width: boxWidth, height });
  const below = within({ x, y: label.y + label.height, width: boxWidth, height });
  const print = lines.filter(({ confidence }) => confidence >= printConfidenceMin);
  const score = (box: Box): number =>
    stated === undefined
      ? box.width * box.height - print.reduce((sum, line) => sum + overlap(line.box, box), 0)
      : overlap(stated, box);
  return shrinkToPrint(score(below) > score(above) ? below : above, label, print);
};

/** Least height of a signature, as a share of the side. The number is our choice. */
const heightMin = 0.05;

/** The box, reduced to the part without print between it and the label, where enough height is left. */
const shrinkToPrint = (box: Box, label: Box, print: readonly TextLine[]): Box => {
  const lines = print.filter((line) => overlap(line.box, box) > 0).map((line) => line.box);
  if (box.y < label.y) {
    const top = Math.max(box.y, ...lines.map(({ y, height }) => y + height));
    const height = box.y + box.height - top;
    return height < heightMin ? box : { ...box, y: top, height };
  }
  const height = Math.min(box.y + box.height, ...lines.map(({ y }) => y)) - box.y;
  return height < heightMin ? box : { ...box, height };
};

const within = ({ x, y, width, height }: Box): Box => {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  return {
    x: left,
    y: top,
    width: Math.max(0, Math.min(1, x + width) - left),
    height: Math.max(0, Math.min(1, y + height) - top),
  };
};

const overlap = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

const jpegQuality = 92;

/**
 * Cuts a part out of an encoded upright side: JPEG, at most as large as the side. `box` is in shares of it.
 */
export const makeCutPart =
  (imaging: Pick<Imaging, "open" | "crop" | "encodeJpeg">) =>
  async (side: Uint8Array, box: Box): Promise<Uint8Array> => {
    const image = await imaging.open(side);
    const part = imaging.crop(image, {
      x: Math.floor(box.x * (image.width - 1)),
      y: Math.floor(box.y * (image.height - 1)),
      width: Math.max(1, Math.floor(box.width * image.width)),
      height: Math.max(1, Math.floor(box.height * image.height)),
    });
    return Uint8Array.from(await imaging.encodeJpeg(part, jpegQuality));
  };
