import type { ReasonCode } from "./reason-code.ts";

/** Which codes `verification.reasonCode` may have: those of the table of the interface, or all codes. */
export type ReasonCodes = "interface" | "extended";

/**
 * The codes of the whole table that the interface's table of 91 lacks, each with the nearest code of the
 * interface of the same group: codes that ask for new images, or the others.
 */
export const interfaceReasons = {
  104: 541,
  107: 105,
  111: 105,
  124: 108,
  128: 105,
  129: 105,
  201: 635,
  202: 606,
  204: 619,
  205: 621,
  206: 602,
  207: 620,
  501: 102,
  506: 102,
} as const satisfies Readonly<Partial<Record<ReasonCode, ReasonCode>>>;

const isReplaced = (code: number): code is keyof typeof interfaceReasons =>
  Object.hasOwn(interfaceReasons, code);

/** The code of the interface's table for a reason. Codes of an external provider stay as they are. */
export const interfaceReasonOf = (code: number): number => (isReplaced(code) ? interfaceReasons[code] : code);
