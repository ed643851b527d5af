import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { asInput } from "#contract/input";
import type { OpenedToken } from "#tokens/token";
import { type FaceSide, type FacialJudgement, judgeComparison } from "./matching/judge-comparison.ts";
import { comparisonOf, measurementsOf, recordFaceCall } from "./record.ts";
import {
  type FaceCall,
  type FaceService,
  type Measured,
  measureOrBroken,
  requirePicture,
} from "./service.ts";

/** One face to compare: an open picture, or a sealed token. */
export type FaceInput =
  | { readonly kind: "picture"; readonly picture: Uint8Array }
  | { readonly kind: "face-image" | "template"; readonly token: Uint8Array };

export type AuthenticateFacial = (call: FaceCall, a: FaceInput, b: FaceInput) => Promise<FacialJudgement>;

type Side = FaceSide | { readonly kind: "broken" };

const inputNames = ["first", "second"] as const;

/**
 * Compares two faces without judging liveness. Fails with an image or a token failure (inputs `first`, `second`). A template token whose
 * bytes are no template of this engine is an answer (InvalidExtractions), not a failure.
 */
export const makeAuthenticateFacial =
  (service: FaceService): AuthenticateFacial =>
  async (call, a, b) => {
    const tokens = await Promise.all(
      [a, b].map((input, at) => asInput(inputNames[at]!, () => openInput(service, call, input))),
    );
    const sides = await Promise.all(
      [a, b].map((input, at) => measureSide(service, call, input, inputNames[at]!, tokens[at])),
    );
    const [first, second] = [sides[0]!, sides[1]!];
    const judgement: FacialJudgement =
      first.kind === "broken" || second.kind === "broken"
        ? { result: "None" }
        : judgeComparison(first, second, service.policy.comparison, { use: "selfie" });
    await recordFaceCall(service, call, {
      endpoint: "authenticateFacial",
      result: { facial: facialAuthenticationNumber[judgement.result] },
      measurements: {
        first: sideMeasurements(first),
        second: sideMeasurements(second),
        comparison: comparisonOf(judgement),
      },
      measured: [first, second].filter(isPicture),
      tokens: tokens.filter((token) => token !== undefined),
    });
    return judgement;
  };

const openInput = async (
  { openToken }: FaceService,
  { receivedAt }: FaceCall,
  input: FaceInput,
): Promise<OpenedToken | undefined> =>
  input.kind === "picture" ? undefined : openToken(input.token, input.kind, receivedAt);

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
  const picture = input.kind === "picture" ? input.picture : token?.payload;
  if (picture === undefined) {
    throw new Error("A token was not opened before it was measured");
  }
  const measured = await measureOrBroken(service, picture, { template: true }, call.signal);
  requirePicture(name, measured);
  return measured;
};

const isPicture = (side: Side): side is Measured => side.kind !== "template";

const sideMeasurements = (side: Side) => (isPicture(side) ? measurementsOf(side) : { kind: side.kind });
