import type { FailureCode } from "#contract/failure";
import type { Persona } from "../persona.ts";
import { face, livenessCall } from "./calls.ts";

const outage = (name: string, story: string, code: FailureCode, status: number): Persona => ({
  name,
  story,
  produces: [{ table: "outage", value: status }],
  images: { selfie: face("selfie", { kind: "failure", code, at: "measure" }) },
  calls: [livenessCall({}, status)],
});

/** Personas of outages and delays of a call. */
export const outagePersonas: readonly Persona[] = [
  outage("outage-busy", "The service answers that it has no capacity.", "engine_busy", 503),
  outage("outage-timed-out", "The service answers that the call took too long.", "timed_out", 504),
  {
    name: "delay-five-seconds",
    story: "The answer comes five seconds late, and is right.",
    produces: [{ table: "outage", value: "delay" }],
    images: { selfie: face("selfie", { kind: "delay", ms: 5_000 }) },
    calls: [livenessCall({ serviceLivenessResult: 3 })],
  },
];
