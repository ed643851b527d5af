import { Type } from "typebox";
import { preconditionFailures } from "./clearing.routes.ts";
import { type Route, route } from "./endpoint.ts";
import { nullableText, personalText, responseTime, text, time } from "./wire.ts";

const tag = "Pension clearing";
const base = "/operator/clearing/transfers";
const scope = "clearing";
const withoutExample = "it needs a clearing entity that the operator configures";
const beyond = "Beyond the interface, for the operator. The environment is that of the key.";

const exampleId = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";
const transferId = text("Id of the transfer.", {
  "x-name": "TransferId",
  maxLength: 64,
  examples: [exampleId],
});
const serviceTransactionId = text("Transaction of the identity answer.", {
  "x-name": "IdentityTransactionId",
  maxLength: 64,
  examples: ["2db602ee-3564-4304-af95-92a52eaae12d"],
});

const nameField = (description: string, example: string) =>
  Type.Optional(
    personalText("identity", `${description} Absent: as the document shows it.`, {
      minLength: 1,
      maxLength: 100,
      pattern: "^[^\\u0000-\\u001f\\u007f]+$",
      "x-shape": "a text without control characters",
      examples: [example],
    }),
  );

const state = Type.Enum(
  ["created", "ticket-requested", "ticket", "token-requested", "token", "refused", "unclear", "abandoned"],
  {
    type: "string",
    "x-name": "TransferState",
    description:
      "`…-requested`: the call is under way. `token`: done. `refused`: the entity did not act. `unclear`: it may have acted; the " +
      "operator resumes or abandons the transfer.",
    examples: ["token"],
  },
);

const reason = Type.Union([Type.String(), Type.Null()], {
  "x-name": "TransferReason",
  description:
    "entity-refused, credentials-refused, unreachable, no-answer, answer-unusable, interrupted (a process ended within the call), " +
    "failed; null without one.",
  examples: [null],
});

const listedFields = {
  transferId,
  serviceTransactionId,
  state,
  reason,
  createdAt: time("When it was created."),
  changedAt: time("When its state changed last."),
};

const transfer = Type.Object({
  ...listedFields,
  verificationCode: Type.String({
    description: "`codigo_verificacion` of the transaction.",
    examples: ["LbYC7jVkQwSvlZKlLqrhLQ"],
  }),
  ticket: nullableText("token", "`ticket_tvi` of the entity; null before it is there."),
  token: nullableText("token", "Token of the entity; null before it is there."),
  entity: Type.Union(
    [
      Type.Object({
        code: Type.Union([Type.Integer(), Type.Null()], { examples: [200] }),
        message: nullableText("identity", "Its text, at most 500 characters."),
        date: nullableText(undefined, "Its time, as it wrote it."),
        errors: Type.Array(personalText("identity", "An error of the entity."), { examples: [[]] }),
      }),
      Type.Null(),
    ],
    {
      description: "The last statement of the entity; null before the first.",
      examples: [{ code: 200, message: "OK", date: "2026-11-23 10:15:00", errors: [] }],
    },
  ),
});

const answer = Type.Object({ timestamp: responseTime, transfer });
const readFailures = ["not_found", "stored_damaged", "stored_newer"] as const satisfies Route["failures"];

