import type { Manifest } from "#machine/models/manifest";
import type { Tensor } from "#machine/networks/model";

const channelsOf = (value: number | readonly [number, number, number]): readonly [number, number, number] =>
  typeof value === "number" ? [value, value, value] : value;

/**
 * A square of pixels (RGB, interleaved, 0…255) as input of the manifest's network: order of channels and
 * axes, mean subtracted, scaled.
 */
export const tensorOf = (
  pixels: Float32Array,
  side: number,
  { layout, channels, ...input }: Manifest["input"],
): Tensor => {
  const [mean, scale] = [channelsOf(input.mean), channelsOf(input.scale)];
  const isPlanar = layout === "NCHW";
  const size = side * side;
  const data = new Float32Array(3 * size);
  for (let channel = 0; channel < 3; channel++) {
    const from = channels === "BGR" ? 2 - channel : channel;
    const [start, step] = isPlanar ? [channel * size, 1] : [channel, 3];
    for (let i = 0; i < size; i++) {
      data[start + i * step] = (pixels[3 * i + from]! - mean[channel]!) * scale[channel]!;
    }
  }
  return { data, dims: isPlanar ? [1, 3, side, side] : [1, side, side, 3] };
};
