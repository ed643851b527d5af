import type { Command } from "../command.ts";
import { unjudgedCode } from "./exit-code.ts";
import { exitCodes, listOptions } from "./help.ts";

export const liveness: Command = {
  help: `Usage: idem liveness IMAGE [--json] [--html FILE]
       idem liveness --list CSV --out CSV [--root DIR] [--html FILE]

Judges passive liveness of one image as evaluatePassiveLiveness does, without a service: same engines, same judges, nothing
stored. Without an added model the result is advisory: docs/guides/understand/liveness.md.

  --json         print every figure as JSON
  --html FILE    write a report with the image
${listOptions("path and, optionally, label (live or spoof)")}
${exitCodes({ positive: "Live", negative: "NoLive: an attack", unjudged: "None: the image cannot be judged" })}`,
  failedCode: unjudgedCode,
  run: async (args) => (await import("./liveness.ts")).runLiveness(args),
};
