/**
 * Routes whose credential is the token of a capture session: who calls, from which page, and what the page's
 * browser may read.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller, CallSession } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { bearerOf, hashSessionToken, mayBeSessionToken } from "#contract/session-token";
import { makeAddressLimit } from "./address-limit.ts";
import type { CallerAddress } from "./caller-address.ts";
import type { FindPage, ServerLimits } from "./options.ts";
import { makeTokenBuckets } from "./token-bucket.ts";

/** The caller of a page: the key that created its session, and the session. */
export type AdmittedPage = { readonly caller: Caller; readonly session: CallSession };

export type AdmitPage = (request: FastifyRequest, cost: number) => Promise<AdmittedPage>;

/**
 * Admits a call of a page. Fails with unauthorized for every token that opens nothing (missing, wrong, of a
 * removed session: never revealed which), with capture_origin_refused, and with rate_limited. Only a token
 * that opens nothing takes from the budget of its address, so no page is refused for what others behind its
 * address sent (decision 64).
 */
export const makeAdmitPage = (
  findPage: FindPage,
  limits: Pick<ServerLimits, "wrongTokens" | "pages">,
  clock: () => Date,
  callerAddress: CallerAddress,
): AdmitPage => {
  const wrong = makeAddressLimit(limits.wrongTokens, clock);
  const rate = makeTokenBuckets(limits.pages);
  return async (request, cost) => {
    const token = bearerOf(request.headers.authorization);
    if (token === undefined) throw new Failure("unauthorized");
    const found = mayBeSessionToken(token) ? await findPage(hashSessionToken(token)) : undefined;
    if (found === undefined) {
      wrong.take(request.ip);
      throw new Failure("unauthorized");
    }
    judgeOrigin(request, found.origins);
    const wait = rate.take(found.id, cost, clock().getTime());
    if (wait > 0) throw new Failure("rate_limited", { retryAfterSeconds: wait });
    const { id, holder, tenantId, environment, keyId } = found;
    return {
      caller: { tenantId, environment, keyId },
      session: { id, holder, address: callerAddress(request.ip) },
    };
  };
};

/**
 * Fails unless a page of one of the origins sends the request. A browser states no origin in a GET to the
 * page's own origin (Fetch, 3.2); Sec-Fetch-Site tells it from a navigation of another site.
 */
const judgeOrigin = ({ method, headers }: FastifyRequest, origins: readonly string[]): void => {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isOwnGet = method === "GET" && origin === undefined && (site === undefined || site === "same-origin");
  if (!isOwnGet && (origin === undefined || !origins.includes(origin))) {
    throw new Failure("capture_origin_refused");
  }
};

/** By `date` a page knows the end of its session, however wrong the clock of its device is. */
const exposed = "date, retry-after, x-request-id";

/**
 * Lets the page of any origin read the answer: it holds nothing without the token, which no browser sends by
 * itself. No credentials are allowed, so no cookie ever matters.
 */
export const allowOrigin = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  reply.header("vary", "origin");
  if (headers.origin === undefined) return;
  reply.headers({
    "access-control-allow-origin": headers.origin,
    "access-control-expose-headers": exposed,
    "cross-origin-resource-policy": "cross-origin",
  });
};

const preflightSeconds = 600;

/** Answers the preflight requests of these paths; they carry no credentials. */
export const servePreflight = (app: FastifyInstance, paths: ReadonlyMap<string, readonly string[]>): void => {
  for (const [url, methods] of paths) {
    app.options(url, async (request, reply) => {
      allowOrigin(request, reply);
      return await reply
        .code(204)
        .headers({
          allow: [...methods, "OPTIONS"].join(", "),
          "access-control-allow-methods": methods.join(", "),
          "access-control-allow-headers": "authorization, content-type",
          "access-control-max-age": String(preflightSeconds),
        })
        .send();
    });
  }
};
