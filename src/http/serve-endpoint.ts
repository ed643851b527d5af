import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Call, commonFailures, type Endpoint } from "#contract/endpoint";
import { Failure, type FailureCode } from "#contract/failure";
import type { Authenticate } from "./authenticate.ts";
import { readCallHeaders } from "./headers.ts";
import { challenge } from "./problem.ts";
import type { TokenBuckets } from "./token-bucket.ts";
import type { Visit, Visits } from "./visit.ts";
import type { Works } from "./work.ts";

export type EndpointContext = {
  readonly visits: Visits;
  readonly works: Works;
  readonly authenticate: Authenticate;
  readonly bodyBytesMax: number;
  readonly noteUse: (keyId: string, at: Date) => void;
  readonly rate: TokenBuckets | undefined;
  readonly makeId: () => string;
  readonly clock: () => Date;
  readonly isDraining: () => boolean;
  readonly onUndeclared: (visit: Visit, failure: Failure) => void;
};

/** `/a/{id}` as the router writes it. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1");

/**
 * Serves one endpoint. The order is the cheapest first: draining, key, scope, rate and headers are judged before
 * a byte of the body is read.
 */
export const serveEndpoint = (app: FastifyInstance, endpoint: Endpoint, context: EndpointContext): void => {
  const { route } = endpoint;
  app.route({
    method: route.method,
    url: routerPath(route.path),
    exposeHeadRoute: false,
    onRequest: async (request) => admit(endpoint, context, request),
    handler: async (request, reply) => await answer(endpoint, context, request, reply),
  });
};

const admit = async (
  { route }: Endpoint,
  context: EndpointContext,
  request: FastifyRequest,
): Promise<void> => {
  const visit = context.visits.of(request);
  visit.route = route.name;
  if (context.isDraining()) throw new Failure("shutting_down");
  const now = context.clock();
  const caller = await context.authenticate({
    key: keyOf(request, route.keyInQuery),
    scope: route.scope,
    remoteAddress: request.ip,
  });
  visit.caller = caller;
  context.noteUse(caller.keyId, now);
  const wait = context.rate?.take(caller.keyId, route.cost ?? 1, now.getTime()) ?? 0;
  if (wait > 0) throw new Failure("rate_limited", { retryAfterSeconds: wait });
  readCallHeaders(request.headers, route);
  if (Number(request.headers["content-length"] ?? 0) > context.bodyBytesMax) {
    throw new Failure("body_too_large", { bytesMax: context.bodyBytesMax });
  }
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (isFields(value) ? value : {});

const keyOf = (request: FastifyRequest, queryField: string | undefined): string | undefined => {
  const key = queryField === undefined ? request.headers["x-api-key"] : fieldsOf(request.query)[queryField];
  return typeof key === "string" ? key : undefined;
};

/** Parameters of the path win: a body cannot name another transaction than its own address does. */
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
  const visit = context.visits.of(request);
  const { caller } = visit;
  if (caller === undefined) throw new Error("A call reached its handler without a caller");
  const call: Omit<Call<unknown>, "signal"> = {
    request: requestOf(request, endpoint),
    caller,
    transactionId: context.makeId(),
    requestId: visit.requestId,
    receivedAt: visit.receivedAt,
    elapsedMs: () => performance.now() - visit.startedMs,
    ...readCallHeaders(request.headers, endpoint.route),
  };
  const result = await context.works
    .run(reply.raw, (signal) => endpoint.handle({ ...call, signal }))
    .catch((error: unknown) => Promise.reject(declared(endpoint, context, visit, error)));
  const status = statusOf(endpoint, result);
  if (status === 401) reply.header("www-authenticate", challenge);
  return reply.code(status).type("application/json; charset=utf-8").send(JSON.stringify(result));
};

/** 200, or what the route states for this `serviceResultCode`. */
const statusOf = ({ route }: Endpoint, result: unknown): number =>
  route.statuses?.[String(fieldsOf(result)["serviceResultCode"])] ?? 200;

/** A failure that the route does not declare is the service's own error: the contract would be a lie. */
const declared = (endpoint: Endpoint, context: EndpointContext, visit: Visit, error: unknown): unknown => {
  if (!(error instanceof Failure)) return error;
  const known: readonly FailureCode[] = [...commonFailures, ...endpoint.route.failures];
  if (known.includes(error.code)) return error;
  context.onUndeclared(visit, error);
  return new Failure("internal_error", {}, { cause: error });
};
