import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { bodyBytesOf, takesFile } from "#contract/body-limit";
import { type Call, type Endpoint, failuresOf } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { replayedHeader } from "#contract/idempotency";
import { answerAttempt, mayBeRetry } from "./answer-once.ts";
import type { Authenticate } from "./authenticate.ts";
import type { BaseUrl } from "./base-url.ts";
import { refuseEncoding, statedBytesOf } from "./body.ts";
import type { BodyBudget } from "./body-budget.ts";
import { fieldsOf } from "./fields.ts";
import { readCallHeaders } from "./headers.ts";
import type { AnswerOnce, ServerLimits } from "./options.ts";
import { challenge, challengeOfBearers, challengeOfLinks } from "./problem.ts";
import type { RequestContext, RequestContexts } from "./request-context.ts";
import { type AdmitPage, allowOrigin } from "./session-credential.ts";
import type { KeyRate } from "./token-bucket.ts";
import type { Works } from "./work.ts";

export type EndpointContext = {
  readonly contexts: RequestContexts;
  readonly works: Works;
  readonly authenticate: Authenticate;
  readonly admitPage: AdmitPage;
  readonly limits: Pick<ServerLimits, "bodyBytesMax" | "fieldBytesMax" | "fileBytesMax">;
  readonly bodies: BodyBudget;
  readonly answerOnce: AnswerOnce | undefined;
  readonly baseUrl: BaseUrl;
  readonly noteUse: (keyId: string, at: Date) => void;
  readonly rate: KeyRate | undefined;
  readonly makeId: () => string;
  readonly clock: () => Date;
  readonly isDraining: () => boolean;
  readonly onUndeclared: (requestContext: RequestContext, failure: Failure) => void;
};

/** `/a/{id}` in the router's syntax. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/**
 * Serves one endpoint. Cheap checks come first: draining, key, scope, rate, headers, and the size and memory
 * of the body, before a byte of it is read.
 */
export const serveEndpoint = (app: FastifyInstance, endpoint: Endpoint, context: EndpointContext): void => {
  const { route } = endpoint;
  const { bodyBytesMax, fieldBytesMax, fileBytesMax } = context.limits;
  const needed = bodyBytesOf(route, fieldBytesMax, fileBytesMax);
  const bytesMax = takesFile(route) ? needed : Math.min(bodyBytesMax, needed);
  app.route({
    method: route.method,
    url: routerPath(route.path),
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (route.credential === "session") allowOrigin(request, reply);
      await admit(endpoint, context, request);
      admitBody(context, request, bytesMax);
    },
    handler: async (request, reply) => await answer(endpoint, context, request, reply),
  });
};

/** Checks drain, key, scope, rate and headers of a call, in this order. */
export const admit = async (
  { route, refusalPage }: Pick<Endpoint, "route" | "refusalPage">,
  context: EndpointContext,
  request: FastifyRequest,
): Promise<void> => {
  const requestContext = context.contexts.of(request);
  requestContext.route = route.name;
  requestContext.refusalPage = refusalPage;
  if (route.keyInQuery !== undefined) requestContext.challenge = challengeOfLinks;
  if (route.credential === "session") requestContext.challenge = challengeOfBearers;
  if (context.isDraining()) throw new Failure("shutting_down");
  if (route.credential === "session") return await admitSession(route, context, request);
  const now = context.clock();
  const { caller, lineage } = await context.authenticate({
    key: keyOf(request, route.keyInQuery),
    scope: route.scope,
    remoteAddress: request.ip,
    onRefused: (owner) => {
      requestContext.refusedOwner = owner;
    },
  });
  requestContext.caller = caller;
  requestContext.lineage = lineage;
  context.noteUse(caller.keyId, now);
  const wait = (await context.rate?.take(caller, route.cost ?? 1, now.getTime())) ?? 0;
  // A call that has ended meanwhile has released what it held, so it must not take more.
  requestContext.left.throwIfAborted();
  if (wait > 0) throw new Failure("rate_limited", { retryAfterSeconds: wait });
  readCallHeaders(request.headers);
  requestContext.isBodyHashed = mayBeRetry(request, route);
};

