import { Type } from "typebox";
import type { Call } from "./endpoint.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import { livenessNumber } from "./liveness.ts";
import { outcomes } from "./outcome.ts";
import { serviceSucceeded } from "./result-code.ts";
import { choice, numberOf, responseTime } from "./wire.ts";

/** `serviceResultLog` of a service that ran: `[identity] Service executed ok`. */
export const serviceRan = (service: string): string => `[${service}] Service executed ok`;

const serviceResultCode = Type.Integer({
  "x-name": "ServiceResultCode",
  description:
    "Overall result of the execution. 0: the service ran; other fields hold the decision on the person. Codes below 0 have the meaning that this endpoint's description gives them.",
  examples: [0],
});
const resultLog = (service: string) =>
  Type.String({ description: "Text of the result.", examples: [serviceRan(service)] });

/** Fields of the common envelope for the service of that name. */
export const envelopeFields = (service: string) => ({
  serviceResultCode,
  serviceResultLog: resultLog(service),
  serviceTime: Type.String({ description: "Processing time in milliseconds, as text.", examples: ["224"] }),
  serviceTransactionId: Type.String({
    "x-name": "ServiceTransactionId",
    description: "Transaction of this call, for detokenize, digitalSign and clearing.",
    examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
  }),
  timestamp: responseTime,
});

/** Envelope fields of the user and tracking services. */
export const transactionFields = {
  timestamp: responseTime,
  transactionId: Type.String({
    "x-name": "TransactionId",
    description: "Transaction of this call.",
    examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
  }),
};

/** Envelope fields of the user services; `log` is the text of a successful call. */
export const userEnvelopeFields = (log: string) => ({
  ...transactionFields,
  serviceResultCode,
  serviceResultLog: Type.String({ description: "Text of the result.", examples: [log] }),
});

/** The result of a comparison of two faces. */
export const facialResultField = numberOf(facialAuthenticationNumber, "Comparison; 3 is the same person", 3, {
  "x-name": "FacialAuthenticationResult",
});

/** The result of passive liveness. */
export const livenessResultField = numberOf(livenessNumber, "Liveness; 3 is a living person", 3, {
  "x-name": "LivenessResult",
});

/** Additional field: the integrator's next step. */
export const outcomeField = choice(
  outcomes,
  "Additional field: approved (every requested check is positive), rejected (another person, or an attack), " +
    "retry (another image may pass, this image will not), error (the service could not judge).",
  { "x-name": "Outcome" },
);

/** Additional field of a positive face answer. */
export const authenticationHashField = Type.Optional(
  Type.String({
    "x-name": "FacialAuthenticationHash",
    description:
      "Additional field, of a positive answer alone: a keyed hash over the tenant, the transaction, its result numbers and the " +
      "hashes of its images. Only this service can make or check it. digitalSign takes it together with the transaction.",
    pattern: "^[0-9A-F]{128}$",
    examples: ["0123456789ABCDEF".repeat(8)],
  }),
);

/** The time of the answer to this call. */
export const answeredAt = (call: Call<unknown>): Date =>
  new Date(call.receivedAt.getTime() + call.elapsedMs());

/**
 * The common envelope. `log` is the whole `serviceResultLog`; `serviceRan(name)` writes the usual sentence
 * for a service that ran.
 */
export const envelope = (call: Call<unknown>, log: string, code: number = serviceSucceeded) => ({
  serviceResultCode: code,
  serviceResultLog: log,
  serviceTime: String(Math.round(call.elapsedMs())),
  serviceTransactionId: call.transactionId,
  timestamp: answeredAt(call).toISOString(),
});

/** The envelope of user and tracking services: `transactionId` instead of `serviceTransactionId`, no time. */
export const transactionEnvelope = (call: Call<unknown>) => ({
  timestamp: answeredAt(call).toISOString(),
  transactionId: call.transactionId,
});
