/** The measurements, each with an open engine. */
import { makeMeasuring } from "#app/evaluation";
import { readConfig } from "#machine/config/config";
import { opening, type Run } from "../command.ts";
import { openVoices, type WorkProgress } from "../kit/progress.ts";

type Measuring = ReturnType<typeof makeMeasuring>;
type Voices = { readonly out: (line: string) => void; readonly progress: WorkProgress };
type Work = (args: readonly string[], measuring: Measuring, voices: Voices) => Promise<number>;

/** A run with an open engine, which it closes in every case. */
const measured =
  (work: Work): Run =>
  async (args) => {
    const measuring = makeMeasuring(readConfig());
    const { progress, out } = openVoices();
    try {
      return await work(args, measuring, { out, progress });
    } finally {
      progress.end();
      await measuring.close();
    }
  };

export const runMeasureFaces = measured(async (args, { faces }, voices) => {
  const { measureFaces } = await import("../kit/measuring/faces.ts");
  return await measureFaces(args, { ...faces, ...voices });
});

export const runMeasureLiveness = measured(async (args, { liveness }, voices) => {
  const { measureLiveness } = await import("./liveness.ts");
  return await measureLiveness(args, { ...liveness, ...voices });
});

export const runMeasureDocuments = measured(async (args, { documents }, voices) => {
  const { measureDocuments } = await import("./documents.ts");
  return await measureDocuments(args, { ...documents, ...voices });
});

export const runMeasureMrz = measured(async (args, { mrz }, { out }) => {
  const { measureMrz } = await import("./mrz.ts");
  return await measureMrz(args, { ...mrz, out });
});

export const runMeasureLocation = measured(async (args, { location }, voices) => {
  const { measureLocation } = await import("./location.ts");
  return await measureLocation(args, { ...location, ...voices });
});

export const runMeasureDocumentAttacks = measured(async (args, { documentAttacks }, voices) => {
  const { measureDocumentAttacks } = await import("./document-attacks.ts");
  return await measureDocumentAttacks(args, { ...(await opening(documentAttacks())), ...voices });
});

export const runMeasureAge = measured(async (args, { age }, voices) => {
  const { measureAge } = await import("./age.ts");
  return await measureAge(args, { ...age, ...voices });
});
