import { type FacialAuthentication, facialAuthenticationNumber } from "#contract/facial-authentication";
import { outcomeOf } from "#contract/outcome";
import type { ComparisonPolicy, FacePolicy } from "../policy.ts";

type Row = { readonly when: string; readonly next: string };

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const rowsOf = (policy: ComparisonPolicy): Readonly<Record<FacialAuthentication, Row>> => ({
  None: {
    when:
      `no match, and a second face in an image is at least ${percent(policy.crowdShareMin)} as wide ` +
      `(${percent(policy.referenceCrowdShareMin)} in the reference of identity and authenticateUser): the score may belong to it. ` +
      "Also where the engine broke, or no comparison was made, and in place of 1 where liveness names a fault that the person can correct",
    next: "Be alone in the image, or follow the advice of the liveness result. Where the liveness result is 10, send the same again.",
  },
  Negative: {
    when: "the score is under the threshold",
    next: "Reject: two persons.",
  },
  Uncertain: {
    when: "never: no setting of this release makes a second threshold",
    next: "Treat it as any number other than 3.",
  },
  Positive: {
    when: "the score reaches the threshold of `IDEM_FMR_SELFIE`, `IDEM_FMR_DOCUMENT` or `IDEM_FMR_REGISTRY`",
    next: "Go on.",
  },
  NoneBecausePoseExceed: {
    when:
      `a head is rotated more than ${policy.yawDegreesMax}° aside, or ${policy.pitchDegreesMax}° up or down; ` +
      "in place of 1 also where the liveness result is 8",
    next: "Look straight into the camera.",
  },
  NoneBecauseInvalidExtractions: {
    when:
      `an image shows no face (presence under ${policy.presenceMin}), one with fewer than ${policy.eyeDistancePxMin} pixels between the ` +
      `pupils, or one of a sharpness under ${policy.sharpnessMin}; or a template is of another recogniser, or none`,
    next: "Come closer, look for even light and hold still. For a template: enrol again.",
  },
});

/** In the order of their numbers. */
const names = [
  "None",
  "Negative",
  "Uncertain",
  "Positive",
  "NoneBecausePoseExceed",
  "NoneBecauseInvalidExtractions",
] as const satisfies readonly FacialAuthentication[];

/**
 * The table of results of a face comparison, in Markdown: pure, from the policy and the numbers of the
 * interface.
 */
export const writeFacialPage = ({ comparison, version }: FacePolicy): string => {
  const rows = rowsOf(comparison);
  const lines = names.map((name) => {
    const number = facialAuthenticationNumber[name];
    const { when, next } = rows[name];
    return `| ${number} | ${name} | ${when} | ${next} | ${outcomeOf({ facial: number })} |`;
  });
  return [
    "# Results of a face comparison",
    "",
    "Written by `npm run golden` from `src/judging/face/matching/facial-page.ts`, with the thresholds of the",
    `policy \`${version}\`. The number stands in \`facialAuthenticationResult\` and \`serviceFacialAuthenticationResult\`, the name in the`,
    "log field beside it and in the event `facial_authentication_evaluated`. A fault that the person can correct is never 1. First",
    "5, then 4, then the score is judged.",
    "",
    "`outcome` is that of the comparison alone. An answer that judges liveness too joins both: `error` comes first, then",
    "`rejected`, and `approved` needs both ([liveness results](liveness-results.md)).",
    "",
    "| number | result | when | what to do next | outcome |",
    "|---|---|---|---|---|",
    ...lines,
    "",
  ].join("\n");
};
