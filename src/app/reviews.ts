/** Composition of the review queue of documents. */
import type { Endpoint } from "#contract/endpoint";
import { reviewEndpoints } from "#judging/document/http/review.endpoint";
import { makeDecideReview } from "#judging/document/validation/review/decide-review";
import { makeReviewQueue, type ReviewDeps } from "#judging/document/validation/review/review-queue";
import type { Engine } from "./engine.ts";
import { shownImages } from "./shown-images.ts";

/** The endpoints of the review queue. A reviewer sees the pixels of an image, without its metadata. */
export const openReviews = (deps: ReviewDeps, engine: Pick<Engine, "keepPixels">): readonly Endpoint[] =>
  reviewEndpoints({
    queue: makeReviewQueue({ ...deps, blobs: shownImages(deps.blobs, engine) }),
    decideReview: makeDecideReview(deps),
    policy: deps.policy,
  });
