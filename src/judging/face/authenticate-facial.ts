import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { allInputs, asInput } from "#contract/input";
import type { OpenedToken } from "#trust/tokens/token";
import { faceKinds, faceOf } from "./face-token.ts";
import { type FaceSide, type FacialJudgement, judgeComparison } from "./matching/judge-comparison.ts";
import { comparisonOf, measurementsOf, recordFaceCall } from "./record.ts";
import { type FaceCall, type FaceService, type Measured, measureOrBroken, requireImage } from "./service.ts";

/** One face to compare: an open image, or a sealed token. */
export type FaceInput =
  | { readonly kind: "image"; readonly image: Uint8Array }
  | { readonly kind: "face-image" | "template"; readonly token: Uint8Array };

/** The judgement, with the authentication hash where it is positive. */
export type Authenticated = { readonly judgement: FacialJudgement; readonly hash: string | undefined };

export type AuthenticateFacial = (call: FaceCall, a: FaceInput, b: FaceInput) => Promise<Authenticated>;

type Side = FaceSide | { readonly kind: "broken" };

const inputNames = ["first", "second"] as const;

/**
 * Compares two faces without judging liveness. Fails with an image or a token failure (inputs `first`,
 * `second`). A template token whose bytes are not a template of this engine is an answer
 * (InvalidExtractions), not a failure.
 */
export const makeAuthenticateFacial =
  (service: FaceService): AuthenticateFacial =>
  async (call, a, b) => {
    const tokens = await allInputs(
      [a, b].map((input, at) => asInput(inputNames[at]!, () => openInput(service, call, input))),
    );
    const sides = await allInputs(
      [a, b].map((input, at) => measureSide(service, call, input, inputNames[at]!, tokens[at])),
    );
    const [first, second] = [sides[0]!, sides[1]!];
    const judgement: FacialJudgement =
      first.kind === "broken" || second.kind === "broken"
        ? { result: "None" }
        : judgeComparison(first, second, service.policy.comparison, { use: "selfie" });
    const hash = await recordFaceCall(service, call, {
      endpoint: "authenticateFacial",
      result: { facial: facialAuthenticationNumber[judgement.result] },
      measurements: {
        first: sideMeasurements(first),
        second: sideMeasurements(second),
        comparison: comparisonOf(judgement),
      },
      measured: [first, second].filter(isImage),
      images: [a, b].flatMap((input) => (input.kind === "image" ? [input.image] : [])),
      tokens: tokens.filter((token) => token !== undefined),
    });
    return { judgement, hash };
  };

const openInput = async (
  { openToken }: FaceService,
  call: FaceCall,
  input: FaceInput,
): Promise<OpenedToken | undefined> =>
  input.kind === "image"
    ? undefined
    : openToken(input.token, input.kind === "template" ? input.kind : faceKinds, {
        ...call,
        isReference: true,
      });

const measureSide = async (
  service: FaceService,
  call: FaceCall,
  input: FaceInput,
  name: string,
  token: OpenedToken | undefined,
): Promise<Side> => {
  if (input.kind === "template" && token !== undefined) {
    return { kind: "template", template: token.payload };
  }
  const image = input.kind === "image" ? input.image : token && faceOf(token);
  if (image === undefined) {
    throw new Error("A token was not opened before it was measured");
  }
  const measured = await measureOrBroken(service, image, { template: true }, call.signal);
  requireImage(name, measured);
  return measured;
};

const isImage = (side: Side): side is Measured => side.kind !== "template";

const sideMeasurements = (side: Side) => (isImage(side) ? measurementsOf(side) : { kind: side.kind });
