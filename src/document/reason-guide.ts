import type { ReasonCode } from "#contract/reason-code";
import type { DocumentPolicy } from "./policy.ts";
import { attackReasons } from "./reasons/attacks.ts";
import { captureReasons, pictureReasons } from "./reasons/capture.ts";
import { contentReasons } from "./reasons/contents.ts";
import { faceReasons } from "./reasons/faces.ts";
import { fieldReasons } from "./reasons/fields.ts";
import { countedReasons, historyReasons } from "./reasons/history.ts";
import { outsideReasons } from "./reasons/outside.ts";
import { requestReasons } from "./reasons/request.ts";
import type { ReasonRow } from "./reasons/row.ts";

/** Every reason code with what there is to know of it, under a policy. */
export const reasonRows = (policy: DocumentPolicy): Readonly<Record<ReasonCode, ReasonRow>> => ({
  ...requestReasons,
  ...pictureReasons(policy),
  ...captureReasons,
  ...fieldReasons,
  ...contentReasons,
  ...attackReasons(policy),
  ...faceReasons,
  ...historyReasons,
  ...countedReasons(policy),
  ...outsideReasons,
});