/** POST /operator/clearing/transfers */
export const createTransferRoute = route({
  name: "createTransfer",
  withoutExample,
  method: "POST",
  path: base,
  scope,
  tag,
  cost: 4,
  summary: "Transfers an affiliate through the clearing entity",
  description:
    `${beyond} Issues a verification token, as verifyClearing does, and stores the transfer. A job then asks the entity for a ticket and ` +
    "for the token. A transaction has one transfer: a second ticket is never asked for.",
  request: Type.Object({
    serviceTransactionId,
    scanReference: text("Reference of the document validation.", { maxLength: 128, examples: [exampleId] }),
    requiresSecondVerification: Type.Optional(
      Type.Boolean({ description: "`requiere_segunda_verificacion`. Default false.", examples: [false] }),
    ),
    affiliate: Type.Optional(
      Type.Object(
        {
          firstName: nameField("First names.", "Ana María"),
          paternalSurname: nameField("First surname.", "Soto"),
          maternalSurname: nameField("Second surname.", "Rojas"),
          rut: nameField("RUT with its check digit. It must be that of the document.", "12.345.678-5"),
        },
        {
          description:
            "Fields of the affiliate that the document does not show, or shows otherwise. Surnames are taken from a document that shows " +
            "exactly two.",
        },
      ),
    ),
  }),
  response: answer,
  failures: [
    ...preconditionFailures,
    "clearing_not_configured",
    "clearing_transfer_exists",
    "clearing_affiliate_missing",
    "clearing_affiliate_refused",
  ],
});

/** GET /operator/clearing/transfers */
export const listTransfersRoute = route({
  name: "listTransfers",
  withoutExample,
  method: "GET",
  path: base,
  scope,
  tag,
  cost: 2,
  summary: "Lists the transfers, the newest first",
  description: `${beyond} Up to 50 a page, without personal data.`,
  request: Type.Object({
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 160, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp: responseTime,
    transfers: Type.Array(Type.Object(listedFields)),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "Send it as `after` for the next page; null on the last page.",
      examples: [null],
    }),
  }),
  failures: [],
});

/** GET /operator/clearing/transfers/{transferId} */
export const showTransferRoute = route({
  name: "showTransfer",
  withoutExample,
  method: "GET",
  path: `${base}/{transferId}`,
  scope,
  tag,
  summary: "Shows a transfer with its ticket and token",
  description: beyond,
  request: Type.Object({ transferId }),
  response: answer,
  failures: readFailures,
});

/** POST /operator/clearing/transfers/{transferId}/resume */
export const resumeTransferRoute = route({
  name: "resumeTransfer",
  withoutExample,
  method: "POST",
  path: `${base}/{transferId}/resume`,
  scope,
  tag,
  summary: "Resumes a refused or unclear transfer",
  description:
    `${beyond} A transfer with a ticket asks for its token. An unclear one without a ticket needs a statement: the ticket that the entity ` +
    "names, or that it made none.",
  request: Type.Object({
    transferId,
    ticket: Type.Optional(
      personalText("token", "The ticket that the entity named to you.", {
        minLength: 1,
        maxLength: 1024,
        pattern: "^[\\x21-\\x7e]+$",
        "x-shape": "printable characters without blanks",
        examples: ["f3b0c442-98fc-4c14-9afb-f4c8996fb924"],
      }),
    ),
    withoutTicket: Type.Optional(
      Type.Boolean({
        description:
          "You state that the entity made no ticket. The ticket is then asked for anew. Default false.",
        examples: [true],
      }),
    ),
  }),
  response: answer,
  failures: [
    ...readFailures,
    "clearing_not_configured",
    "clearing_transfer_state",
    "clearing_statement_missing",
    "clearing_transfer_changed",
  ],
});

/** POST /operator/clearing/transfers/{transferId}/abandon */
export const abandonTransferRoute = route({
  name: "abandonTransfer",
  withoutExample,
  method: "POST",
  path: `${base}/{transferId}/abandon`,
  scope,
  tag,
  summary: "Abandons a transfer",
  description: `${beyond} Nothing is sent to the entity. The transaction may have another transfer afterwards.`,
  request: Type.Object({ transferId }),
  response: answer,
  failures: [...readFailures, "clearing_transfer_state", "clearing_transfer_changed"],
});

/** In the order of the docs page. */
export const clearingTransferRoutes: readonly Route[] = [
  createTransferRoute,
  listTransfersRoute,
  showTransferRoute,
  resumeTransferRoute,
  abandonTransferRoute,
];
