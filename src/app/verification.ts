/** Composition of verifications: the judges of other modules, the loop of their jobs, the endpoints. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Caller, Endpoint } from "#contract/endpoint";
import { stateAt } from "#features/capture/session-state";
import { makeCreateVerification } from "#features/verification/create-verification";
import { verificationEndpoints } from "#features/verification/http/verification.endpoint";
import type { Judges, Ports } from "#features/verification/ports";
import { makeVerificationSeal } from "#features/verification/sealed-verification";
import { joinParts, makeShowVerification } from "#features/verification/show-verification";
import { makeVerificationJobs, verificationLoopOptions } from "#features/verification/verification-jobs";
import { wireRecord } from "#judging/document/http/wire-record";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { unpackFrames } from "#judging/face/engine/frames";
import { requireLevel } from "#judging/face/liveness/level";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import { claimedKind, claimedSealing } from "#trust/tokens/open";
import { byEnvironment } from "./by-environment.ts";
import type { OpenedCaptures } from "./capture.ts";
import type { Documents } from "./document.ts";
import type { Faces } from "./face.ts";
import { bestImageLevels } from "./face-policy.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { personaEndpoints, steeredDocuments, unmarkedDocuments } from "./personas.ts";
import type { Users } from "./users.ts";

/** The modules whose use cases a verification runs. */
type Joined = {
  readonly faces: Pick<Faces, "verifyIdentityOf">;
  readonly users: Pick<Users, "authenticateUserOf" | "requireUser">;
  readonly documents: Pick<Documents, "startValidationOf" | "getValidation">;
  readonly captures: Pick<OpenedCaptures, "createSession" | "getSession" | "readCaptured" | "pageUrl">;
};

const makeJudges = (
  { openToken, config }: Parts,
  { faces, users, documents }: Joined,
  of: Pick<Caller, "environment">,
  { inspect }: Pick<DocumentEngine, "inspect">,
): Judges => {
  const levels = bestImageLevels(config);
  const openDocumentImage: Judges["openDocumentImage"] = async (call, bytes) =>
    claimedKind(bytes) === undefined ? bytes : (await openToken(bytes, "document-image", call)).payload;
  return {
    startValidation: documents.startValidationOf(of),
    verifyIdentity: faces.verifyIdentityOf(of),
    authenticateUser: users.authenticateUserOf(of),
    requireUser: users.requireUser,
    openDocumentImage,
    checkDocumentImage: async (call, bytes) => {
      await inspect(await openDocumentImage(call, bytes), call.signal);
    },
    checkSelfie: async (call, bytes, { use, isActive }) => {
      const token = await openToken(bytes, "best-image", call);
      requireLevel(isActive ? "active-turn" : levels[use], token);
      await inspect(unpackFrames(token.payload)[0], call.signal);
    },
  };
};

const makePorts = (parts: Parts, joined: Joined): Ports => {
  const { document } = parts.engine;
  const { createSession, getSession, readCaptured } = joined.captures;
  const test = { environment: "test" } as const;
  const live = { environment: "live" } as const;
  return {
    judgesOf: byEnvironment(
      makeJudges(parts, joined, test, steeredDocuments(document)),
      makeJudges(parts, joined, live, unmarkedDocuments(document)),
    ),
    getValidation: joined.documents.getValidation,
    createSession,
    getSession,
    readCaptured,
    sealedAtOf: claimedSealing,
  };
};

/** The dependencies of the use cases, joined from the parts of the service. */
const depsOf = (parts: Parts, ports: Ports) => {
  const { storage, trackCall, trackDecision, hashAuthentication, clock } = parts;
  return {
    ...ports,
    store: storage.store,
    blobs: storage.blobs,
    seal: makeVerificationSeal(storage.keyring),
    trackCall,
    trackDecision,
    hashAuthentication,
    newId: randomUUID,
    clock,
  };
};

const openLoop = (parts: Parts, deps: ReturnType<typeof depsOf>): LeaseLoop => {
  const { lock, clock, report, config } = parts;
  return makeLeaseLoop({
    jobs: makeVerificationJobs({ ...deps, holder: `${hostname()}/${process.pid}/${randomUUID()}` }),
    clock,
    lock,
    random: Math.random,
    onError: (operation, job, error) =>
      report("verification", `Could not ${operation === "run" ? "verify" : operation}`, error, job?.id),
    // One face for each inference thread.
    options: { ...verificationLoopOptions, concurrency: config.inference.workers },
  });
};

/** Opens verifications. */
export const openVerifications = (parts: Parts, joined: Joined): Module => {
  const deps = depsOf(parts, makePorts(parts, joined));
  const loop = openLoop(parts, deps);
  const endpoints: readonly Endpoint[] = verificationEndpoints({
    createVerification: makeCreateVerification({ ...deps, wake: loop.wake }),
    showVerification: makeShowVerification(deps),
    joinParts: (verification) => joinParts(deps, verification),
    imageBytesMax: parts.config.images.bytesMax,
    describeDocument: (found) => wireRecord(found, parts.config.reasonCodes).verification,
    captureStateOf: (session) => stateAt(session, parts.clock()),
    pageUrl: joined.captures.pageUrl,
  });
  return {
    name: "verification",
    // A live key that sends a persona is refused by the judges of its environment, with its evidence.
    endpoints: personaEndpoints(endpoints, endpoints, parts),
    jobs: [loop],
  };
};
