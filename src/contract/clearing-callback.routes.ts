import { Type } from "typebox";
import { type Route, route } from "./endpoint.ts";
import { choice, nullableText, responseTime, text, time } from "./wire.ts";

const exampleTime = "2026-11-26T09:30:05.000Z";
const nullableTime = (description: string, example: string | null) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description, examples: [example] });
const nullableInteger = (description: string, example: number | null) =>
  Type.Union([Type.Integer(), Type.Null()], { description, examples: [example] });

const attempt = Type.Object({
  at: time("When it began."),
  statusCode: nullableInteger(
    "Status that the callback reported: 200 (succeeded) or 410 (failed); null where nothing was sent.",
    200,
  ),
  outcome: text(
    "delivered; refused: a status that is not 2xx; unreachable; timed_out; blocked: by the rules of outgoing calls; unreadable: " +
      "nothing was sent.",
    { examples: ["delivered"] },
  ),
  status: nullableInteger("HTTP status of the receiver's answer; null without one.", 204),
  decision: choice(
    ["delivered", "retry", "failed", "gone", "disabled"],
    "What followed. gone: the receiver answered 410.",
  ),
  nextAt: nullableTime("Time of the next attempt, if there was one.", null),
  address: nullableText(undefined, "Address of the receiver, as its name was resolved.", "192.0.2.7"),
  totalMs: Type.Number({ description: "Milliseconds of the attempt.", examples: [49] }),
  reason: nullableText(undefined, "Cause of a failure; null without one."),
});

const callback = Type.Object({
  transactionId: text("Transaction of the call; the callback names it.", {
    examples: ["9a53c1f9-5c1e-4a52-9a53-0b6f1d5a7c11"],
  }),
  state: choice(
    ["due", "delivered", "failed"],
    "due: waits for its next attempt. delivered: the receiver answered 2xx. failed: no further attempt.",
  ),
  createdAt: time("When the call was answered."),
  settledAt: nullableTime("When it was delivered or failed; null before.", exampleTime),
  attempts: Type.Array(attempt, { description: "The oldest first." }),
});

/** GET /operator/clearing/callbacks */
export const listCallbacksRoute = route({
  name: "listCallbacks",
  method: "GET",
  path: "/operator/clearing/callbacks",
  scope: "clearing",
  tag: "Pension clearing",
  cost: 2,
  summary: "Lists the callbacks of the older flow with their attempts, the newest first",
  description:
    "Beyond the interface, for the operator. The environment is that of the key. Up to 50 a page, without URL, hash and personal data.",
  request: Type.Object({
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 160, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp: responseTime,
    callbacks: Type.Array(callback),
    next: Type.Union([Type.String(), Type.Null()], {
      description: "Send it as `after` for the next page; null on the last page.",
      examples: [null],
    }),
  }),
  failures: [],
});

/** In the order of the docs page. */
export const clearingCallbackRoutes: readonly Route[] = [listCallbacksRoute];
