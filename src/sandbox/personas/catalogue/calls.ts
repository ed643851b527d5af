import type { Json } from "#contract/json";
import type { PersonaFaceName } from "../../specimen/persona-faces.ts";
import type { PersonaCall, PersonaImage, Steering } from "../persona.ts";

export const face = (name: PersonaFaceName, steering?: Steering): PersonaImage => ({
  drawing: { kind: "face", name },
  ...(steering && { steering }),
});

type Expected = Readonly<Record<string, Json>>;

/** Liveness of the image `selfie`, compared with the image `reference`. */
export const identityCall = (expected: Expected): PersonaCall => ({
  name: "identity",
  route: "identity",
  fields: { method: "3" },
  images: { token1: "reference", bestImageToken: "selfie" },
  expected,
});

/** Liveness of the image `selfie` alone. */
export const livenessCall = (expected: Expected, status?: number): PersonaCall => ({
  name: "liveness",
  route: "evaluatePassiveLiveness",
  fields: {},
  images: { imageBuffer: "selfie" },
  expected,
  ...(status !== undefined && { status }),
});

/** Names the operation of a run, so that the call states its events. */
export const inOperation = (call: PersonaCall): PersonaCall => ({
  ...call,
  fields: { ...call.fields, tracking: { operationId: "persona-{run}" } },
});
