import { exampleScanReference } from "../example.ts";
import {
  claimReviewRoute,
  decideReviewRoute,
  listReviewsRoute,
  releaseReviewRoute,
  reviewImageRoute,
  showReviewRoute,
} from "../review.routes.ts";
import { callsOn, type ExampleCall } from "./example-call.ts";

const ofReview = callsOn(
  { field: "scanReference", from: "contradictory", member: "scanReference" },
  exampleScanReference,
);

/**
 * Examples of a review, in an order that works: of the validation that the example `contradictory` started.
 */
export const reviewCalls: readonly ExampleCall[] = [
  {
    name: "waiting",
    route: listReviewsRoute,
    summary: "The documents that wait: here the passport of the example `contradictory`, else none.",
    fields: {},
  },
  ofReview("claim", claimReviewRoute, "Claims the review of the passport of the example `contradictory`."),
  ofReview("show", showReviewRoute, "All data of the claimed review."),
  ofReview("front", reviewImageRoute, "The image of its front.", { side: "front" }),
  ofReview("release", releaseReviewRoute, "Others may claim the review now."),
  ofReview("claimAgain", claimReviewRoute, "Claims the released review again."),
  ofReview("decline", decideReviewRoute, "Declines the passport with a reason.", {
    decision: "DECLINE",
    reasonCode: 507,
    note: "The digit of the birth date is printed over.",
  }),
];
