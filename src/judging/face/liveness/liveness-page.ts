import { livenessNumber } from "#contract/liveness";
import { outcomeOf } from "#contract/outcome";
import type { FacePolicy } from "../policy.ts";
import type { Cue } from "./cues/cue.ts";
import { cues } from "./cues/list.ts";
import { resubmittedReference } from "./cues/resubmitted.ts";
import { weakCues } from "./fusion.ts";
import { type LivenessResult, livenessRules } from "./liveness-rules.ts";

type Row = { readonly result: LivenessResult; readonly when: string; readonly next: string };

const again = "Send the same again; the operator's log says why.";

/** Results before the search for a face. */
const before: readonly Row[] = [
  {
    result: "NoneBecauseInternalError",
    when: "the engine broke while it measured the image; the token stays valid",
    next: again,
  },
  {
    result: "NoneBecauseLicenseError",
    when: "the terms of the liveness network that the operator chose forbid its use, by a later block list; the token stays valid",
    next: "The operator selects another network, or none: `idem models use`.",
  },
  {
    result: "NoneBecauseImageDataError",
    when: "the bytes are no image within the limits",
    next: "Send a JPEG, PNG, WebP or AVIF.",
  },
  {
    result: "NoneBecauseImagePreprocessError",
    when: "the image is smaller than 32 pixels on a side",
    next: "Send the image as the camera took it.",
  },
];

/** Results where no rule for the user holds. */
const after = ({ attackScoreMax, networkRefusalMax }: FacePolicy["liveness"]): readonly Row[] => [
  {
    result: "NoLive",
    when: `the attack score is over ${attackScoreMax}; where an added network scores the image at most ${networkRefusalMax} live, cues in the person's favour do not count`,
    next: "Reject. Do not tell the person which cue it was.",
  },
  {
    result: "None",
    when: "no cue of an attack could be measured: the face leaves no margins and has too few pixels",
    next: "Ask for an image taken further away, at the camera's own size.",
  },
  { result: "Live", when: "all else", next: "Go on." },
];

const strengths: Readonly<Record<Cue["strength"], string>> = {
  decisive: "yes",
  weak: "no",
  digital: "no, it describes the file alone",
};

/** The presentation attack cues, for operators and reviewers. */
const cueLines = (): readonly string[] => [
  "## Cues of an attack",
  "",
  "From `src/judging/face/liveness/cues/`. The stored record of an answer has the weight of every cue that was measured: the natural log of how",
  "much likelier an attack makes it, positive against the person. Cues that may not accuse alone are held within",
  `±${weakCues.max} together and cannot cause a refusal. Never show any of this to the person.`,
  "",
  "| cue | may accuse alone | why an attack leaves it |",
  "|---|---|---|",
  ...cues.map(({ name, strength, reason }) => `| ${name} | ${strengths[strength]} | ${reason} |`),
  `| ${resubmittedReference.cue} | yes | The best image is the reference image itself: two captures of a living face never agree in every detail. |`,
  "",
];

/**
 * The table of liveness results in the order in which they are decided, in Markdown: pure, from the rules
 * themselves.
 */
export const writeLivenessPage = (policy: FacePolicy): string => {
  const { liveness, version } = policy;
  const rows = [
    ...before,
    ...livenessRules.map(({ result, when, advice }) => ({ result, when: when(liveness), next: advice })),
    ...after(liveness),
  ].map(({ result, when, next }, place) => {
    const number = livenessNumber[result];
    return `| ${place + 1} | ${number} | ${result} | ${when} | ${next} | ${outcomeOf({ liveness: number })} |`;
  });
  return [
    "# Liveness results",
    "",
    "Written by `npm run golden` from `src/judging/face/liveness/liveness-rules.ts` and `src/judging/face/liveness/liveness-page.ts`, with the thresholds of the",
    `policy \`${version}\`. The first line that holds is the answer. Faults that the person can correct come before any sign of an`,
    "attack, in the order of correction: the faces in the image, distance, position, pose, occlusion, then light",
    "and focus. 1 (Spoof) and 2 (Uncertain) are deprecated: they are read, never sent.",
    "",
    "| order | number | result | when | what to do next | outcome |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    ...cueLines(),
  ].join("\n");
};
