import type { LookAnswer, LookRequest } from "./look.ts";

/** What the page sends to its worker … */
export type ToWorker =
  | { readonly kind: "start"; readonly weightsUrl: string }
  | { readonly kind: "look"; readonly request: LookRequest };

/** … and what comes back: one answer for each message, in order. */
export type FromWorker =
  | { readonly kind: "started" }
  | { readonly kind: "failed" }
  | { readonly kind: "looked"; readonly answer: LookAnswer };
