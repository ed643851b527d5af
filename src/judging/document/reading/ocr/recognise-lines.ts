import type { GreyImage } from "#machine/imaging/image";
import type { Network } from "#machine/networks/model";
import { textAlphabet } from "./alphabet.ts";
import { type CtcCode, type DecodedLine, decodeCtc } from "./ctc.ts";
import { writeNormalised } from "./normalise-line.ts";
import { resampleRows } from "./resample.ts";

/** Reads strips that hold one upright line each, in their order. */
export type RecogniseLines = (strips: readonly GreyImage[]) => Promise<readonly DecodedLine[]>;

const height = 40;
/** The network returns one column per two pixels and needs a multiple of four. */
const stride = 2;
const widthLimits = { min: 24, max: 1600 } as const;
/** Lines of similar width share a batch: at most this many, none padded by more than a third. */
const batch = { linesMax: 12, widthRatioMax: 4 / 3 } as const;

/**
 * Of 3,634 pairs of letters on generated cards without a space between them, none had a column above .06. Of
 * 33 spaces that the best path lost, all but three had a column above .1.
 */
const code: CtcCode = {
  characters: ["", ...textAlphabet],
  values: "logits",
  space: { code: 1 + textAlphabet.indexOf(" "), from: 0.1 },
  // Spanish and Portuguese never double these: a reader saw ROCÍÍO for ROCÍO. French has éé.
  single: new Set(Array.from("ÁÍÓÚáíóú", (vowel) => 1 + textAlphabet.indexOf(vowel))),
};

type Sized = { readonly strip: GreyImage; readonly width: number; readonly place: number };

const sizedOf = (strip: GreyImage, place: number): Sized => {
  const width = Math.round((strip.width * height) / strip.height);
  return { strip, place, width: Math.max(widthLimits.min, Math.min(widthLimits.max, width)) };
};

/** Groups neighbours by width, so little of a batch is padding. */
export const batchesOf = <Item extends { readonly width: number }>(
  items: readonly Item[],
): readonly (readonly Item[])[] => {
  const batches: Item[][] = [];
  for (const item of items.toSorted((a, b) => a.width - b.width)) {
    const last = batches.at(-1);
    const narrowest = last?.[0];
    const fits =
      last !== undefined &&
      narrowest !== undefined &&
      last.length < batch.linesMax &&
      item.width <= narrowest.width * batch.widthRatioMax;
    if (fits) last.push(item);
    else batches.push([item]);
  }
  return batches;
};

/** Makes a reader with the bundled line network. Throws when the output has another shape than expected. */
export const makeRecogniseLines = (network: Pick<Network, "run">): RecogniseLines => {
  const classes = textAlphabet.length + 1;
  const readBatch = async (items: readonly Sized[]): Promise<readonly DecodedLine[]> => {
    const rowLength = Math.ceil(Math.max(...items.map(({ width }) => width)) / 4) * 4;
    const data = new Float32Array(items.length * height * rowLength).fill(1);
    for (const [i, { strip, width }] of items.entries()) {
      const values = resampleRows(strip, 0, strip.height, width, height);
      writeNormalised(values, width, height, { data, at: i * height * rowLength, rowLength });
    }
    const dims = [items.length, 1, height, rowLength];
    const [answer] = Object.values(await network.run({ data, dims }));
    const columns = rowLength / stride;
    if (answer?.data.length !== items.length * columns * classes) {
      throw new Error(`The text network answered ${answer?.dims.join("x")} for ${dims.join("x")}`);
    }
    return items.map(({ width }, i) =>
      decodeCtc(
        { data: answer.data, at: i * columns * classes, columns: Math.ceil(width / stride), classes },
        code,
      ),
    );
  };
  return async (strips) => {
    const read = new Map<number, DecodedLine>();
    for (const items of batchesOf(strips.map(sizedOf))) {
      const lines = await readBatch(items);
      for (const [i, { place }] of items.entries()) read.set(place, lines[i]!);
    }
    return strips.map((_, place) => read.get(place)!);
  };
};
