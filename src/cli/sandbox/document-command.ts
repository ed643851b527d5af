import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawPersonImages } from "#sandbox/persons/person-images";
import { CommandError, parseOptions, print, type Run, UsageError } from "../command.ts";
import { writePersonImages } from "./document.ts";
import { personOf } from "./options.ts";

export const runDocument: Run = async (args) => {
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
};
