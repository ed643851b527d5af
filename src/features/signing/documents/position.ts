import { Failure } from "#contract/failure";
import type { Position } from "../evidence/signing-revision.ts";

const decimal = /^[-+]?\d{1,9}(?:\.\d{1,9})?$/;

/** Characters of a wrong text that the failure quotes. */
const quotedMax = 40;

const isPosition = (numbers: readonly number[]): numbers is Position => numbers.length === 4;

/**
 * Reads `x1,y1,x2,y2` in points. Blanks around a number are accepted. Fails with pdf_position_unreadable.
 * Whether it is on the page is judged where the page is open.
 */
export const readPosition = (text: string): Position => {
  const parts = text.split(",").map((part) => part.trim());
  const numbers = parts.filter((part) => decimal.test(part)).map(Number);
  if (parts.length === numbers.length && isPosition(numbers)) return numbers;
  throw new Failure("pdf_position_unreadable", { sent: text.slice(0, quotedMax) });
};
