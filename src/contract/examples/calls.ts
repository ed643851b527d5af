import type { Route } from "../endpoint.ts";
import { routes } from "../routes.ts";
import { clearingCalls } from "./clearing-calls.ts";
import { deliveryCalls } from "./delivery-calls.ts";
import { destinationCalls } from "./destination-calls.ts";
import { documentCalls } from "./document-calls.ts";
import type { ExampleCall } from "./example-call.ts";
import { faceCalls } from "./face-calls.ts";
import { keyCalls } from "./key-calls.ts";
import { operationCalls } from "./operation-calls.ts";
import { reviewCalls } from "./review-calls.ts";
import { signingCalls } from "./signing-calls.ts";
import { userCalls } from "./user-calls.ts";
import { verificationCalls } from "./verification-calls.ts";

/** Every example of the specification. In this order, with the taken values, each gets its stated answer. */
export const exampleCalls: readonly ExampleCall[] = [
  ...faceCalls,
  ...documentCalls,
  ...clearingCalls,
  ...reviewCalls,
  ...userCalls,
  ...signingCalls,
  ...destinationCalls,
  ...deliveryCalls,
  ...operationCalls,
  ...verificationCalls,
  ...keyCalls,
];

/** Settings of a service that gives every example its stated answer. */
export const exampleSettings: Readonly<Record<string, string>> = Object.assign(
  {},
  ...exampleCalls.map(({ settings }) => settings ?? {}),
);

/**
 * Operations without an example call. Their requests and answers are shown by the examples of their fields.
 */
export const callsWithoutExample: readonly string[] = routes
  .filter(({ withoutExample }) => withoutExample !== undefined)
  .map(({ name }) => name);

/** The examples of one route in their order. */
export const exampleCallsOf = (route: Route): readonly ExampleCall[] =>
  exampleCalls.filter((call) => call.route.name === route.name);
