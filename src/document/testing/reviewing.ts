import type { Caller } from "#contract/endpoint";
import type { House } from "./validations.ts";

/** What a person with a key does at the endpoints of reviews. */
export const reviewedBy = (house: House, key: Partial<Caller> & Pick<Caller, "keyId">) => {
  const ask = (name: string, request: unknown): Promise<unknown> => {
    const endpoint = house.reviews.find(({ route }) => route.name === name);
    if (endpoint === undefined) throw new Error(`There is no endpoint ${name}`);
    return house.call(endpoint, request, key);
  };
  return {
    keyId: key.keyId,
    list: (after?: string) => ask("listReviews", after === undefined ? {} : { after }),
    claim: (scanReference: string) => ask("claimReview", { scanReference }),
    show: (scanReference: string) => ask("showReview", { scanReference }),
    picture: (scanReference: string, side: string) => ask("reviewPicture", { scanReference, side }),
    release: (scanReference: string) => ask("releaseReview", { scanReference }),
    decide: (scanReference: string, statement: Readonly<Record<string, unknown>>) =>
      ask("decideReview", { scanReference, ...statement }),
  };
};
