/** Composition of verifications: the judges of other modules, the loop of their jobs, the endpoints. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Caller, Endpoint } from "#contract/endpoint";
import { makeCreateVerification } from "#features/verification/create-verification";
import { verificationEndpoints } from "#features/verification/http/verification.endpoint";
import type { Judges, Ports } from "#features/verification/ports";
import { makeVerificationSeal } from "#features/verification/sealed-verification";
import { makeVerificationJobs, verificationLoopOptions } from "#features/verification/verification-jobs";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { makeSealing } from "#judging/document/validation/sealed";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import { refuseMarkedDocuments } from "#sandbox/personas/steer-documents";
import { byEnvironment } from "./by-environment.ts";
import type { OpenedCaptures } from "./capture.ts";
import type { Documents } from "./document.ts";
import type { Faces } from "./face.ts";
import { bestImageLevels } from "./face-policy.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { personaEndpoints, steeredDocuments } from "./personas.ts";
import type { Users } from "./users.ts";

/** The modules whose use cases a verification runs. */
type Joined = {
  readonly faces: Pick<Faces, "verifyIdentityOf">;
  readonly users: Pick<Users, "authenticateUserOf" | "requireUser">;
  readonly documents: Pick<Documents, "startValidationOf">;
  readonly captures: Pick<OpenedCaptures, "createSession" | "held" | "pageUrl">;
};

const makeJudges = (
  { openToken, config }: Parts,
  { faces, users, documents }: Joined,
  of: Pick<Caller, "environment">,
  { inspect }: Pick<DocumentEngine, "inspect">,
): Judges => ({
  startValidation: documents.startValidationOf(of),
  verifyIdentity: faces.verifyIdentityOf(of),
  authenticateUser: users.authenticateUserOf(of),
  requireUser: users.requireUser,
  openToken,
  inspect,
  levelMin: bestImageLevels(config),
});

const makePorts = (parts: Parts, joined: Joined): Ports => {
  const { document } = parts.engine;
  const { createSession, held: captures } = joined.captures;
  const { store, keyring } = parts.storage;
  const test = { environment: "test" } as const;
  const live = { environment: "live" } as const;
  return {
    judgesOf: byEnvironment(
      makeJudges(parts, joined, test, steeredDocuments(document)),
      makeJudges(parts, joined, live, refuseMarkedDocuments(document)),
    ),
    validations: { store, sealing: makeSealing(keyring) },
    createSession,
    captures,
  };
};

/** The dependencies of the use cases, joined from the parts of the service. */
const depsOf = (parts: Parts, ports: Ports) => {
  const { storage, trackCall, trackDecision, hashAuthentication, clock, config } = parts;
  return {
    ...ports,
    oneImage: config.faces.oneImageLiveness,
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
    ...deps,
    createVerification: makeCreateVerification({ ...deps, wake: loop.wake }),
    imageBytesMax: parts.config.images.bytesMax,
    reasonCodes: parts.config.reasonCodes,
    pageUrl: joined.captures.pageUrl,
  });
  return {
    name: "verification",
    // A live key that sends a persona is refused by the judges of its environment, with its evidence.
    endpoints: personaEndpoints(endpoints, endpoints, parts),
    jobs: [loop],
  };
};
