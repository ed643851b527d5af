import { makeMeasuring } from "#app/evaluation";
import { readConfig } from "#machine/config/config";
import { opening, type Run } from "../command.ts";
import { openVoices } from "../kit/progress.ts";
import { trainDocumentAttacks } from "./document-attacks.ts";
import { trainLiveness } from "./liveness.ts";

export const runLiveness: Run = async (args) => {
  const measuring = makeMeasuring(readConfig());
  const { progress, out } = openVoices();
  try {
    return await trainLiveness(args, { ...measuring.training, out, progress });
  } finally {
    progress.end();
    await measuring.close();
  }
};

export const runDocumentAttacks: Run = async (args) => {
  const measuring = makeMeasuring(readConfig());
  const { progress, out } = openVoices();
  try {
    const { training, ...measured } = await opening(measuring.documentAttacks());
    return await trainDocumentAttacks(args, { ...measured, ...training, out, progress });
  } finally {
    progress.end();
    await measuring.close();
  }
};
