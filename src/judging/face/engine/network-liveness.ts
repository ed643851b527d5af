import type { Box, Image } from "#machine/imaging/image";
import type { LivenessSpec } from "#machine/models/serve-slot";
import type { Tensor } from "#machine/networks/model";
import type { LivenessCues, ShadowLiveness } from "../measurement.ts";
import { tensorOf } from "./network-input.ts";

/** A liveness network added by the operator. */
export type LivenessNetwork = {
  readonly name: string;
  /** SHA-256 of its file, hex. */
  readonly hash: string;
  readonly spec: LivenessSpec;
  readonly run: (input: Tensor) => Promise<Readonly<Record<string, Tensor>>>;
};

/** The liveness networks of a deployment: the deciding ones, and those in shadow mode. */
export type AddedLiveness = {
  readonly active: readonly LivenessNetwork[];
  readonly shadow: readonly LivenessNetwork[];
};

/**
 * The networks' scores for the face in a whole image, or the reason for their silence; empty without
 * networks. `face` is the landmarks' box.
 */
export type MeasureNetworkLiveness = (
  image: Image,
  face: Box,
) => Promise<Pick<LivenessCues, "network" | "networkSilence">>;

/**
 * The box of a detector trained on WIDER FACE, which these networks were trained with. The landmarks' box is
 * slightly wider and ends at the hairline. Measured against YuNet on 191 images of LFW: width .979 (90 %
 * within .92 to 1.03), height 1.149 (1.08 to 1.25), middle .059 of the height further up.
 */
const detectorBox = ({ x, y, width, height }: Box): Box => ({
  x: x + width * 0.01,
  y: y + height * (0.5 - 0.06 - 1.15 / 2),
  width: width * 0.98,
  height: height * 1.15,
});

/** A start that keeps the whole of `size` before `end`. */
const within = (start: number, size: number, end: number): number =>
  Math.max(0, Math.min(start, end - 1 - size));

/**
 * The crop about a face: `scale` times its box in both directions, less if that does not fit, shifted back
 * into the image, on whole pixels (Minivision, Silent-Face-Anti-Spoofing, generate_patches.py).
 */
export const cropAbout = (image: Pick<Image, "width" | "height">, face: Box, scale: number): Box => {
  const fitting = Math.min(scale, (image.width - 1) / face.width, (image.height - 1) / face.height);
  const [width, height] = [face.width * fitting, face.height * fitting];
  const x = within(face.x + face.width / 2 - width / 2, width, image.width);
  const y = within(face.y + face.height / 2 - height / 2, height, image.height);
  const [left, top] = [Math.floor(x), Math.floor(y)];
  return {
    x: left,
    y: top,
    width: Math.floor(x + width) - left + 1,
    height: Math.floor(y + height) - top + 1,
  };
};

/**
 * The crop as network input. It is scaled by plain bilinear look-ups, without averaging, as the training
 * images were (OpenCV's resize), and fine patterns are traces of screens. On 318 images of LFW the mean of
 * MiniFASNet V2 and V1SE is at least .5 for 88 % this way, for 65 % with averaging.
 */
const inputOf = ({ width, data }: Image, crop: Box, { input, side }: LivenessSpec): Tensor => {
  const pixels = new Float32Array(side * side * 3);
  const axis = (position: number, start: number, size: number) => {
    const at = Math.min(Math.max(((position + 0.5) * size) / side - 0.5, 0), size - 1);
    const low = Math.floor(at);
    return { low: start + low, high: start + Math.min(low + 1, size - 1), share: at - low };
  };
  for (let v = 0; v < side; v++) {
    const row = axis(v, crop.y, crop.height);
    for (let u = 0; u < side; u++) {
      const column = axis(u, crop.x, crop.width);
      for (let channel = 0; channel < 3; channel++) {
        const at = (x: number, y: number): number => data[(y * width + x) * 3 + channel]!;
        const upper = at(column.low, row.low) * (1 - column.share) + at(column.high, row.low) * column.share;
        const lower =
          at(column.low, row.high) * (1 - column.share) + at(column.high, row.high) * column.share;
        pixels[(v * side + u) * 3 + channel] = upper * (1 - row.share) + lower * row.share;
      }
    }
  }
  return tensorOf(pixels, side, input);
};

/** Probability that the person is live, 0…1; NaN if the network returns no number. */
const liveOf = (outputs: Readonly<Record<string, Tensor>>, { output }: LivenessSpec): number => {
  const tensor = output.name === undefined ? Object.values(outputs)[0] : outputs[output.name];
  const values = tensor?.data ?? new Float32Array();
  if (output.kind === "scalar") return Math.min(1, Math.max(0, values[0] ?? Number.NaN));
  const wanted = values[output.index ?? 0] ?? Number.NaN;
  if (output.kind === "probabilities") return Math.min(1, Math.max(0, wanted));
  return 1 / values.reduce((sum, value) => sum + Math.exp(value - wanted), 0);
};

/**
 * Joins the networks of one group: the mean of their scores. If a face fills more of the image than a
 * manifest allows, no network receives it. Tight crops make them wrong on attacks and on bona fide
 * presentations.
 */
export const makeNetworkLiveness =
  (networks: readonly LivenessNetwork[]): MeasureNetworkLiveness =>
  async (image, face) => {
    if (networks.length === 0) return {};
    const isShown = networks.every(
      ({ spec }) => face.width > 0 && face.width <= spec.crop.faceWidthShareMax * image.width,
    );
    if (!isShown) return { networkSilence: "face-too-large" };
    const box = detectorBox(face);
    let sum = 0;
    for (const { spec, run } of networks) {
      const crop = cropAbout(image, box, spec.crop.faceBoxScale);
      sum += liveOf(await run(inputOf(image, crop, spec)), spec);
    }
    const live = sum / networks.length;
    return Number.isFinite(live) ? { network: { live } } : { networkSilence: "no-number" };
  };

/** The scores and the names of the networks in shadow mode. */
export const makeShadowLiveness = (networks: readonly LivenessNetwork[]) => {
  const measure = makeNetworkLiveness(networks);
  const models = hashesOf(networks);
  return async (image: Image, face: Box): Promise<ShadowLiveness | undefined> => {
    const { network } = await measure(image, face);
    return network && { ...network, models };
  };
};

/** SHA-256 by name. */
export const hashesOf = (
  networks: readonly Pick<LivenessNetwork, "name" | "hash">[],
): Readonly<Record<string, string>> => Object.fromEntries(networks.map(({ name, hash }) => [name, hash]));
