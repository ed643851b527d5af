import { isTelling, qualityComponents } from "./quality-components.ts";

/** The components of a face picture's quality, in Markdown: pure, from the components themselves. */
export const writeQualityPage = (): string =>
  [
    "# Quality of a face picture",
    "",
    "Written by `npm run golden` from `src/face/attributes/quality-components.ts`. `/services/extractFacial` answers them in",
    "`faceQuality`. The names are those of ISO/IEC 29794-5:2025; where that standard measures by networks of its own",
    "(sharpness, compression, covering), other means stand in for them, so that values compare pictures of this service and",
    "not those of another implementation. Each goes from 0 to 100. The score is the geometric mean of those marked with *:",
    "low values of these foretell a missed match.",
    "",
    "| component | what it says |",
    "|---|---|",
    ...qualityComponents.map(
      ({ name, explanation }) => `| ${name}${isTelling(name) ? " *" : ""} | ${explanation} |`,
    ),
    "",
  ].join("\n");
