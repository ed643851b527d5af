import { describeBodyNeed } from "#contract/body-limit";
import type { Route } from "#contract/endpoint";
import { failureKinds } from "#contract/failure";
import { idempotencyKeyLengthMax } from "#contract/idempotency";
import type { Json } from "#contract/json";
import { familyHeaderValues } from "#contract/tracking-code";
import { appNameLengthMax } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { callbacksOf } from "./openapi-callbacks.ts";
import { describeTaken, type SharedExamples, shareExamples } from "./openapi-examples.ts";
import { bodySchema, hasBody, parameterFieldsOf } from "./openapi-fields.ts";
import { linksFrom } from "./openapi-links.ts";
import { metricsScheme, operationPaths } from "./openapi-operations.ts";
import { problemExamples, type SharedRefusals, shareRefusals } from "./openapi-refusals.ts";
import { type SharedSchemas, shareSchemas } from "./shared-schemas.ts";

const parametersOf = (route: Route, { refer }: SharedSchemas): readonly Json[] => {
  const stated = parameterFieldsOf(route).map(({ name, place, isRequired, schema }) => ({
    name,
    in: place,
    required: isRequired,
    ...(typeof schema["description"] === "string" && { description: schema["description"] }),
    schema: refer(schema),
  }));
  const headers = ["AppName", "Family", ...(takesIdempotencyKey(route) ? ["IdempotencyKey"] : [])];
  return [...stated, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
};

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** A call of a page takes none: its answer belongs to one session. */
const takesIdempotencyKey = ({ method, credential }: Route): boolean =>
  method === "POST" && credential === undefined;

/** The credentials that a route takes. */
const securityOf = ({ credential, keyInQuery }: Route): readonly Json[] => {
  if (credential === "session") return [{ captureSession: [] }];
  return [{ apiKey: [] }, ...(keyInQuery === undefined ? [] : [{ apiKeyInQuery: [] }])];
};

/** What stands once in the document. */
type Shared = {
  readonly schemas: SharedSchemas;
  readonly examples: SharedExamples;
  readonly refusals: SharedRefusals;
};

const operationOf = (route: Route, { schemas, examples, refusals }: Shared): Json => {
  const scope = `Needs the scope \`${route.scope}\`.`;
  const body = hasBody(route) ? [describeBodyNeed(route)] : [];
  const request = { $ref: `#/components/schemas/${titled(route.name)}Request` };
  const links = linksFrom(route);
  const callbacks = callbacksOf(route, schemas.refer);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description ?? [], body, scope, describeTaken(route)].flat().join("\n\n"),
    ...(route.deprecated === true && { deprecated: true }),
    security: securityOf(route),
    parameters: parametersOf(route, schemas),
    ...(hasBody(route) && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: request, ...examples.ofRequest(route) },
        },
      },
    }),
    responses: {
      "200": {
        description: "The service ran.",
        ...(takesIdempotencyKey(route) && {
          headers: { "Idempotent-Replayed": { $ref: "#/components/headers/IdempotentReplayed" } },
        }),
        content: {
          "application/json": {
            schema: { $ref: `#/components/schemas/${titled(route.name)}Response` },
            ...examples.ofAnswer(route),
          },
          ...filesOf(route),
        },
        ...(links !== undefined && { links }),
      },
      ...refusals.of(route),
      ...statedStatuses(route),
    },
    ...(callbacks !== undefined && { callbacks }),
  };
};

/** The other forms of an answer, chosen by the header Accept. */
const filesOf = ({ files = [] }: Route): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    files.map((type) => {
      const isText = type.startsWith("text/");
      return [type, { schema: { type: "string", ...(!isText && { format: "binary" }) } }];
    }),
  );

/** Statuses with the route's own answer, beside the refusals of the same status. */
const statedStatuses = (route: Route): Readonly<Record<string, Json>> => {
  const codes = Object.groupBy(Object.keys(route.statuses ?? {}), (code) => String(route.statuses?.[code]));
  const answer = { $ref: `#/components/schemas/${titled(route.name)}Response` };
  return Object.fromEntries(
    Object.entries(codes).map(([status, list = []]) => {
      const refused =
        status === "401"
          ? { "application/json": { schema: { oneOf: [answer, { $ref: "#/components/schemas/Message" }] } } }
          : {
              "application/json": { schema: answer },
              "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
            };
      const description = `\`serviceResultCode\` ${list.join(" or ")}; or a refusal of the request.`;
      return [status, { description, content: refused }];
    }),
  );
};

