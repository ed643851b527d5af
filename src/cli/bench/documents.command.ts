import type { Command } from "../command.ts";

export const benchDocuments: Command = {
  help: `Usage: idem bench documents [--index FILE [--root DIR] | --images N] [--json]

Reads the same images with Idem and with tesseract.js (whole images, English, its own defaults; a development
dependency, no download), one after the other: exact MRZs, printed fields, time per image with decoding. Every
tesseract.js line that could belong to an MRZ counts, without blanks, and every run of words within a line counts as a
printed field. One rule judges the text of both. Both read one image before the clock runs. Keep the machine idle.

  --index FILE   a list as for idem measure documents; default: artificial passports are drawn and photographed
  --root DIR     folder that the list's paths are relative to, default: the folder of the list
  --images N     number of drawn passports, default 12
  --json         one JSON object on stdout instead of the table`,
  run: async (args) => (await import("./documents.ts")).runBenchDocuments(args),
};
