import { isPredictive, qualityComponents } from "./quality-components.ts";

/** The quality components of a face image, in Markdown. Pure: it uses only the components themselves. */
export const writeQualityPage = (): string =>
  [
    "# Quality of a face image",
    "",
    "Written by `npm run golden` from `src/judging/face/attributes/quality-components.ts`. `/services/extractFacial` returns them in",
    "`faceQuality`. The names are those of ISO/IEC 29794-5:2025; where that standard uses networks of its own",
    "(sharpness, compression, occlusion), this service uses other methods. So the values compare images of this service,",
    "not images of another implementation. Each value is from 0 to 100. The score is the geometric mean of those marked with *:",
    "their low values predict a missed match.",
    "",
    "| component | meaning |",
    "|---|---|",
    ...qualityComponents.map(
      ({ name, explanation }) => `| ${name}${isPredictive(name) ? " *" : ""} | ${explanation} |`,
    ),
    "",
  ].join("\n");
