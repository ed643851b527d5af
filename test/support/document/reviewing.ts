import type { Caller } from "#contract/endpoint";
import type { Harness } from "./validations.ts";

/** Calls the review endpoints with the key of a reviewer. */
export const reviewedBy = (harness: Harness, key: Partial<Caller> & Pick<Caller, "keyId">) => {
  const ask = (name: string, request: unknown): Promise<unknown> => {
    const endpoint = harness.reviews.find(({ route }) => route.name === name);
    if (endpoint === undefined) throw new Error(`There is no endpoint ${name}`);
    return harness.call(endpoint, request, key);
  };
  return {
    keyId: key.keyId,
    list: (after?: string) => ask("listReviews", after === undefined ? {} : { after }),
    claim: (scanReference: string) => ask("claimReview", { scanReference }),
    show: (scanReference: string) => ask("showReview", { scanReference }),
    image: (scanReference: string, side: string) => ask("reviewPicture", { scanReference, side }),
    release: (scanReference: string) => ask("releaseReview", { scanReference }),
    decide: (scanReference: string, statement: Readonly<Record<string, unknown>>) =>
      ask("decideReview", { scanReference, ...statement }),
  };
};
