/**
 * Composition of the personas. Marks steer the engines of test keys; the engines of live keys refuse marks.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Call, Endpoint } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { FindRegistry } from "#features/registry/registry";
import type { DocumentEngine } from "#judging/document/reading/engine";
import { unpackFrames } from "#judging/face/engine/frames";
import type { EvaluateLiveness } from "#judging/face/evaluate-liveness";
import type { FaceEngine } from "#judging/face/measurement";
import type { VerifyIdentity } from "#judging/face/verify-identity";
import type { RecordCall } from "#record/transactions/record-call";
import type { Send } from "#record/webhooks/send/send";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import { steeredRegistries } from "#sandbox/personas/catalogue/civil";
import { makeFindImage } from "#sandbox/personas/find-image";
import { personaCatalogueEndpoints } from "#sandbox/personas/http/personas.endpoint";
import { makeDrawImage } from "#sandbox/personas/image-cache";
import { steerDelivery } from "#sandbox/personas/steer-delivery";
import { steerDocuments } from "#sandbox/personas/steer-documents";
import { type Pause, steerFaces } from "#sandbox/personas/steer-faces";
import { steerRegistry } from "#sandbox/personas/steer-registry";
import type { OpenToken } from "#trust/tokens/token";
import { endpointsByEnvironment } from "./by-environment.ts";
import type { Engine } from "./engine.ts";
import type { Module } from "./module.ts";

const findImage = makeFindImage(personas);

const pause: Pause = (ms, signal) => sleep(ms, undefined, signal && { signal });

/** The engine of test keys. */
export const steeredFaces = (engine: FaceEngine): FaceEngine => steerFaces(engine, findImage, pause);

/** The engine of test keys. */
export const steeredDocuments = (engine: DocumentEngine): DocumentEngine =>
  steerDocuments(engine, findImage, pause);

type FaceUseCases = { readonly evaluateLiveness: EvaluateLiveness; readonly verifyIdentity: VerifyIdentity };

/**
 * The use cases of test keys: a best image whose mark asks for it is judged as without a licence of liveness.
 */
export const steerLicence = (
  openToken: OpenToken,
  licensed: FaceUseCases,
  unlicensed: FaceUseCases,
): FaceUseCases => {
  const choose = async (call: Parameters<VerifyIdentity>[0], token: Uint8Array): Promise<FaceUseCases> => {
    // A token that does not open is refused by the use case, with the name of its field.
    const opened = await openToken(token, "best-image", call).catch(() => undefined);
    return opened === undefined ? licensed : ofImage(unpackFrames(opened.payload)[0]);
  };
  const ofImage = (image: Uint8Array): FaceUseCases =>
    findImage(image)?.steering?.kind === "unlicensed" ? unlicensed : licensed;
  return {
    evaluateLiveness: async (call, input) => {
      const chosen = "image" in input ? ofImage(input.image) : await choose(call, input.bestImageToken);
      return await chosen.evaluateLiveness(call, input);
    },
    verifyIdentity: async (call, reference, bestImage) =>
      await (await choose(call, bestImage)).verifyIdentity(call, reference, bestImage),
  };
};

/** The sender of events, with the faults that test keys ask for. */
export const steeredDelivery = (send: Send): Send => steerDelivery(send, pause);

/** The registries of both environments, with the numbers of personas for test keys. */
export const steeredRegistry = (findRegistry: FindRegistry): FindRegistry =>
  steerRegistry(findRegistry, steeredRegistries);

/** The catalogue of personas as a module. Images are drawn in the inference threads. */
export const openPersonas = ({ pool }: Pick<Engine, "pool">): Module => ({
  name: "personas",
  endpoints: personaCatalogueEndpoints(
    makeDrawImage((drawing) => pool.run("drawPersona", { drawing })),
    () => randomUUID().slice(0, 8),
  ),
});

/** Kinds of evidence of the sandbox. */
export const personaEvidenceKinds = ["persona_refused"] as const;

type RefusalDeps = { readonly recordCall: RecordCall; readonly clock: () => Date };

/** The call without what its answer or its operation would commit: a refusal commits alone. */
const alone = ({ caller, transactionId, receivedAt, appName }: Call<unknown>) => ({
  caller,
  transactionId,
  receivedAt,
  ...(appName !== undefined && { appName }),
});

/**
 * The endpoint of a live key. A persona that it met is evidence, committed before the refusal is answered.
 */
const withRefusal = (endpoint: Endpoint, { recordCall, clock }: RefusalDeps): Endpoint => ({
  route: endpoint.route,
  handle: async (call) => {
    try {
      return await endpoint.handle(call);
    } catch (error) {
      if (error instanceof Failure && error.code === "persona_refused") {
        const persona = error.facts["persona"] ?? null;
        const body = { persona, endpoint: endpoint.route.name, transaction: call.transactionId };
        const evidence = [{ id: randomUUID(), kind: personaEvidenceKinds[0], at: clock(), body }];
        await recordCall(alone(call), {
          endpoint: endpoint.route.name,
          result: { refused: "persona" },
          measurements: { persona },
          policyVersion: "none",
          evidence,
        });
      }
      throw error;
    }
  },
});

/** Joins the endpoints of both environments; refusals of live keys are evidence. */
export const personaEndpoints = (
  test: readonly Endpoint[],
  live: readonly Endpoint[],
  deps: RefusalDeps,
): readonly Endpoint[] =>
  endpointsByEnvironment(
    test,
    live.map((endpoint) => withRefusal(endpoint, deps)),
  );
