import { randomUUID } from "node:crypto";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Endpoint } from "#contract/endpoint";
import { Failure, type FailureCode } from "#contract/failure";
import { makeAuthenticate } from "./authenticate.ts";
import { parseBody } from "./body.ts";
import { makeAnswerToBrokenRequest } from "./broken-request.ts";
import { docsPages, serveDocs } from "./docs-page.ts";
import { headersOfEveryAnswer, requestIdOf } from "./headers.ts";
import { type KeyUses, makeKeyUses } from "./key-uses.ts";
import type { CallLog } from "./log.ts";
import { type Methods, makeMethods } from "./methods.ts";
import { operationsPages, serveOperations } from "./operations.ts";
import { type ServerLimits, type ServerOptions, standardLimits } from "./options.ts";
import { failureOf, refuse } from "./problem.ts";
import { serveEndpoint } from "./serve-endpoint.ts";
import { makeTokenBuckets } from "./token-bucket.ts";
import { makeVisits, type Visits } from "./visit.ts";
import { makeWorks, type Works } from "./work.ts";

export type IdemServer = {
  /** For tests (`inject`) and for what another room adds. */
  readonly app: FastifyInstance;
  /** Resolves with the address, such as http://127.0.0.1:8080. */
  readonly listen: (at: { readonly host: string; readonly port: number }) => Promise<string>;
  /** Whether a drain has begun. */
  readonly isDraining: () => boolean;
  /**
   * Ends gracefully: readiness turns 503 and new calls are refused, calls in flight get `drainMs` to finish,
   * connections close after their answer, last uses of keys are written. Resolves when all is closed.
   */
  readonly drain: () => Promise<void>;
};

type Parts = {
  readonly options: ServerOptions;
  readonly limits: ServerLimits;
  readonly clock: () => Date;
  readonly makeId: () => string;
  readonly log: CallLog;
  readonly visits: Visits;
  readonly works: Works;
  readonly uses: KeyUses;
  readonly state: { isDraining: boolean };
};

/** How long a request may take to arrive; slower senders are cut off (slow-body attacks). */
const receiveMs = 60_000;

/** Longer than the idle time of common load balancers (60 s), so that they close first. */
const keepAliveMs = 72_000;

/** Builds the server. It knows no room: endpoints, keys, metrics and readiness come as arguments. */
export const buildServer = (options: ServerOptions): IdemServer => {
  const parts = makeParts(options);
  const app = makeApp(parts);
  addHooks(app, parts);
  continueWhenAdmitted(app);
  addBodyParser(app, parts);
  addEndpoints(app, parts);
  serveOperations(app, options, () => parts.state.isDraining, parts.visits);
  serveDocs(app, options, parts.visits);
  return {
    app,
    listen: (at) => app.listen(at),
    isDraining: () => parts.state.isDraining,
    drain: () => drain(app, parts),
  };
};

const makeParts = (options: ServerOptions): Parts => {
  const limits = { ...standardLimits, ...options.limits };
  const clock = options.clock ?? (() => new Date());
  const { log } = options;
  return {
    options,
    limits,
    clock,
    log,
    makeId: options.makeId ?? randomUUID,
    visits: makeVisits(options.metrics, log, clock),
    works: makeWorks(limits.requestTimeoutMs),
    uses: makeKeyUses(options.keys, limits.keyFlushMs, (error) =>
      log.error({ component: "keys", note: "Last uses of keys could not be written", error }),
    ),
    state: { isDraining: false },
  };
};

const makeApp = ({ options, limits, makeId }: Parts): FastifyInstance =>
  fastify({
    logger: false,
    bodyLimit: limits.bodyBytesMax,
    requestTimeout: receiveMs,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    trustProxy: options.trustedProxies === undefined ? false : [...options.trustedProxies],
    genReqId: (raw) => requestIdOf(raw.headers, makeId),
    routerOptions: { maxParamLength: 128 },
    clientErrorHandler: makeAnswerToBrokenRequest(headersOfEveryAnswer(options)),
    frameworkErrors: (_error, request, reply) => {
      // A path that cannot be decoded names nothing. No hook has run here: nothing is counted or logged.
      reply.headers(headersOfEveryAnswer(options)).header("x-request-id", request.id);
      const context = { requestId: request.id, publicUrl: options.publicUrl ?? "" };
      void sendRefusal(reply, new Failure("path_unknown"), context);
    },
  });

