import { type Command, UsageError } from "./command.ts";

export const measure: Command = {
  summary: "measure faces, documents or liveness on your own pictures",
  help: `Usage: idem measure faces | documents | liveness [options]

faces       error rates of the comparison: --pairs CSV or --identities CSV
documents   exact machine-readable zones, false reads, time: --index FILE
liveness    error rates of passive liveness: --labels CSV

All take --root DIR (default: the list's own folder) and --json FILE. idem measure <subject> --help tells more.`,
  topics: {
    faces: async () => (await import("./measure-faces.ts")).measureFaces,
    documents: async () => (await import("./measure-documents.ts")).measureDocuments,
    liveness: async () => (await import("./measure-liveness.ts")).measureLiveness,
  },
  run: async () => {
    throw new UsageError("Say what to measure: idem measure faces | documents | liveness");
  },
};
