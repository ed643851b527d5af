import type { Manifest } from "#machine/models/manifest";

/** Channel order and normalisation of the input levels 0…255. */
export type Levels = Pick<Manifest["input"], "channels" | "mean" | "scale">;

/**
 * One plane of a network's input: the colour (0 red, 1 green, 2 blue), the mean to subtract and the factor to
 * multiply by.
 */
export type Plane = { readonly colour: 0 | 1 | 2; readonly mean: number; readonly scale: number };

const channelsOf = (value: Levels["mean"]): readonly [number, number, number] =>
  typeof value === "number" ? [value, value, value] : value;

/** The planes in the network's order. */
export const planesOf = ({ channels, mean, scale }: Levels): readonly [Plane, Plane, Plane] => {
  const [means, scales] = [channelsOf(mean), channelsOf(scale)];
  const plane = (place: 0 | 1 | 2, colour: Plane["colour"]): Plane => ({
    colour,
    mean: means[place],
    scale: scales[place],
  });
  const isRgb = channels === "RGB";
  return [plane(0, isRgb ? 0 : 2), plane(1, 1), plane(2, isRgb ? 2 : 0)];
};
