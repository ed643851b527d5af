import type { TextBox } from "./text-box.ts";

/** Shorter boxes show no direction. */
const aspectMin = 3;

/**
 * Text boxes by line direction: across the image or down it. Boxes that are too short to show a direction are
 * left out.
 */
export const byDirection = (
  boxes: readonly TextBox[],
): { readonly level: readonly TextBox[]; readonly down: readonly TextBox[] } => {
  const lines = boxes.filter(({ width, height }) => width > aspectMin * height);
  return { level: lines.filter((box) => !runsDown(box)), down: lines.filter(runsDown) };
};

const runsDown = ({ angle }: TextBox): boolean => Math.abs(angle) > Math.PI / 4;

/** Length of text in pixels. */
export const lengthOf = (boxes: readonly TextBox[]): number =>
  boxes.reduce((sum, { width }) => sum + width, 0);
