import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "./policy.ts";
import { attackReasons } from "./reasons/attacks.ts";
import { captureReasons, imageReasons } from "./reasons/capture.ts";
import { contentReasons } from "./reasons/contents.ts";
import { faceReasons } from "./reasons/faces.ts";
import { fieldReasons } from "./reasons/fields.ts";
import { countedReasons, historyReasons } from "./reasons/history.ts";
import { requestReasons } from "./reasons/request.ts";
import type { ReasonRow } from "./reasons/row.ts";
import { watchlistReasons } from "./reasons/watchlists.ts";

/** Every reason code with its row of the guide, under a policy. */
export const reasonRows = (policy: DocumentPolicy): Readonly<Record<ReasonCode, ReasonRow>> => ({
  ...requestReasons,
  ...imageReasons(policy),
  ...captureReasons,
  ...fieldReasons,
  ...contentReasons,
  ...attackReasons(policy),
  ...faceReasons,
  ...historyReasons,
  ...countedReasons(policy),
  ...watchlistReasons,
});
