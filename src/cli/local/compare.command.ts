import type { Command } from "../command.ts";
import { unjudgedCode } from "./exit-code.ts";
import { exitCodes, listOptions } from "./help.ts";

export const compare: Command = {
  help: `Usage: idem compare A B [--json] [--html FILE]
       idem compare --list CSV --out CSV [--root DIR] [--html FILE]

Compares two faces as authenticateFacial does, without a service: same engines, same judges, nothing stored.

  --json         print every figure as JSON
  --html FILE    write a report with the images
${listOptions("image_a,image_b and, optionally, same (1 or 0)")}
${exitCodes({ positive: "Positive: one person", negative: "Negative: two persons", unjudged: "None: a face cannot be compared" })}`,
  failedCode: unjudgedCode,
  run: async (args) => (await import("./compare.ts")).runCompare(args),
};
