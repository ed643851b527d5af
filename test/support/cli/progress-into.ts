import type { WorkProgress } from "#cli/kit/progress";

/** Progress that writes every step and every line beside it into a list. */
export const progressInto = (lines: string[]): WorkProgress => ({
  show: (done, total) => void lines.push(`${done} of ${total}`),
  note: (line) => void lines.push(line),
});
