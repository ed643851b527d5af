import type { Caller, Endpoint } from "#contract/endpoint";
import { type Call, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import { isReasonCode, reasons } from "#contract/reason-code";
import {
  claimReviewRoute,
  decideReviewRoute,
  listReviewsRoute,
  releaseReviewRoute,
  reviewImageRoute,
  showReviewRoute,
} from "#contract/review.routes";
import { formatOf } from "#machine/imaging/file-format";
import type { DocumentPolicy } from "../decision/policy.ts";
import { reasonRows } from "../decision/reason-guide.ts";
import type { KeptFinding } from "../decision/verification-record.ts";
import type { DecideReview } from "../validation/review/decide-review.ts";
import type { ReviewQueue } from "../validation/review/review-queue.ts";
import type { Statement } from "../validation/sealed.ts";
import { wireRecord } from "./wire-record.ts";

type Deps = {
  readonly queue: ReviewQueue;
  readonly decideReview: DecideReview;
  readonly policy: DocumentPolicy;
};

/** The review queue's endpoints. One API key is one reviewer. */
export const reviewEndpoints = (deps: Deps): readonly Endpoint[] => [
  listEndpoint(deps),
  showEndpoint(deps),
  imageEndpoint(deps),
  implement(claimReviewRoute, async (call) => {
    const { scanReference } = call.request;
    const until = await deps.queue.claim(call.caller, scanReference);
    return { timestamp: stamp(call), scanReference, claimedUntil: until.toISOString() };
  }),
  implement(releaseReviewRoute, async (call) => {
    const { scanReference } = call.request;
    await deps.queue.release(call.caller, scanReference);
    return { timestamp: stamp(call), scanReference };
  }),
  implement(decideReviewRoute, async (call) => {
    const { scanReference, decision, reasonCode, note } = call.request;
    const statement = {
      decision: decisions[decision],
      reasonCode: reasonCode ?? null,
      note: note ?? "",
    };
    const state = await deps.decideReview(call.caller, scanReference, statement);
    return { timestamp: stamp(call), scanReference, state };
  }),
];

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

const decisions = { APPROVE: "Approved", DECLINE: "Declined", RESUBMIT: "Resubmission" } as const;
const wireDecisions = { Approved: "APPROVE", Declined: "DECLINE", Resubmission: "RESUBMIT" } as const;

const listEndpoint = ({ queue }: Deps): Endpoint =>
  implement(listReviewsRoute, async (call) => {
    const { caller } = call;
    const now = answeredAt(call);
    const { reviews, isLast } = await queue.list(caller, placeOf(call.request.after));
    const last = isLast ? undefined : reviews.at(-1);
    return {
      timestamp: now.toISOString(),
      reviews: reviews.map(({ id, openedAt, claim, proposal, document }) => {
        const held = claim !== undefined && claim.until > now ? claim : undefined;
        return {
          scanReference: id,
          openedAt: openedAt.toISOString(),
          claimedUntil: held?.until.toISOString() ?? null,
          isMine: held !== undefined && isOf(caller, held),
          isProposed: proposal !== undefined,
          country: document?.country ?? null,
          idType: document?.type ?? null,
          reasonCode: document?.reasonCode ?? null,
          additionalReasonCodes: [...(document?.otherReasonCodes ?? [])],
        };
      }),
      next: last === undefined ? null : writePagePlace({ at: last.openedAt, id: last.id }),
    };
  });

const isOf = ({ keyId }: Caller, held: { readonly keyId: string }): boolean => held.keyId === keyId;

const placeOf = (after: string | undefined) => {
  const place = readPagePlace(after === "" ? undefined : after);
  return place && { openedAt: place.at, id: place.id };
};

const showEndpoint = ({ queue, policy }: Deps): Endpoint => {
  const explain = makeExplain(policy);
  return implement(showReviewRoute, async (call) => {
    const { found, input, record, proposal } = await queue.open(call.caller, call.request.scanReference);
    return {
      timestamp: stamp(call),
      // A reviewer sees the exact reason.
      record: wireRecord(found, "extended"),
      sides: input.backBlobId === null ? ["front" as const] : ["front" as const, "back" as const],
      findings: (record.findings ?? []).map(explain),
      proposal: proposal === undefined ? null : wireStatement(proposal),
    };
  });
};

const wireStatement = ({ decision, reasonCode, note }: Statement) => ({
  decision: wireDecisions[decision],
  reasonCode,
  note,
});

const makeExplain = (policy: DocumentPolicy) => {
  const rows = reasonRows(policy);
  return ({ name, stage, holds, code, evidence }: KeptFinding) => ({
    name,
    stage,
    holds,
    reasonCode: code,
    meaning: isReasonCode(code) ? reasons[code].meaning : "",
    explanation: isReasonCode(code) ? rows[code].when : "",
    evidence,
  });
};

const imageEndpoint = ({ queue }: Deps): Endpoint =>
  implement(reviewImageRoute, async (call) => {
    const { scanReference, side } = call.request;
    const bytes = await queue.readImage(call.caller, scanReference, side);
    return {
      timestamp: stamp(call),
      scanReference,
      mimeType: `image/${formatOf(bytes)}` as const,
      image: Buffer.from(bytes).toString("base64"),
    };
  });
