/** The list of modules. Each module stands after the modules that it uses. */
import { randomUUID } from "node:crypto";
import { makeJudgeDocument } from "#features/capture/judging/judge-by-reading";
import { defaultCapturePolicy } from "#features/capture/policy";
import { makePasswords } from "#features/clearing/credentials/password";
import { makeJudgeCapture } from "#judging/face/challenge/judge-capture";
import { defaultChallengePolicy } from "#judging/face/challenge/policy";
import { shadowGauges } from "#judging/face/engine/shadow-tally";
import { sessionLevelOf } from "#judging/face/liveness/level";
import { poolGauges } from "#machine/threads/pool-gauges";
import { makeMeasurementSeal } from "#record/transactions/measurement-seal";
import { refuseMarkedDocuments } from "#sandbox/personas/steer-documents";
import type { PublishedKeys } from "#trust/tokens/seal";
import { openAdminSocket } from "./admin.ts";
import { announceEnds } from "./announce-ends.ts";
import { byEnvironment } from "./by-environment.ts";
import { type OpenedCaptures, openCapture } from "./capture.ts";
import { type ClearingParts, openClearing } from "./clearing.ts";
import { openClearingCallbacks } from "./clearing-callbacks.ts";
import { openClearingTransfers } from "./clearing-transfers.ts";
import { openDestinations } from "./destinations.ts";
import { openSignedDocuments } from "./digital-sign.ts";
import { openDocuments } from "./document.ts";
import { openEvidence, readRootFile } from "./evidence.ts";
import { openBundles, refuseBundle } from "./evidence-bundle.ts";
import { type Faces, openFaces } from "./face.ts";
import { bestImageLevels } from "./face-policy.ts";
import { openIdempotency } from "./idempotency.ts";
import { openKeys } from "./keys.ts";
import { mailboxModule } from "./mailbox.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { openPersonas, steeredDocuments, steeredRegistry } from "./personas.ts";
import { openRegistries } from "./registries.ts";
import { openCivilValidation, openDocumentCheck } from "./registry.ts";
import { retentionOf } from "./retention.ts";
import { openRightsWatch } from "./rights-watch.ts";
import { openScrub } from "./scrub.ts";
import { openSigningOf } from "./signing.ts";
import { missingStorage } from "./storage-errors.ts";
import { makeTidyingTasks } from "./tidying.ts";
import { openOperations } from "./tracking.ts";
import { openUsers } from "./users.ts";
import { openVerifications } from "./verification.ts";
import { openVerification } from "./verify-signature.ts";
import { openWebhooks } from "./webhooks.ts";

const storageModule = ({ config, documentPolicy, storage, clock }: Parts): Module => ({
  name: "storage",
  readiness: [
    { missing: missingStorage("the store"), check: storage.store.ping },
    { missing: missingStorage("the object storage"), check: storage.objects.ping },
  ],
  tidying: makeTidyingTasks({
    objects: storage.objects,
    store: storage.sealedStore,
    measurements: makeMeasurementSeal(storage.keyring),
    kept: retentionOf(config, {
      velocityHours: documentPolicy.velocity.hours,
      capture: defaultCapturePolicy,
    }),
    clock,
    newId: randomUUID,
  }),
  close: storage.close,
});

const engineModule = ({ engine }: Parts): Module => ({
  name: "engine",
  readiness: [
    {
      missing: "no inference thread is alive",
      check: async () => {
        if (engine.pool.readings().threads === 0) throw new Error("The pool has no thread");
      },
    },
  ],
  gauges: [...poolGauges(engine.pool.readings), ...shadowGauges(engine.shadow)],
  close: engine.pool.close,
});

/**
 * Capture sessions. Documents are judged by the readers of test keys, which personas steer, or of live keys.
 */
const openCaptures = (parts: Parts): OpenedCaptures => {
  const { engine, facePolicy } = parts;
  return openCapture({
    ...parts,
    policy: defaultCapturePolicy,
    level: sessionLevelOf(Object.values(bestImageLevels(parts.config))),
    judgeFace: makeJudgeCapture({
      measure: engine.measureChallenge,
      policies: {
        challenge: defaultChallengePolicy,
        liveness: facePolicy.liveness,
        version: facePolicy.version,
      },
    }),
    judgeDocumentOf: byEnvironment(
      makeJudgeDocument(steeredDocuments(engine.document)),
      makeJudgeDocument(refuseMarkedDocuments(engine.document)),
    ),
  });
};

/** The parts of the modules whose ends verifications wait for. */
const withAnnouncedEnds = (parts: Parts): Parts => {
  const onError = (error: unknown, id: string): void =>
    parts.report("verification", "Could not announce an end", error, id);
  return { ...parts, storage: { ...parts.storage, store: announceEnds(parts.storage.store, onError) } };
};

/** Pension clearing: certificates, transfers through the entity, callbacks of the older flow. */
function* openClearingModules(
  parts: Parts,
  { serviceOf: faceServiceOf }: Faces,
  signCertificate: ClearingParts["signCertificate"],
): Generator<Module, void> {
  const clearing = openClearing({
    ...parts,
    faceServiceOf,
    isPassword: makePasswords().isPassword,
    signCertificate,
  });
  yield clearing.module;
  yield openClearingTransfers(parts, clearing.issueToken);
  yield openClearingCallbacks(parts, clearing.issue);
}

/**
 * Opens every module, yields each when it is open, and starts to fill the galleries. Ends when the block list
 * of faces is in memory, or when the first attempt to load it has failed. Then `readiness` reports it.
 */
export async function* openModules(
  parts: Parts,
  publishedKeys: () => PublishedKeys,
): AsyncGenerator<Module, void> {
  yield storageModule(parts);
  yield openScrub(parts);
  yield openRightsWatch(parts.storage.store, parts.config, parts.report);
  yield openEvidence({ ...parts, store: parts.storage.store }, parts.authorities);
  yield engineModule(parts);
  const announcing = withAnnouncedEnds(parts);
  const { find: findRegistry, gauges: registryGauges } = openRegistries(parts);
  yield { name: "registries", gauges: registryGauges };
  const faces = openFaces(parts);
  yield faces.module;
  const users = await openUsers({ ...parts, faceServiceOf: faces.serviceOf, publishedKeys });
  yield users.module;
  const documents = openDocuments(
    { ...announcing, publishedKeys },
    users.lookUpHistory,
    faces.comparePortraitOf,
    openDocumentCheck(parts, findRegistry),
  );
  yield documents.module;
  yield openCivilValidation(parts, {
    findRegistry: steeredRegistry(findRegistry),
    faceServiceOf: faces.serviceOf,
    startValidationOf: documents.startValidationOf,
  });
  yield openOperations(parts);
  const captures = openCaptures(announcing);
  yield captures.module;
  yield openVerifications(parts, { faces, users, documents, captures });
  const webhooks = openWebhooks(parts);
  yield webhooks.module;
  yield openDestinations(parts, webhooks.deliveries);
  yield mailboxModule(parts.mailbox, parts.recordCall);
  const signing = await openSigningOf(parts);
  if (signing !== undefined) yield signing.module;
  yield { name: "signed-documents", ...openSignedDocuments(parts, signing) };
  yield await openVerification(parts, signing);
  yield* openClearingModules(parts, faces, signing?.signCertificate);
  const { timestamps } = parts.config;
  const anchorRoots = timestamps && (await readRootFile(timestamps.caFile));
  yield openBundles(parts, anchorRoots, signing?.signReport ?? refuseBundle);
  yield openPersonas(parts.engine);
  yield openKeys(parts);
  yield openIdempotency(parts);
  yield await openAdminSocket(parts);
}
