import type { Command } from "../command.ts";
import { unjudgedCode } from "./exit-code.ts";
import { exitCodes, listOptions } from "./help.ts";

export const read: Command = {
  help: `Usage: idem read DOCUMENT [--back IMAGE] [--json] [--html FILE]
       idem read --list CSV --out CSV [--root DIR] [--html FILE]

Reads the fields of a document as documentValidation does, without a service: same engines, nothing stored. A value that was
not read with confidence is left out.

  --back IMAGE   the other side of a card
  --json         print every figure as JSON
  --html FILE    write a report with the images
${listOptions("document and, optionally, back")}
${exitCodes({ positive: "read: a number or a surname", unjudged: "unread: neither of them" })}`,
  failedCode: unjudgedCode,
  run: async (args) => (await import("./read.ts")).runRead(args),
};
