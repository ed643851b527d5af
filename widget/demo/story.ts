/** What was computed in an onboarding, read from its answers and records. Pure. */
import { fieldsAt, listAt, numberAt, readJsonText, textAt, valueAt } from "./answer.ts";
import type { Onboarded, Outcome } from "./onboard.ts";

/** Lengths in pixels of the image, upright. */
export type SeenFace = {
  readonly width: number;
  readonly height: number;
  /** Faces in the image. */
  readonly faces: number;
  readonly box?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Landmarks; empty where there are none. */
  readonly mesh: readonly Corner[];
  readonly facts: readonly Fact[];
};

/** A named value. The name is a code of a text, or a name of the service. */
export type Fact = readonly [name: string, value: string];

export type Corner = readonly [x: number, y: number];

export type SeenSide = {
  readonly width: number;
  readonly height: number;
  /** Four, clockwise; empty where no card was located. */
  readonly corners: readonly Corner[];
  readonly facts: readonly Fact[];
};

export type Finding = {
  readonly name: string;
  readonly code?: number;
  /** Absent: kept out of the record, because it is about the person. */
  readonly holds?: "yes" | "no" | "unknown";
  readonly figures: readonly Fact[];
};

export type Story = {
  readonly outcome: Outcome;
  readonly ms: number;
  readonly selfie?: SeenFace;
  readonly portrait?: SeenFace;
  readonly comparison: readonly Fact[];
  readonly liveness: readonly Fact[];
  /** Weights in log odds of an attack: below zero speaks for a person before the camera. */
  readonly cues: readonly { readonly name: string; readonly weight: number }[];
  readonly qualityScore?: number;
  /** 0 to 100. */
  readonly quality: readonly { readonly name: string; readonly value: number }[];
  readonly estimates: readonly Fact[];
  readonly sides: readonly SeenSide[];
  readonly fields: readonly Fact[];
  readonly decision: readonly Fact[];
  /** Those that hold come first. */
  readonly findings: readonly Finding[];
};

/** A number as a person reads it: three significant digits, whole numbers as they are. */
export const writeNumber = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));

