import { version } from "#contract/version";
import type { CallLog } from "#machine/http/log";
import type { IdemServer } from "#machine/http/server";
import { clearingNote, strictClearingNote } from "./clearing-note.ts";
import { describeCohort } from "./cohort.ts";
import { describeAdded, listAdded } from "./models.ts";
import { proxyNote } from "./proxy-note.ts";
import { publicUrlNote } from "./public-url.ts";
import type { ReadyConfig } from "./storage.ts";

type FaceFiles = {
  readonly files: { readonly added: Parameters<typeof listAdded>[0] };
  readonly policies: {
    readonly facePolicy: { readonly comparison: { readonly scale?: Parameters<typeof describeCohort>[1] } };
  };
  readonly liveness: { readonly level: string };
};

/** Added models, cohort and liveness level, for the log. */
const faceFactsOf = ({ files: { added }, policies, liveness }: FaceFiles) => ({
  addedModels: describeAdded(listAdded(added)),
  faceCohort: describeCohort(added, policies.facePolicy.comparison.scale),
  liveness: liveness.level,
});

/** The same server. It logs one line when it starts to listen. */
export const logListening = (
  server: IdemServer,
  config: ReadyConfig,
  files: FaceFiles,
  log: CallLog,
): IdemServer => ({
  ...server,
  listen: async (at) => {
    const address = await server.listen(at);
    const store = config.databaseUrl === undefined ? "embedded" : "postgresql";
    const blobs = config.s3 === undefined ? "disk" : "s3";
    log.service("The service listens", {
      version,
      address,
      mode: config.mode,
      store,
      blobs,
      ...faceFactsOf(files),
      morphology: config.morphology.provider,
      node: process.version,
    });
    // The allow-list holds for every tenant: the operator reads it at each start.
    const { allow } = config.egress;
    if (allow.length > 0)
      log.service("Outgoing calls may reach non-public addresses", { allow: allow.join(", ") });
    const note = publicUrlNote(config);
    if (note !== undefined) log.service(note, { address });
    const { scale } = files.policies.facePolicy.comparison;
    const strictNote = strictClearingNote(config, files.files.added, scale);
    for (const stated of [proxyNote(config), clearingNote(config), strictNote]) {
      if (stated !== undefined) log.service(stated, { address });
    }
    return address;
  },
});
