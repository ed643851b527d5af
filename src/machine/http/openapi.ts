import { describeBodyNeed } from "#contract/body-limit";
import type { Route } from "#contract/endpoint";
import { failuresOf } from "#contract/endpoint";
import { type FailureCode, failureKinds, uniformFailures } from "#contract/failure";
import { idempotencyKeyLengthMax } from "#contract/idempotency";
import { familyHeaderValues } from "#contract/tracking-code";
import { acceptingAbsent } from "./absent-in-schema.ts";
import { appNameLengthMax } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { callbacksOf } from "./openapi-callbacks.ts";
import { answerExamples, describeTaken, linksFrom, requestExamples } from "./openapi-examples.ts";
import { metricsScheme, operationPaths } from "./openapi-operations.ts";
import { isSchema, type Json, plain, type Schema } from "./plain-schema.ts";

type Properties = Readonly<Record<string, Schema>>;

const propertiesOf = (schema: unknown): Properties => {
  const properties = isSchema(schema) ? schema["properties"] : undefined;
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, Schema] => isSchema(entry[1])),
  );
};

/** The place of a request field, as defined by `Route.path`. */
const placeOf = ({ path, method }: Route, name: string): "path" | "query" | "body" => {
  if (path.includes(`{${name}}`)) return "path";
  return method === "GET" ? "query" : "body";
};

const bodyFieldsOf = (route: Route): readonly (readonly [string, Schema])[] =>
  Object.entries(propertiesOf(route.request)).filter(([name]) => placeOf(route, name) === "body");

const requiredOf = ({ request }: Route): readonly string[] => {
  const required = isSchema(request) ? request["required"] : undefined;
  return Array.isArray(required) ? required.map(String) : [];
};

/** Fields of the body: the other fields of the request schema are parameters. */
const bodySchema = (route: Route): Json => {
  const fields = bodyFieldsOf(route);
  const needed = requiredOf(route).filter((name) => placeOf(route, name) === "body");
  const { properties } = acceptingAbsent({ properties: Object.fromEntries(fields), required: needed });
  return {
    type: "object",
    ...(needed.length > 0 && { required: needed }),
    properties: plain(properties),
  };
};

const parametersOf = (route: Route): readonly Json[] => {
  const fields = Object.entries(propertiesOf(route.request)).filter(
    ([name]) => placeOf(route, name) !== "body",
  );
  const required = requiredOf(route);
  const stated = fields.map(([name, property]) => ({
    name,
    in: placeOf(route, name),
    required: required.includes(name),
    ...(typeof property["description"] === "string" && { description: property["description"] }),
    schema: plain(property),
  }));
  const headers = ["AppName", "Family", ...(takesIdempotencyKey(route) ? ["IdempotencyKey"] : [])];
  return [...stated, ...headers.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
};

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Failures grouped by status, in the order of statuses. */
const sharedStatuses = (route: Route): readonly (readonly FailureCode[])[] => {
  const codes = [...new Set(failuresOf(route))].sort();
  const statuses = [...new Set(codes.map((code) => failureKinds[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => codes.filter((code) => failureKinds[code].status === status));
};

const statusOf = ([code]: readonly FailureCode[]): number =>
  code === undefined ? 500 : failureKinds[code].status;

const refusalsOf = (route: Route): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    sharedStatuses(route).map((codes) => [
      String(statusOf(codes)),
      { $ref: `#/components/responses/${codes.join("-")}` },
    ]),
  );

/** Every group of failures that some route uses, once. */
const refusalComponents = (routes: readonly Route[]): Readonly<Record<string, Json>> => {
  const lists = routes.flatMap(sharedStatuses).map((codes) => [codes.join("-"), refusal(codes)] as const);
  return Object.fromEntries([...lists].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const refusal = (codes: readonly FailureCode[]): Json => {
  const status = statusOf(codes);
  const description = codes.map((code) => `\`${code}\`: ${failureKinds[code].title}.`).join("\n\n");
  const message = status === 401 ? "Unauthorized" : status === 504 ? "Request timed out" : undefined;
  if (message !== undefined) {
    const content = {
      "application/json": { schema: { $ref: "#/components/schemas/Message" }, example: { message } },
    };
    return { description, content };
  }
  const examples = Object.fromEntries(codes.map((code) => [code, { value: problemExample(code) }]));
  return {
    description,
    ...(codes.some((code) => failureKinds[code].retry === "later") &&
      status !== 500 && {
        headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } },
      }),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" }, examples } },
  };
};

const problemExample = (code: FailureCode): Json => ({
  type: `https://idem.example.org/errors/${code}`,
  title: failureKinds[code].title,
  status: failureKinds[code].status,
  detail: failureKinds[code].detail,
  failure: code,
  ...(code === "request_invalid" && { code: 1102, errors: ["token1: is required"] }),
  ...(!uniformFailures.includes(code) && { requestId: "8f7c1f9e-5c1e-4a52-9a53-0b6f1d5a7c11" }),
});

/** A call of a page takes none: its answer belongs to one session. */
const takesIdempotencyKey = ({ method, credential }: Route): boolean =>
  method === "POST" && credential === undefined;

/** The credentials that a route takes. */
const securityOf = ({ credential, keyInQuery }: Route): readonly Json[] => {
  if (credential === "session") return [{ captureSession: [] }];
  return [{ apiKey: [] }, ...(keyInQuery === undefined ? [] : [{ apiKeyInQuery: [] }])];
};

const operationOf = (route: Route): Json => {
  const scope = `Needs the scope \`${route.scope}\`.`;
  const body = bodyFieldsOf(route).length === 0 ? [] : [describeBodyNeed(route)];
  const request = { $ref: `#/components/schemas/${titled(route.name)}Request` };
  const links = linksFrom(route);
  const callbacks = callbacksOf(route);
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description ?? [], body, scope, describeTaken(route)].flat().join("\n\n"),
    ...(route.deprecated === true && { deprecated: true }),
    security: securityOf(route),
    parameters: parametersOf(route),
    ...(bodyFieldsOf(route).length > 0 && {
      requestBody: {
        required: true,
        content: {
          "application/json": { schema: request, ...requestExamples(route, placeOf) },
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
            ...answerExamples(route),
          },
          ...filesOf(route),
        },
        ...(links !== undefined && { links }),
      },
      ...refusalsOf(route),
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

const schemasOf = (routes: readonly Route[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    routes.flatMap((route) => [
      ...(bodyFieldsOf(route).length === 0
        ? []
        : [[`${titled(route.name)}Request`, bodySchema(route)] as const]),
      [`${titled(route.name)}Response`, plain(route.response)] as const,
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
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
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
      responses: refusalComponents(routes),
      schemas: {
        Problem: problemSchema,
        Message: { type: "object", required: ["message"], properties: { message: { type: "string" } } },
        ...schemasOf(routes),
      },
    },
  };
};
