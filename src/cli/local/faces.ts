/** What was measured and judged of faces, for the reader of an answer. */
import type { LocalChecks } from "#app/local-checks";
import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { FacialJudgement } from "#judging/face/matching/judge-comparison";
import type { FaceMeasurement } from "#judging/face/measurement";
import type { Section } from "./check.ts";

const fixed = (value: number, digits = 2): string => value.toFixed(digits);
const degrees = (value: number): string => `${value.toFixed(0)}°`;

/** `pixels`, `file` and `face` of one image, with the limits of a comparison. */
export const describeFace = (
  heading: string,
  image: FaceMeasurement,
  { facePolicy: { comparison } }: LocalChecks,
): Section => {
  if (image.kind !== "measured") {
    const facts = Object.entries(image.facts ?? {}).map(([name, value]) => [name, String(value)] as const);
    return { heading, rows: [["not measured", image.code], ...facts] };
  }
  const { file, face, faceWidths } = image;
  const quality = file.jpegQuality === undefined ? "" : `, quality ${file.jpegQuality}`;
  const rows: [string, string][] = [
    ["file", `${file.width} x ${file.height} px, ${file.format}${quality}, ${file.bytes} bytes`],
  ];
  if (face === undefined) return { heading, rows: [...rows, ["face", "none found"]] };
  const others = faceWidths.slice(1).map((ratio) => fixed(ratio));
  return {
    heading,
    rows: [
      ...rows,
      ["face", `${face.box.width.toFixed(0)} px wide, presence ${fixed(face.presence)}`],
      ["between the eyes", `${face.eyeDistancePx.toFixed(0)} px (at least ${comparison.eyeDistancePxMin})`],
      ["sharpness", `${fixed(face.quality.sharpness)} (at least ${comparison.sharpnessMin})`],
      [
        "head",
        `yaw ${degrees(face.pose.yawDegrees)} (up to ${comparison.yawDegreesMax}°), pitch ${degrees(face.pose.pitchDegrees)} (up to ${comparison.pitchDegreesMax}°), roll ${degrees(face.pose.rollDegrees)}`,
      ],
      ...(others.length === 0
        ? []
        : [
            ["other faces", `${others.join(", ")} of its width (up to ${comparison.crowdShareMin})`] as const,
          ]),
    ],
  };
};

export const describeComparison = (facial: FacialJudgement, checks: LocalChecks): Section => {
  const rows: [string, string][] = [["result", facial.result]];
  const { comparison, use = "selfie" } = facial;
  if (comparison !== undefined) {
    const wanted = checks.facePolicy.comparison.falseMatchRates[use];
    rows.push(
      ["similarity", `${(100 * comparison.similarity).toFixed(2)} %`],
      ["score", `${fixed(comparison.score, 3)} (matches from ${fixed(checks.thresholdOf(use), 3)})`],
      [
        "false match rate there",
        `${comparison.falseMatchRate.toExponential(1)} (wanted ${wanted.toExponential(0)})`,
      ],
    );
  }
  return { heading: "Comparison", rows };
};

export const describeLiveness = (liveness: LivenessJudgement, { facePolicy }: LocalChecks): Section => {
  const { result, assurance, attackScore, evidence } = liveness;
  const { attackScoreMax } = facePolicy.liveness;
  return {
    heading: "Liveness",
    rows: [
      ["result", result],
      ["level of assurance", assurance],
      ...(attackScore === undefined
        ? []
        : [["attack score", `${fixed(attackScore)} (an attack above ${attackScoreMax})`] as const]),
      ...evidence.map(({ cue, weight }) => [`cue ${cue}`, fixed(weight)] as const),
    ],
  };
};