/** The schemas of requests and answers, and what several of them have in common. */
const schemasOf = (routes: readonly Route[]): SharedSchemas =>
  shareSchemas(
    routes.flatMap((route) => [
      ...(hasBody(route) ? [[`${titled(route.name)}Request`, bodySchema(route)] as const] : []),
      [`${titled(route.name)}Response`, route.response] as const,
    ]),
    routes.flatMap((route) => [
      ...parameterFieldsOf(route).map(({ schema }) => schema),
      route.callback?.body,
    ]),
  );

const problemSchema: Json = {
  type: "object",
  description: "Problem details (RFC 9457).",
  required: ["type", "title", "status", "detail", "failure"],
  properties: {
    type: { type: "string", format: "uri", description: "Page of this failure, an absolute URL." },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "Likely cause and next step." },
    failure: {
      type: "string",
      enum: Object.keys(failureKinds),
      description: "Code of the failure; never renamed.",
    },
    code: { type: "integer", description: "Validation code, 1001 to 2104, where one fits." },
    errors: { type: "array", items: { type: "string" }, description: "One sentence per field." },
    facts: { type: "object", description: "Limits and counts." },
    requestId: { type: "string", description: "As in the header x-request-id; absent in 404." },
  },
};

const parameters: Json = {
  AppName: {
    name: "app-name",
    in: "header",
    required: false,
    description:
      "Identifier of the calling application: optional, recorded with the transaction where it is sent.",
    schema: { type: "string", maxLength: appNameLengthMax },
  },
  Family: {
    name: "family",
    in: "header",
    required: false,
    description:
      "Kind of the operation that `tracking` belongs to. The first one that a call names is kept with the operation.",
    schema: { type: "string", enum: [...familyHeaderValues] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes a retry safe: for 24 hours, or what the operator sets, the same key with the same body gets the stored answer " +
      "instead of a second call. Another body is refused (409), and so is a retry while the first call runs. Bare or as a quoted string " +
      "(RFC 8941). Create a new key, such as a UUID, for every new call, also for every poll.",
    schema: { type: "string", minLength: 1, maxLength: idempotencyKeyLengthMax },
    example: "8e03978e-40d5-43e8-bc93-6894a57f9324",
  },
};

const headers: Json = {
  RetryAfter: { description: "Seconds to wait.", schema: { type: "integer" } },
  IdempotentReplayed: {
    description:
      "`true` on the stored answer of an earlier call with the same Idempotency-Key, also on a stored refusal; absent otherwise.",
    schema: { type: "string", enum: ["true"] },
  },
};

const tagsOf = (routes: readonly Route[]): readonly Json[] =>
  [...new Set([...routes.map(({ tag }) => tag), "Operation"])].map((name) => ({ name }));

/** The OpenAPI 3.1 document of the given routes: a pure function of them, so that CI can compare it. */
export const writeOpenApi = (routes: readonly Route[], version: string, publicUrl?: string): Json => {
  const shared = {
    schemas: schemasOf(routes),
    examples: shareExamples(routes),
    refusals: shareRefusals(routes),
  };
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, shared) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Idem",
      version,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl ?? "/" }],
    tags: tagsOf(routes),
    security: [{ apiKey: [] }],
    paths: { ...paths, ...operationPaths },
    components: {
      securitySchemes: {
        captureSession: {
          type: "http",
          scheme: "bearer",
          description: "Token of a capture session, of createCapture. It opens that session alone.",
        },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
        apiKeyInQuery: { type: "apiKey", in: "query", name: "apiKey" },
        metricsToken: metricsScheme,
      },
      parameters,
      headers,
      responses: shared.refusals.components,
      schemas: {
        Problem: problemSchema,
        Message: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
        ...shared.schemas.components,
      },
      examples: { ...shared.examples.components, ...problemExamples(routes) },
    },
  };
};
