import type { TextBox } from "./text-box.ts";

/** Shorter boxes tell no direction. */
const aspectMin = 3;

/** Boxes of text by the way that their lines run: across the picture or down it. What is too short to tell is left out. */
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
