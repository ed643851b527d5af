import type { GreyImage } from "#machine/imaging/image";
import type { QuarterRotations } from "../quarter-rotations.ts";
import { cropLine, type Strip } from "./crop-line.ts";
import type { DecodedLine } from "./ctc.ts";
import type { RecogniseLines } from "./recognise-lines.ts";
import type { TextBox } from "./text-box.ts";
import { byDirection, lengthOf } from "./text-direction.ts";

/** Chosen on 53 photographs of fronts (docs/measurements/documents.md). */
const limits = {
  lines: 12,
  /**
   * The largest vote of one line, in nats of the mean character. Without a limit an empty line could decide
   * alone.
   */
  voteMax: 0.4,
  /** Sum of votes below which the text gives no rotation. */
  votesMin: 0.4,
  emptyNats: -5,
} as const;

/** The strip along its reading direction, to the right or downwards. */
const forward = (grey: GreyImage, { x, y, width, height, angle: own }: TextBox): Strip => {
  const angle = own < -Math.PI / 4 ? own + Math.PI : own;
  const u = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  const band = { from: u - width / 2, to: u + width / 2, across, pivot: u, height, tilt: 0 };
  return cropLine(grey, angle, band, height * 1.15);
};

/** The same strip rotated by 180 degrees: its bytes in reverse. */
const backward = (strip: Strip): GreyImage => ({ ...strip, data: strip.data.toReversed() });

const natsOf = ({ confidence }: DecodedLine): number =>
  confidence === 0 ? limits.emptyNats : Math.log(confidence);

const clamp = (vote: number): number => Math.min(limits.voteMax, Math.max(-limits.voteMax, vote));

/**
 * The rotation that an image's text shows. The length of text along each axis gives the axis. The direction
 * follows from the confidence of the longest lines, read forward against backward. Undefined without lines,
 * or when both directions are equally likely.
 */
export const findTextRotation = async (
  grey: GreyImage,
  boxes: readonly TextBox[],
  recognise: RecogniseLines,
): Promise<QuarterRotations | undefined> => {
  const { down, level } = byDirection(boxes);
  const runsDown = lengthOf(down) > lengthOf(level);
  const longest = (runsDown ? down : level).toSorted((a, b) => b.width - a.width).slice(0, limits.lines);
  const strips = longest.map((box) => forward(grey, box));
  const read = await recognise([...strips, ...strips.map(backward)]);
  const votes = strips.reduce(
    (sum, _, i) => sum + clamp(natsOf(read[i]!) - natsOf(read[strips.length + i]!)),
    0,
  );
  if (Math.abs(votes) < limits.votesMin) {
    return undefined;
  }
  if (runsDown) {
    return votes > 0 ? 1 : 3;
  }
  return votes > 0 ? 0 : 2;
};
