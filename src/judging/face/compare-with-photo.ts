import { allInputs, asInput } from "#contract/input";
import type { Json } from "#contract/json";
import type { OperationDetails } from "#record/transactions/operation-step";
import type { OpenedToken } from "#trust/tokens/token";
import { faceKinds, faceOf } from "./face-token.ts";
import { type FaceSide, type FacialJudgement, judgeComparison } from "./matching/judge-comparison.ts";
import { detailsOfFaces, hasFace } from "./operation-details.ts";
import { comparisonOf, hashOfImage, measurementsOf } from "./record.ts";
import { type FaceCall, type FaceService, type Measured, measureOrBroken, requireImage } from "./service.ts";

/**
 * A face that a call brings: a token of a template, a face image or a best image, and an open best image
 * beside it.
 */
export type FaceProbe = {
  readonly token: OpenedToken;
  readonly sides: readonly [ProbeSide, ...ProbeSide[]];
  /** The encoded image that shows the person; absent for a template alone, and where no face was found. */
  readonly selfie?: Uint8Array;
  /** SHA-256 (hex) of the open images of the call. */
  readonly imageHashes: readonly string[];
};

type ProbeSide = FaceSide | { readonly kind: "broken" };

/** The comparison of a probe with a photo, and what it adds to the record of its call. */
export type PhotoComparison = {
  readonly judgement: FacialJudgement;
  readonly measurements: { readonly [key: string]: Json };
  /** SHA-256 (hex) of the open images that were compared, the photo last. */
  readonly imageHashes: readonly string[];
  readonly models: Readonly<Record<string, string>>;
  readonly operationDetails: OperationDetails;
  readonly policyVersion: string;
};

/** The faces of a call against the photo of a register. Made by {@link makePhotoFaces}. */
export type PhotoFaces = {
  /**
   * Opens and measures the faces of a call. Fails with a token or an image failure (inputs `template`,
   * `bestImage`).
   */
  readonly openProbe: (
    call: FaceCall,
    faces: { readonly template: Uint8Array; readonly bestImage?: Uint8Array },
  ) => Promise<FaceProbe>;
  /**
   * Compares at the rate for registries. The photo is foreign input: one that cannot be read or shows no face
   * is an answer (InvalidExtractions), and so is an absent one (None). Of two faces of the call the lower
   * result counts.
   */
  readonly compare: (
    probe: FaceProbe,
    photo: Uint8Array | undefined,
    signal: AbortSignal,
  ) => Promise<PhotoComparison>;
};

export const makePhotoFaces = (service: FaceService): PhotoFaces => ({
  openProbe: async (call, { template, bestImage }) => {
    const token = await asInput("template", () =>
      service.openToken(template, ["template", ...faceKinds], { ...call, isReference: true }),
    );
    const [first, second] = await allInputs([
      measureToken(service, token, call.signal),
      bestImage === undefined ? undefined : measureImage(service, "bestImage", bestImage, call.signal),
    ]);
    const shown = bestImage ?? (token.kind === "template" ? undefined : faceOf(token));
    const hasSelfie = [second ?? first].some((side) => isMeasured(side) && hasFace(side));
    return {
      token,
      sides: second === undefined ? [first] : [first, second],
      ...(hasSelfie && shown !== undefined && { selfie: shown }),
      imageHashes: bestImage === undefined ? [] : [hashOfImage(bestImage)],
    };
  },
  compare: async (probe, photo, signal) => {
    const reference =
      photo === undefined ? undefined : await measureOrBroken(service, photo, { template: true }, signal);
    const judgement = lowest(probe.sides.map((side) => judge(service, reference, side)));
    const measured = [...probe.sides, ...(reference === undefined ? [] : [reference])].filter(isMeasured);
    return {
      judgement,
      measurements: {
        photo: reference === undefined ? null : measurementsOf(reference),
        faces: probe.sides.map((side) => (isMeasured(side) ? measurementsOf(side) : { kind: side.kind })),
        comparison: comparisonOf(judgement),
      },
      imageHashes: [...probe.imageHashes, ...(photo === undefined ? [] : [hashOfImage(photo)])],
      models: Object.assign({}, ...measured.map((one) => (one.kind === "measured" ? one.models : {}))),
      operationDetails: detailsOfFaces({ selfie: probe.selfie }, { facial: judgement }),
      policyVersion: service.policy.version,
    };
  },
});

const isMeasured = (side: ProbeSide): side is Measured => side.kind !== "template";

const measureToken = async (
  service: FaceService,
  token: OpenedToken,
  signal: AbortSignal,
): Promise<ProbeSide> =>
  token.kind === "template"
    ? { kind: "template", template: token.payload }
    : await measureImage(service, "template", faceOf(token), signal);

const measureImage = async (
  service: FaceService,
  input: string,
  image: Uint8Array,
  signal: AbortSignal,
): Promise<Measured> => {
  const measured = await measureOrBroken(service, image, { template: true }, signal);
  requireImage(input, measured);
  return measured;
};

const judge = (
  { policy }: FaceService,
  reference: Measured | undefined,
  probe: ProbeSide,
): FacialJudgement =>
  reference === undefined || reference.kind === "broken" || probe.kind === "broken"
    ? { result: "None" }
    : judgeComparison(reference, probe, policy.comparison, { use: "registry" });

/**
 * The results in order: first those that count most against the person, last those that count most for the
 * person.
 */
const order = [
  "Negative",
  "None",
  "NoneBecauseInvalidExtractions",
  "NoneBecausePoseExceed",
  "Uncertain",
  "Positive",
] as const satisfies readonly FacialJudgement["result"][];

const lowest = (judgements: readonly FacialJudgement[]): FacialJudgement => {
  const [first = { result: "None" }] = judgements.toSorted(
    (a, b) =>
      order.indexOf(a.result) - order.indexOf(b.result) ||
      (a.comparison?.score ?? 0) - (b.comparison?.score ?? 0),
  );
  return first;
};
