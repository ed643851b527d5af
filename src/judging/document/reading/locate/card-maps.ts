import type { Image, Imaging } from "#machine/imaging/image";
import type { Network } from "#machine/networks/model";

/**
 * Output of the card network for an image: for each cell of a grid, row by row, 0…1, the probability that the
 * cell is on a card, and how near a card's border is.
 */
export type CardMaps = {
  readonly columns: number;
  readonly rows: number;
  readonly card: Float32Array;
  readonly border: Float32Array;
};

/**
 * As in training: the longer side, the multiple that the network's downsampling needs, and pixels per cell.
 */
const longSide = 256;
const multiple = 32;
const cellPx = 4;

/** Computes the maps of an image of any size; its shorter side is stretched to the next multiple. */
export type ReadCardMaps = (image: Image) => Promise<CardMaps>;

export const makeReadCardMaps =
  (imaging: Pick<Imaging, "resize">, network: Pick<Network, "run">): ReadCardMaps =>
  async (image) => {
    const scale = longSide / Math.max(image.width, image.height);
    const side = (length: number): number =>
      Math.min(longSide, Math.max(multiple, Math.round((length * scale) / multiple) * multiple));
    const [width, height] = [side(image.width), side(image.height)];
    const small = await imaging.resize(image, width, height);
    const { y } = await network.run({ data: planesOf(small), dims: [1, 3, height, width] });
    if (y === undefined) throw new Error("The card network gave no maps");
    const size = (width / cellPx) * (height / cellPx);
    return {
      columns: width / cellPx,
      rows: height / cellPx,
      card: y.data.subarray(0, size),
      border: y.data.subarray(size, 2 * size),
    };
  };

const planesOf = ({ width, height, data }: Image): Float32Array => {
  const size = width * height;
  const planes = new Float32Array(3 * size);
  for (let i = 0; i < size; i++) {
    planes[i] = data[3 * i]! / 127.5 - 1;
    planes[size + i] = data[3 * i + 1]! / 127.5 - 1;
    planes[2 * size + i] = data[3 * i + 2]! / 127.5 - 1;
  }
  return planes;
};