/** Checks token, origin, rate and headers of a page's call, in this order. It takes no idempotency key. */
const admitSession = async (
  route: Endpoint["route"],
  { admitPage, contexts }: EndpointContext,
  request: FastifyRequest,
): Promise<void> => {
  const requestContext = contexts.of(request);
  const { caller, session } = await admitPage(request, route.cost ?? 1);
  requestContext.left.throwIfAborted();
  requestContext.caller = caller;
  requestContext.session = session;
  readCallHeaders(request.headers);
};

/** Refuses a body that cannot be accepted, and takes its bytes from the budget until the answer. */
const admitBody = (context: EndpointContext, request: FastifyRequest, bytesMax: number): void => {
  const requestContext = context.contexts.of(request);
  const statedBytes = statedBytesOf(request) ?? 0;
  refuseEncoding(request);
  if (statedBytes > bytesMax) throw new Failure("body_too_large", { bytesMax });
  // A page shares no budget with the key that created its session.
  const lease = context.bodies.open(requestContext.session?.id ?? requestContext.caller?.keyId ?? "");
  lease.add(statedBytes);
  requestContext.bodyBytesMax = bytesMax;
  requestContext.bodyLease = lease;
};

/**
 * The key in the header, or in the query if the route takes it there. If both are sent and differ, there is
 * no key.
 */
const keyOf = (request: FastifyRequest, queryField: string | undefined): string | undefined => {
  const inHeader = request.headers["x-api-key"];
  const inQuery = queryField === undefined ? undefined : fieldsOf(request.query)[queryField];
  const [key, ...others] = [...new Set([inHeader, inQuery].filter((sent) => sent !== undefined))];
  return typeof key === "string" && others.length === 0 ? key : undefined;
};

/** What a route with `files` needs of the request. */
const askedWith = ({ headers, ip }: FastifyRequest, { files }: Endpoint["route"]) =>
  files === undefined
    ? {}
    : { asked: { accept: headers.accept, authorization: headers.authorization, remoteAddress: ip } };

/**
 * A path parameter overrules the body, so that a body cannot name another transaction than its address does.
 */
const requestOf = (request: FastifyRequest, { route }: Endpoint): unknown => {
  const fields = fieldsOf(route.method === "GET" ? request.query : request.body);
  return route.path.includes("{") ? { ...fields, ...fieldsOf(request.params) } : fields;
};

const answer = async (
  endpoint: Endpoint,
  context: EndpointContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const requestContext = context.contexts.of(request);
  const { caller, session } = requestContext;
  if (caller === undefined) throw new Error("A call reached its handler without a caller");
  const call: Omit<Call<unknown>, "signal"> = {
    request: requestOf(request, endpoint),
    caller,
    transactionId: context.makeId(),
    requestId: requestContext.requestId,
    receivedAt: requestContext.receivedAt,
    elapsedMs: () => performance.now() - requestContext.startedMs,
    ...readCallHeaders(request.headers),
    ...askedWith(request, endpoint.route),
    ...(session && { session }),
  };
  const orDeclared = (cause: unknown): never => {
    throw declared(endpoint, context, requestContext, cause);
  };
  const attempt = {
    route: endpoint.route,
    request,
    call,
    requestContext,
    baseUrl: context.baseUrl,
    judgeRight: async () => await endpoint.judgeRight?.(call),
  };
  const { status, contentType, headers, body, failure, isReplayed } = await context.works
    .run(requestContext.left, (signal) =>
      answerAttempt(session === undefined ? context.answerOnce : undefined, attempt, (deferCommit) =>
        endpoint.handle({ ...call, signal, ...(deferCommit && { deferCommit }) }).catch(orDeclared),
      ),
    )
    .catch(orDeclared);
  if (isReplayed) reply.header(replayedHeader, "true");
  if (failure !== undefined) requestContext.failure = failure;
  if (status === 401) reply.header("www-authenticate", requestContext.challenge ?? challenge);
  reply
    .code(status)
    .headers({ ...headers })
    .type(contentType);
  if (typeof body === "string") return reply.send(body);
  reply.header("content-length", body.bytes);
  return reply.send(Readable.from(body.chunks()));
};

/** A failure that the route does not declare becomes an internal error: it would break the contract. */
const declared = (
  endpoint: Endpoint,
  context: EndpointContext,
  requestContext: RequestContext,
  error: unknown,
): unknown => {
  if (!(error instanceof Failure)) return error;
  if (failuresOf(endpoint.route).includes(error.code)) return error;
  context.onUndeclared(requestContext, error);
  return new Failure("internal_error", {}, { cause: error });
};
