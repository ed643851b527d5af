import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { type Command, CommandError, parseOptions, print, UsageError } from "../command.ts";
import { drawPersonImages, writePersonImages } from "./document.ts";
import { personOf } from "./options.ts";

export const document: Command = {
  help: `Usage: idem sandbox document --country ECU --index 7 --out DIR [--specimen]

Writes front and back of the person's card, photographed on a table, and a selfie, as JPEG, and prints the paths. The card says
that it is artificial. With --specimen it carries the word of issuers, which a validation answers with reason 508.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      country: { type: "string" },
      index: { type: "string", default: "0" },
      out: { type: "string" },
      specimen: { type: "boolean", default: false },
    });
    const person = personOf(values.country, values.index);
    const { out } = values;
    if (out === undefined) throw new UsageError("--out is missing. Name the directory of the images.");
    const imaging = makeImaging({ limits: defaultImagingLimits });
    const images = await drawPersonImages(imaging, person, values.specimen ? "specimen" : "artificial");
    const paths = await writePersonImages(out, person, images).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`--out ${out} cannot be written (${error.code ?? error.message}).`);
    });
    paths.forEach(print);
    return 0;
  },
};
