import { UsageError } from "../command.ts";
import { optionLines, type Words } from "../kit/action.ts";
import { tenantOption } from "../kit/options.ts";
import { placeOptions } from "./place.ts";

const options = {
  ...placeOptions,
  test: { type: "boolean", says: "registry of test keys; --live that of live keys" },
  number: { type: "string", needed: "Name the person: --number NUMBER", says: "number of the person" },
  code: { type: "string", says: "second number: código dactilar (ECU, needed), número de trámite (ARG)" },
  gender: {
    type: "string",
    read: (text: string): "M" | "F" => {
      if (text === "M" || text === "F") return text;
      throw new UsageError(`--gender is ${JSON.stringify(text)}. Set it to M or F.`);
    },
    says: "sex (ARG, needed)",
  },
  image: { type: "string", says: "image of the face, where the registry asks for it" },
  show: { type: "boolean", says: "prints the values" },
  tenant: tenantOption,
} as const;

export const check = {
  help: `Usage: idem registry check --country ECU --test|--live --number NUMBER [--code CODE] [--gender M|F] [--image FILE]
                           [--tenant NAME] [--show]

Asks the registry that IDEM_REGISTRIES names, and prints which fields its answer has. Values are left out: with --show they are
printed, and stay on your screen and in its history. A question to a live registry may have a price. The tenant's evidence keeps an entry
for each question.

${optionLines(options)}

Exit code 1: the registry failed, or answered about another number.
It works while the service runs.`,
  options,
} as const satisfies Words;
