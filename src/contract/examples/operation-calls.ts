import type { Route } from "../endpoint.ts";
import { exportEvidenceRoute } from "../evidence.routes.ts";
import {
  endOperationRoute,
  listOperationsRoute,
  revokeAssetRoute,
  showOperationRoute,
} from "../operation.routes.ts";
import { finishTrackingRoute } from "../tracking.routes.ts";
import { showTransactionRoute } from "../transaction.routes.ts";
import type { ExampleCall, TakenValue } from "./example-call.ts";
import { exampleTracking } from "./tracking.ts";

const exampleId = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

const operation: TakenValue = { field: "operation", from: "triggered", member: "operationId" };
const asset: TakenValue = { field: "asset", from: "shownOperation", member: "assets.1.id" };

const transactionId: TakenValue = {
  field: "transactionId",
  from: "trackedLiveness",
  member: "serviceTransactionId",
};

/** The link to a kept image: the first one of the example `shownOperation`. */
export const exampleAssetLink = { from: "shownOperation", member: "assets.0.url" } as const;

const of =
  (...taken: readonly TakenValue[]) =>
  (name: string, route: Route, summary: string, fields: ExampleCall["fields"] = {}): ExampleCall => ({
    name,
    route,
    summary,
    fields: { ...Object.fromEntries(taken.map(({ field }) => [field, exampleId])), ...fields },
    taken,
    alone: "not_found",
  });

/** Examples of operations, in an order that works: after the calls and test events that opened them. */
export const operationCalls: readonly ExampleCall[] = [
  {
    name: "operations",
    route: listOperationsRoute,
    summary: "The open operations: here those of the examples `triggered` and `trackedLiveness`.",
    fields: { state: "open" },
  },
  {
    name: "finished",
    route: finishTrackingRoute,
    summary: "Ends the operation of the example `trackedLiveness`.",
    fields: { family: "OnBoarding", status: "SUCCEEDED", reason: "", ...exampleTracking },
    alone: "operation_unknown",
  },
  of(operation)(
    "shownOperation",
    showOperationRoute,
    "The timeline of the example `triggered`. The links to its images work for some minutes.",
  ),
  of(transactionId)(
    "shownTransaction",
    showTransactionRoute,
    "The record of the example `trackedLiveness`: the box of its face, quality and cues.",
  ),
  of(operation, asset)("revoked", revokeAssetRoute, "The later selfie is served by no link any more."),
  of(operation)("ended", endOperationRoute, "The operator ends the operation by hand.", { status: "DENIED" }),
  of(operation)(
    "evidenceBundle",
    exportEvidenceRoute,
    "The signed bundle of the operation that was ended by hand, with the hashes of its images.",
    { images: "false", anyway: "false" },
  ),
];
