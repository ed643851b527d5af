import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, CallSession, RefusalPage } from "#contract/endpoint";
import { keyFaults } from "./authenticate.ts";
import type { BodyLease } from "./body-budget.ts";
import type { BegunSpan, Traces } from "./call-span.ts";
import type { CallLog, LogLevel } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { readTraceparent } from "./traceparent.ts";

/** The state of one request in progress. */
export type RequestContext = {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly startedMs: number;
  /** Id of the trace of the caller, or of the recorded trace. */
  readonly traceId?: string | undefined;
  /** Absent where the call is not recorded. */
  readonly span?: BegunSpan | undefined;
  /** Aborts when the caller disconnects before its answer. */
  readonly left: AbortSignal;
  route: string;
  bytesIn: number;
  /** Whether the hash of the body is needed, because the call may be a retry. */
  isBodyHashed: boolean;
  /** SHA-256 of the bytes of the body, hex; where it is needed and there is a body. */
  bodySha256?: string;
  /** Largest body of the route; 0 until the call is admitted to one. */
  bodyBytesMax: number;
  bodyLease?: BodyLease;
  caller?: Caller;
  /** The first key of the renewals that made the caller's key: the owner of its retries. */
  lineage?: string;
  /** The session of a page that calls. */
  session?: CallSession;
  failure?: string;
  /** The transaction that the answer states. */
  transactionId?: string;
  /** The owner of a known key that was refused, for the log. */
  refusedOwner?: Pick<Caller, "tenantId" | "keyId">;
  /** Why the key of a 401 was refused. */
  refusedKey?: unknown;
  /** Challenge of a 401, where the route has its own. */
  challenge?: string;
  refusalPage?: RefusalPage | undefined;
  /** Level of its log line where the status does not decide it. */
  logLevel?: LogLevel;
};

export type RequestContexts = {
  readonly open: (request: FastifyRequest, reply: FastifyReply) => RequestContext;
  readonly of: (request: FastifyRequest) => RequestContext;
  /** Whether a request that arrived whole waits for its answer on this connection. */
  readonly isServing: (socket: Socket) => boolean;
  /** Resolves when every request that is in progress now has ended. */
  readonly untilEnded: () => Promise<void>;
  /** Options of a page outside the interface: its name in log and metrics, and the level of its lines. */
  readonly naming: (
    route: string,
    logLevel?: LogLevel,
  ) => { readonly onRequest: (request: FastifyRequest) => Promise<void> };
};

/** Status of a request whose caller disconnected before the answer; only counted, never sent. */
const callerLeft = 499;

/** Route name of a request whose path or method does not exist. */
const unknownRoute = "unknown";

const newContext = (
  request: FastifyRequest,
  left: AbortSignal,
  receivedAt: Date,
  traces: Traces | undefined,
): RequestContext => {
  const parent = readTraceparent(request.raw.headers["traceparent"]);
  const span = traces?.begin(parent);
  return {
    requestId: request.id,
    receivedAt,
    startedMs: performance.now(),
    traceId: span?.traceId ?? parent?.traceId,
    span,
    left,
    route: unknownRoute,
    bytesIn: 0,
    isBodyHashed: false,
    bodyBytesMax: 0,
  };
};

/**
 * Opens a context per request; counts and logs it exactly once when its socket is done. A broken connection
 * emits `close` but never `finish`, so both are observed.
 */
export const makeRequestContexts = (
  metrics: Metrics,
  log: CallLog,
  clock: () => Date,
  traces?: Traces,
): RequestContexts => {
  const contexts = new WeakMap<FastifyRequest, RequestContext>();
  const open = new Map<IncomingMessage, PromiseWithResolvers<void>>();
  const of = (request: FastifyRequest): RequestContext => {
    const requestContext = contexts.get(request);
    if (requestContext === undefined) throw new Error("A request was handled that no hook had seen");
    return requestContext;
  };
  return {
    open: (request, reply) => {
      const leaving = new AbortController();
      const requestContext = newContext(request, leaving.signal, clock(), traces);
      contexts.set(request, requestContext);
      metrics.callStarted();
      open.set(request.raw, Promise.withResolvers<void>());
      once(reply, (isAnswered) => {
        if (!isAnswered) leaving.abort(new Error("The caller left"));
        finish({ metrics, log, traces }, requestContext, reply, isAnswered);
        open.get(request.raw)?.resolve();
        open.delete(request.raw);
      });
      return requestContext;
    },
    of,
    isServing: (socket) => open.keys().some((raw) => raw.socket === socket && raw.complete),
    untilEnded: async () => void (await Promise.all([...open.values()].map(({ promise }) => promise))),
    naming: (route, logLevel) => ({
      onRequest: async (request) => {
        const requestContext = of(request);
        requestContext.route = route;
        if (logLevel !== undefined) requestContext.logLevel = logLevel;
      },
    }),
  };
};

/**
 * Length of the answer's body. The framework writes its headers to the socket past the raw reply, so only the
 * framework knows it.
 */
const bytesOf = (reply: FastifyReply): number =>
  reply.request.method === "HEAD" ? 0 : Number(reply.getHeader("content-length") ?? 0);

type Watching = { readonly metrics: Metrics; readonly log: CallLog; readonly traces: Traces | undefined };

const finish = (
  { metrics, log, traces }: Watching,
  requestContext: RequestContext,
  reply: FastifyReply,
  isAnswered: boolean,
): void => {
  const status = isAnswered ? reply.raw.statusCode : callerLeft;
  const ms = performance.now() - requestContext.startedMs;
  metrics.callFinished(requestContext.route, status, ms / 1000);
  requestContext.bodyLease?.release();
  if (requestContext.failure !== undefined) metrics.failureMet(requestContext.route, requestContext.failure);
  const { requestId, traceId, caller, failure, transactionId, span, route, receivedAt } = requestContext;
  const owner = caller ?? requestContext.refusedOwner;
  const who = { requestId, tenantId: owner?.tenantId, keyId: owner?.keyId };
  // Probes have a level of their own, and would fill a collector.
  if (span !== undefined && requestContext.logLevel === undefined) {
    const { method } = reply.request;
    traces?.end({ ...span, ...who, name: route, method, status, startedAt: receivedAt, ms, failure });
  }
  log.call(
    {
      ...who,
      traceId,
      transactionId,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      failure,
      reason: keyFaults.find((fault) => fault === requestContext.refusedKey),
      bytesIn: requestContext.bytesIn,
      bytesOut: isAnswered ? bytesOf(reply) : 0,
    },
    requestContext.logLevel,
  );
};

const once = (reply: FastifyReply, act: (isAnswered: boolean) => void): void => {
  let isDone = false;
  const end = (isAnswered: boolean) => {
    if (!isDone) act(isAnswered);
    isDone = true;
  };
  reply.raw.once("finish", () => end(true));
  reply.raw.once("close", () => end(false));
};
