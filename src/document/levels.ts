import type { Manifest } from "#models/manifest";

/** Order of the channels, and what becomes of a level of 0…255. */
export type Levels = Pick<Manifest["input"], "channels" | "mean" | "scale">;

/** A plane of a network's input: which colour (0 red, 1 green, 2 blue), what is taken off it and what it is multiplied by. */
export type Plane = { readonly colour: 0 | 1 | 2; readonly mean: number; readonly scale: number };

const channelsOf = (value: Levels["mean"]): readonly [number, number, number] =>
  typeof value === "number" ? [value, value, value] : value;

/** The planes in the order in which the network takes them. */
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
