import { verifyClearingRoute, verifyPreviredRoute } from "#contract/clearing.routes";
import { type Endpoint, implement } from "#contract/endpoint";
import type { IssueToken } from "../issue-token.ts";

/** Issues a verification token, under both names of the path. */
export const verifyEndpoints = (issueToken: IssueToken): readonly Endpoint[] =>
  [verifyClearingRoute, verifyPreviredRoute].map((route) =>
    implement(route, async (call) => {
      const { serviceTransactionId: transactionId, scanReference } = call.request;
      const { token, expiresAt, certificateUrl } = await issueToken(call, { transactionId, scanReference });
      return { token, expiresAt: expiresAt.toISOString(), certificateUrl };
    }),
  );
