import type { Image, Imaging } from "#imaging/image";
import type { Network, Tensor } from "#inference/model";
import type { TextBox } from "./text-box.ts";
import { boxesOfMap, type TextMap } from "./text-map.ts";

/** ImageNet mean and deviation of R, G, B, as the detector was trained with. */
const mean = [0.485, 0.456, 0.406] as const;
const deviation = [0.229, 0.224, 0.225] as const;

/** The network halves its input five times. */
const grid = 32;

export type DetectOptions = {
  /** Longer side of the network's input, px; a smaller picture is enlarged to it. */
  readonly longSide: number;
  /** The network sees the picture turned by 90 degrees: it was trained on horizontal text. Boxes come back unturned. */
  readonly turned?: boolean;
};

export type DetectText = (image: Image, options: DetectOptions) => Promise<readonly TextBox[]>;

const toGrid = (pixels: number): number => Math.max(grid, Math.round(pixels / grid) * grid);

/** What the network takes for each level of a channel. */
const levels = mean.map((middle, channel) =>
  Float32Array.from({ length: 256 }, (_, value) => (value / 255 - middle) / deviation[channel]!),
);

/** Planes R, G, B; turned: column by column from the bottom, a quarter turn clockwise. */
const inputOf = ({ data, width, height }: Image, turned: boolean): Tensor => {
  const pixels = width * height;
  const planes = new Float32Array(3 * pixels);
  const [red, green, blue] = [levels[0]!, levels[1]!, levels[2]!];
  const step = turned ? height : 1;
  for (let y = 0, from = 0; y < height; y++) {
    let to = turned ? height - 1 - y : y * width;
    for (let x = 0; x < width; x++, from += 3, to += step) {
      planes[to] = red[data[from]!]!;
      planes[pixels + to] = green[data[from + 1]!]!;
      planes[2 * pixels + to] = blue[data[from + 2]!]!;
    }
  }
  return { data: planes, dims: turned ? [1, 3, width, height] : [1, 3, height, width] };
};

const unturn = (data: Float32Array, width: number, height: number): Float32Array => {
  const upright = new Float32Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      upright[y * width + x] = data[x * height + (height - 1 - y)]!;
    }
  }
  return upright;
};

/** Finds text with the PP-OCR v4 detector. Throws when the network answers with another shape than its input's. */
export const makeDetectText =
  (imaging: Pick<Imaging, "resize">, network: Network): DetectText =>
  async (image, { longSide, turned = false }) => {
    const scale = longSide / Math.max(image.width, image.height);
    const small = await imaging.resize(image, toGrid(image.width * scale), toGrid(image.height * scale));
    const [answer] = Object.values(await network.run(inputOf(small, turned)));
    if (answer?.data.length !== small.width * small.height) {
      throw new Error(
        `The text detector answered ${answer?.dims.join("x")} for ${small.width}x${small.height}`,
      );
    }
    const data = turned ? unturn(answer.data, small.width, small.height) : answer.data;
    const map: TextMap = { width: small.width, height: small.height, data };
    return boxesOfMap(map, image.width / small.width, image.height / small.height);
  };
