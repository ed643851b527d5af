import { CallError } from "./client.ts";
import type { DemoText } from "./texts.ts";

/** What went wrong: what the person may do, and the service's own words. */
export type Problem = { readonly advice: DemoText; readonly detail: string };

const adviceOf: Readonly<Record<string, DemoText>> = {
  unauthorized: "problemKey",
  path_unknown: "problemLive",
  mailbox_live_key: "problemLive",
  scope_missing: "problemScope",
  offline: "problemOffline",
  images_not_kept: "problemNotKept",
  image_unreadable: "problemImage",
  image_unsupported: "problemImage",
  image_too_large: "problemImage",
  body_too_large: "problemImage",
  capture_ended: "problemCapture",
  engine_busy: "problemBusy",
  overloaded: "problemBusy",
  rate_limited: "problemBusy",
};

export const problemOf = (error: unknown): Problem => {
  if (!(error instanceof CallError)) {
    return { advice: "problemOther", detail: error instanceof Error ? error.message : String(error) };
  }
  const { failure, status, message } = error;
  const isTimeOut = status === 504;
  return { advice: isTimeOut ? "problemBusy" : (adviceOf[failure] ?? "problemOther"), detail: message };
};
