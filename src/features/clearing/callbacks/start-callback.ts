import { Failure } from "#contract/failure";
import type { JudgeReceiver } from "#record/webhooks/destinations/judge-test-receiver";
import type { IssueCall, IssueWish } from "../issue-token.ts";
import type { Issue } from "../verify/issue.ts";
import type { CallbackSealing } from "./sealed-callback.ts";

/** What the older flow states beside the identity call and the document validation. */
export type CallbackWish = IssueWish & {
  readonly callbackUrl: string;
  /** The caller's own statements: kept sealed with the record of the call, and judged by nothing. */
  readonly customerId: string;
  readonly ipVerified: string;
  /** Life of the hash. If absent, that of every token applies. */
  readonly tokenMs?: number;
};

export type StartCallbackDeps = {
  readonly issue: Issue;
  readonly sealing: Pick<CallbackSealing, "seal">;
  readonly judgeReceiver: JudgeReceiver;
  readonly newHash: () => string;
  /** Starts the callback at once. */
  readonly wake: () => void;
};

/**
 * Issues a verification token of 40 hexadecimal digits, and commits with it the callback to the caller's URL.
 * Fails as `IssueToken`, and with callback_url_refused. Made by {@link makeStartCallback}.
 */
export type StartCallback = (call: IssueCall, wish: CallbackWish) => Promise<{ readonly hash: string }>;

export const makeStartCallback =
  ({ issue, sealing, judgeReceiver, newHash, wake }: StartCallbackDeps): StartCallback =>
  async (call, { callbackUrl: url, customerId, ipVerified, tokenMs, ...wish }) => {
    const reason = judgeReceiver(url, call.caller.environment);
    if (reason !== undefined) throw new Failure("callback_url_refused", { reason });
    const { token: hash } = await issue(call, wish, {
      endpoint: "startPrevired",
      newToken: newHash,
      ...(tokenMs !== undefined && { tokenMs }),
      measurements: { customerId, ipVerified },
      callbackOf: async ({ tenantId, environment, createdAt, issuedBy: id, expiresAt }, token) => {
        const content = { url, hash: token, expiresAt: expiresAt.toISOString() };
        const { sealed } = await sealing.seal({ tenantId, environment, id }, content);
        return { tenantId, environment, id, createdAt, sealed };
      },
    });
    wake();
    return { hash };
  };
