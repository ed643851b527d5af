/** Composition of capture sessions: the calls of integrators and of pages, the judges, the retention. */
import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { CaptureLevel } from "#contract/capture";
import { captureLanguages } from "#contract/guidance";
import { type CaptureTally, makeCaptureTally } from "#features/capture/capture-tally";
import { defaultConsent, parseConsent } from "#features/capture/consent/consent-text";
import { type CreateSession, makeCreateSession } from "#features/capture/create-session";
import { makeFindPage } from "#features/capture/find-page";
import { pageEndpoints } from "#features/capture/http/page.endpoint";
import { sessionEndpoints } from "#features/capture/http/session.endpoint";
import { makeInTurn } from "#features/capture/in-turn";
import type { JudgeDocumentImage } from "#features/capture/judging/capture-judgement";
import { makePageUseCases, type PageUrl } from "#features/capture/page/open-session";
import type { CapturePolicy } from "#features/capture/policy";
import { makeSessionSeal } from "#features/capture/sealed-session";
import type { CaptureDeps } from "#features/capture/sessions";
import { makeFinishUpload } from "#features/capture/uploads/finish-upload";
import { makeUploadUseCases } from "#features/capture/uploads/upload-use-cases";
import type { JudgeCapture } from "#judging/face/challenge/judge-capture";
import type { TokenKey } from "#trust/tokens/keys";
import type { ByEnvironment } from "./by-environment.ts";
import { untilNone } from "./erasure.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

/** What capture sessions need of the service. */
export type CaptureParts = Pick<Parts, "baseUrl" | "clock" | "trackCall"> & {
  readonly storage: Pick<Storage, "store" | "keyring" | "blobs">;
  /** Level of sessions that ask for none. */
  readonly level: CaptureLevel;
  readonly policy: CapturePolicy;
  readonly config: {
    readonly capture: ReadyConfig["capture"];
    readonly images: Pick<ReadyConfig["images"], "bytesMax">;
    readonly inference: Pick<ReadyConfig["inference"], "workers">;
  };
  /** The key pair that seals now. */
  readonly tokenKey: () => TokenKey;
  readonly judgeFace: JudgeCapture;
  readonly judgeDocumentOf: ByEnvironment<JudgeDocumentImage>;
};

/** The operator's text of consent. Throws Error with the setting and the reason. */
const readConsent = (path: string | undefined) => {
  if (path === undefined) return defaultConsent;
  try {
    return parseConsent(readFileSync(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`IDEM_CAPTURE_CONSENT: ${path} cannot be used. ${reason}`, { cause: error });
  }
};

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "");

/** The dependencies of the use cases, joined from the parts of the service. */
const depsOf = (parts: CaptureParts, count: CaptureTally["count"]) => {
  const { storage, policy, config, baseUrl, clock, trackCall, tokenKey, judgeFace } = parts;
  // Half of the threads, so that captures leave the other half to integrators.
  const inTurn = makeInTurn(Math.max(1, Math.floor(config.inference.workers / 2)));
  return {
    ...storage,
    seal: makeSessionSeal(storage.keyring),
    policy,
    consent: readConsent(config.capture.consentFile),
    newId: randomUUID,
    randomBytes,
    clock,
    trackCall,
    ownOrigin: (): string => originOf(baseUrl()),
    pageUrl: (sessionId: string): string => `${baseUrl()}/capture/${sessionId}`,
    bytesMax: { face: config.capture.faceBytesMax, document: config.images.bytesMax },
    standard: {
      languages: captureLanguages,
      level: parts.level,
      sessionMs: config.capture.sessionMs,
    },
    tokenKey,
    inTurn: inTurn.run,
    countAhead: inTurn.countAhead,
    count,
    judgeFace,
  };
};

/** Capture sessions as a module, and the use cases that verifications use. Made by {@link openCapture}. */
export type OpenedCaptures = {
  readonly module: Module;
  readonly createSession: CreateSession;
  /** Where sessions are held. */
  readonly held: Pick<CaptureDeps, "store" | "seal">;
  readonly pageUrl: PageUrl;
};

/** Opens the calls of capture sessions. */
export const openCapture = (parts: CaptureParts): OpenedCaptures => {
  const { judgeDocumentOf } = parts;
  const { count, gauges } = makeCaptureTally();
  const deps = depsOf(parts, count);
  const finishOf = (caller: Parameters<typeof judgeDocumentOf>[0]) =>
    makeFinishUpload({ ...deps, judgeDocument: judgeDocumentOf(caller) });
  const createSession = makeCreateSession(deps);
  const module: Module = {
    name: "capture",
    endpoints: [
      ...sessionEndpoints({ ...deps, createSession }),
      ...pageEndpoints({
        page: makePageUseCases(deps, deps.pageUrl),
        uploads: makeUploadUseCases(deps),
        finishUpload: (call, uploadId) => finishOf(call.owner)(call, uploadId),
      }),
    ],
    findPage: makeFindPage(deps, deps.ownOrigin),
    tidying: [(signal) => untilNone(() => parts.storage.store.expireCaptures(parts.clock()), signal)],
    gauges,
  };
  return {
    module,
    createSession,
    held: deps,
    pageUrl: deps.pageUrl,
  };
};