/** Failures of which the operator must learn the cause. */
const notes: Partial<Record<FailureCode, string>> = {
  internal_error: "The service made an error",
  store_unavailable: "The storage does not answer",
};

const addHooks = (app: FastifyInstance, parts: Parts): void => {
  const { options, visits, log } = parts;
  const methods = makeMethods(options.endpoints, [...docsPages, ...operationsPages(options)]);
  app.addHook("onRequest", async (request, reply) => {
    visits.open(request, reply);
    reply.headers(headersOfEveryAnswer(options)).header("x-request-id", request.id);
    if (parts.state.isDraining) reply.header("connection", "close");
    if (request.is404) await answerUnknown(methods, request, reply);
  });
  app.setErrorHandler((error, request, reply) => {
    // The caller has gone and the visit is closed: what its handler says now is an echo of the abort.
    if (reply.raw.destroyed) return reply.hijack();
    const visit = visits.of(request);
    const failure = failureOf(error, parts.limits.bodyBytesMax);
    visit.failure = failure.code;
    const note = notes[failure.code];
    if (note !== undefined) log.error({ requestId: visit.requestId, route: visit.route, note, error });
    return sendRefusal(reply, failure, { requestId: visit.requestId, publicUrl: options.publicUrl ?? "" });
  });
};

const expectsContinue = ({ headers }: FastifyRequest): boolean =>
  /^100-continue$/i.test(headers.expect ?? "");

/**
 * A caller who asks before he sends (RFC 9110, 10.1.1) is told to go on when the call was admitted, not before: a body
 * that will be refused stays where it is. A refusal closes his connection, since he may or may not send the body then.
 */
const continueWhenAdmitted = (app: FastifyInstance): void => {
  app.server.on("checkContinue", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", async (request, reply) => {
    if (expectsContinue(request)) reply.header("connection", "close");
  });
  app.addHook("preParsing", async (request, reply, payload) => {
    if (expectsContinue(request)) {
      reply.removeHeader("connection").raw.writeContinue();
    }
    return payload;
  });
};

/** Before the body is read: nobody has a right to be read at a path or with a method that does not exist. */
const answerUnknown = async (
  methods: Methods,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const allow = methods.allowed(request.url);
  if (allow === undefined) throw new Failure("path_unknown");
  reply.header("allow", allow);
  if (request.method !== "OPTIONS") throw new Failure("method_not_allowed");
  await reply.code(204).send();
};

const sendRefusal = (
  reply: FastifyReply,
  failure: Failure,
  context: Parameters<typeof refuse>[1],
): FastifyReply => {
  const { status, contentType, headers, body } = refuse(failure, context);
  return reply.code(status).headers(headers).type(contentType).send(body);
};

const addBodyParser = (app: FastifyInstance, { visits }: Parts): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      visits.of(request).bytesIn = body.length;
      return parseBody(body);
    },
  );
};

const addEndpoints = (app: FastifyInstance, parts: Parts): void => {
  const { options, limits, clock, makeId, visits, works, log, uses } = parts;
  const context = {
    visits,
    works,
    clock,
    makeId,
    authenticate: makeAuthenticate(options.keys, limits, clock),
    bodyBytesMax: limits.bodyBytesMax,
    noteUse: uses.note,
    rate: limits.rate && makeTokenBuckets(limits.rate),
    isDraining: () => parts.state.isDraining,
    onUndeclared: ({ requestId, route }: { requestId: string; route: string }, error: Failure) =>
      log.error({ requestId, route, note: "A failure left that its route does not declare", error }),
  };
  refuseDoubled(options.endpoints);
  for (const endpoint of options.endpoints) serveEndpoint(app, endpoint, context);
};

const refuseDoubled = (endpoints: readonly Endpoint[]): void => {
  const names = endpoints.map((endpoint) => endpoint.route.name);
  const doubled = names.filter((name, at) => names.indexOf(name) !== at);
  if (doubled.length > 0) throw new Error(`Endpoints with the same name: ${doubled.join(", ")}`);
};

const drain = async (app: FastifyInstance, { state, works, limits, uses }: Parts): Promise<void> => {
  state.isDraining = true;
  const closed = app.close();
  await works.drain(limits.drainMs);
  // Answers are written by now or never; connections that still stand have no call.
  const grace = setTimeout(() => app.server.closeAllConnections(), 1_000);
  await closed;
  clearTimeout(grace);
  await uses.stop();
};