/** A plain value in words; undefined for none and for a group. */
const writeValue = (value: unknown): string | undefined => {
  if (typeof value === "number") return writeNumber(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
};

/** The facts of a group that have a plain value. */
const factsIn = (group: unknown, path: string): readonly Fact[] =>
  fieldsAt(group, path).flatMap(([name, value]): readonly Fact[] => {
    const written = writeValue(value);
    return written === undefined ? [] : [[name, written]];
  });

/** Facts at paths of a value; those that it lacks are left out. */
const pick = (of: unknown, names: Readonly<Record<string, string>>): readonly Fact[] =>
  Object.entries(names).flatMap(([name, path]): readonly Fact[] => {
    const written = writeValue(valueAt(of, path));
    return written === undefined ? [] : [[name, written]];
  });

const sizeOf = (of: unknown) => ({ width: numberAt(of, "width") ?? 0, height: numberAt(of, "height") ?? 0 });

const boxIn = (measured: unknown): SeenFace["box"] => {
  const [x, y] = [numberAt(measured, "face.box.x"), numberAt(measured, "face.box.y")];
  const { width, height } = sizeOf(valueAt(measured, "face.box"));
  return x === undefined || y === undefined ? undefined : { x, y, width, height };
};

const faceFacts = {
  detection: "face.confidence",
  presence: "face.presence",
  yaw: "face.pose.yawDegrees",
  pitch: "face.pose.pitchDegrees",
  roll: "face.pose.rollDegrees",
  eyeDistance: "face.eyeDistancePx",
} as const;

const isCorner = (value: unknown): value is Corner =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number");

/** The face in the measurement of an image; undefined where the image was not measured. */
const seenFace = (measured: unknown, mesh: unknown): SeenFace | undefined => {
  const { width, height } = sizeOf(measured);
  if (width === 0 || height === 0) return undefined;
  const box = boxIn(measured);
  return {
    width,
    height,
    faces: listAt(measured, "faceWidths").length,
    ...(box && { box }),
    mesh: listAt(mesh, "points").filter(isCorner),
    facts: pick(measured, faceFacts),
  };
};

const seenSide = (side: unknown): SeenSide => ({
  ...sizeOf(valueAt(side, "quality")),
  corners: listAt(side, "card.corners").filter(isCorner),
  facts: pick(side, {
    cardScore: "card.score",
    sharpness: "quality.sharpness",
    brightness: "quality.brightness",
    mrzFormat: "zone.format",
    mrzValid: "zone.accepted",
    facesOnSide: "faces",
  }),
});

const holdsOf = (value: unknown): Pick<Finding, "holds"> => {
  if (value === true) return { holds: "yes" };
  if (value === false) return { holds: "no" };
  return value === "unknown" ? { holds: "unknown" } : {};
};

const findingOf = (finding: unknown): Finding => {
  const code = numberAt(finding, "code");
  return {
    name: textAt(finding, "name") ?? "",
    ...(code !== undefined && { code }),
    ...holdsOf(valueAt(finding, "holds")),
    figures: factsIn(finding, "evidence"),
  };
};

const order = ["yes", "unknown", "no", undefined] as const;

const findingsIn = (record: unknown): readonly Finding[] => {
  const found = listAt(record, "measurements.findings").map(findingOf);
  return order.flatMap((holds) => found.filter((one) => one.holds === holds));
};

const numbersAt = (of: unknown, path: string): readonly (readonly [string, number])[] =>
  fieldsAt(of, path).flatMap(([name, value]): readonly (readonly [string, number])[] =>
    typeof value === "number" ? [[name, value]] : [],
  );

/** Document and person as the verification answers them. */
const fieldsOf = (verification: unknown): readonly Fact[] => [
  ...factsIn(verification, "document.document"),
  ...factsIn(verification, "document.person"),
];

/** Reasons and next step of the whole, then the answer about the document. */
const decisionOf = (verification: unknown): readonly Fact[] => {
  const reasons = listAt(verification, "reasons").filter((one) => typeof one === "string");
  return [
    ...(reasons.length === 0 ? [] : ([["reasons", reasons.join(", ")]] as const)),
    ...pick(verification, {
      nextStep: "nextStep",
      status: "document.status",
      code: "document.code",
      reasonCode: "document.reasonCode",
      reason: "document.reason",
    }),
  ];
};

export const readStory = (onboarded: Onboarded): Story => {
  const { verification, extraction, records, meshes, outcome, ms } = onboarded;
  const faces = valueAt(records["identity"], "measurements");
  const decision = records["documentValidation"];
  const selfie = seenFace(valueAt(faces, "bestImage"), meshes.selfie);
  const portrait = seenFace(valueAt(faces, "reference"), meshes.portrait);
  const qualityScore = numberAt(extraction, "faceQuality.score");
  const quality = listAt(extraction, "faceQuality.components").flatMap((one) => {
    const [name, value] = [textAt(one, "name"), numberAt(one, "value")];
    return name === undefined || value === undefined ? [] : [{ name, value }];
  });
  return {
    outcome,
    ms,
    ...(selfie && { selfie }),
    ...(portrait && { portrait }),
    comparison: [
      ...pick(verification, {
        result: "identity.comparison.result",
        similarity: "identity.comparison.similarity",
        falseMatchRate: "identity.comparison.fmrAtScore",
      }),
    ],
    liveness: [
      ...pick(verification, { result: "identity.liveness.result" }),
      ...pick(faces, { assurance: "liveness.assurance", attackScore: "liveness.attackScore" }),
    ],
    cues: numbersAt(faces, "liveness.cues").map(([name, weight]) => ({ name, weight })),
    ...(qualityScore !== undefined && { qualityScore }),
    quality,
    estimates: factsIn({ of: readJsonText(textAt(extraction, "serviceFacialExtractionResult")) }, "of"),
    sides: listAt(decision, "measurements.sides").map(seenSide),
    fields: fieldsOf(verification),
    decision: decisionOf(verification),
    findings: findingsIn(decision),
  };
};
