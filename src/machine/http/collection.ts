import type { Route } from "#contract/endpoint";
import { exampleCalls } from "#contract/examples/calls";
import { type ExampleCall, placeTaken, type TakenValue } from "#contract/examples/example-call";
import { exampleAssetLink } from "#contract/examples/operation-calls";
import { failureKinds } from "#contract/failure";
import type { Json } from "#contract/json";
import { assetPath } from "./assets.ts";
import { operationPaths } from "./openapi-operations.ts";

const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/**
 * References, users and operations, which each run names anew: a retry gets the stored answer, a user exists
 * already, and an operation has ended.
 */
const ownNames = /"(?:order|user)-\d{4}"|(?<="operationId": )"[^"{]+"/gu;
const ofRun = (text: string): string => text.replaceAll(ownNames, (name) => `${name.slice(0, -1)}-{{run}}"`);

const description =
  "Every example of the specification, in an order that works on a development service, any number of times. Set `apiKey` to the key that " +
  "the first start printed (file `development-key` in its data directory), then run the whole collection. References and " +
  "templates come from earlier answers. Where a tool does not repeat a status request by itself, send it again while it answers " +
  "PENDING.";

/** Name of the variable that holds a taken value: unique, since the name of the call is. */
const variableOf = ({ from, member }: Pick<TakenValue, "from" | "member">): string =>
  `${from}_${member.replaceAll(".", "_")}`;

const takenFrom = (call: ExampleCall): readonly string[] => {
  const taken = [...exampleCalls.flatMap((one) => one.taken ?? []), exampleAssetLink];
  const members = taken.filter(({ from }) => from === call.name).map(({ member }) => member);
  return [...new Set(members)];
};

/** Unique: a script names the request that it repeats. */
const titleOf = ({ name, route }: ExampleCall): string => `${route.name}: ${name}`;

/** Fields of the request with `{{variable}}` in the place of taken values. */
const fieldsOf = ({ fields, taken = [] }: ExampleCall): readonly (readonly [string, unknown])[] =>
  Object.entries(placeTaken(fields, taken, (source) => `{{${variableOf(source)}}}`));

const urlOf = (path: string): Json => ({
  raw: `{{baseUrl}}${path}`,
  host: ["{{baseUrl}}"],
  path: path.split("?")[0]!.split("/").slice(1),
  ...(path.includes("?") && {
    query: [...new URLSearchParams(path.split("?")[1])].map(([key, value]) => ({ key, value })),
  }),
});

/** A pre-signed link has its host, path and query in one variable. */
const linkOf = (link: Pick<TakenValue, "from" | "member">): Json => ({
  raw: `{{${variableOf(link)}}}`,
  host: [`{{${variableOf(link)}}}`],
});

/** The path with its parameters, and the query of a GET. */
const pathOf = ({ path, method }: Route, fields: ReturnType<typeof fieldsOf>): string => {
  const filled = fields.reduce((at, [field, value]) => at.replace(`{${field}}`, String(value)), path);
  const query = method === "GET" ? fields.filter(([field]) => !path.includes(`{${field}}`)) : [];
  return query.length === 0
    ? filled
    : `${filled}?${query.map(([name, value]) => `${name}=${String(value)}`).join("&")}`;
};

const bodyOf = (route: Route, fields: ReturnType<typeof fieldsOf>): Json | undefined => {
  const body = fields.filter(([field]) => !route.path.includes(`{${field}}`));
  if (route.method === "GET" || body.length === 0) return undefined;
  const raw = ofRun(JSON.stringify(Object.fromEntries(body), null, 2));
  return { mode: "raw", raw, options: { raw: { language: "json" } } };
};

/** The member in JavaScript: `.assets[0].id`. */
const accessOf = (member: string): string =>
  member
    .split(".")
    .map((part) => (/^\d+$/u.test(part) ? `[${part}]` : `.${part}`))
    .join("");

/** The script after the answer: it checks the status, keeps what later requests take, and repeats a poll. */
const scriptOf = (call: ExampleCall): readonly string[] => {
  const { repeatedWhile } = call;
  const kept = takenFrom(call).map(
    (member) =>
      `pm.collectionVariables.set("${variableOf({ from: call.name, member })}", answer${accessOf(member)});`,
  );
  const again =
    repeatedWhile === undefined
      ? []
      : [
          `if (answer${accessOf(repeatedWhile.member)} === "${repeatedWhile.value}") {`,
          `  pm.execution.setNextRequest("${titleOf(call)}");`,
          "  setTimeout(function () {}, 1000);",
          "}",
        ];
  const after = [...kept, ...again];
  return [...checkOf(call), ...(after.length === 0 ? [] : ["const answer = pm.response.json();", ...after])];
};

/** The status, which a service without the settings of the call need not answer. */
const checkOf = ({ settings, alone }: ExampleCall): readonly string[] => {
  if (settings === undefined || alone === undefined) return statusCheck;
  const { status } = failureKinds[alone];
  return [
    `pm.test("answers 200, or ${status} without ${Object.keys(settings).join(", ")}", function () {`,
    `  if (pm.response.code !== ${status}) pm.response.to.have.status(200);`,
    "});",
  ];
};

const statusCheck = ['pm.test("answers 200", function () {', "  pm.response.to.have.status(200);", "});"];

const eventsOf = (exec: readonly string[]): Json => [
  { listen: "test", script: { type: "text/javascript", exec } },
];

const itemOf = (call: ExampleCall): Json => {
  const { route, summary } = call;
  const fields = fieldsOf(call);
  const body = bodyOf(route, fields);
  return {
    name: titleOf(call),
    event: eventsOf(scriptOf(call)),
    request: {
      method: route.method,
      header: body === undefined ? [] : [{ key: "content-type", value: "application/json" }],
      url: urlOf(pathOf(route, fields)),
      description: `${route.summary}. ${summary}`,
      ...(body !== undefined && { body }),
    },
  };
};

/** Before each request; the first one of a run names the run. */
const beginRun: readonly string[] = [
  `if (pm.info.requestName === "${titleOf(exampleCalls[0]!)}") {`,
  '  pm.collectionVariables.set("run", pm.variables.replaceIn("{{$guid}}"));',
  "}",
];

const folderOf = (name: string, item: readonly Json[]): Json => ({ name, item });

const operationItems: readonly Json[] = Object.keys(operationPaths).map((path) => ({
  name: path,
  event: eventsOf(statusCheck),
  request: {
    method: "GET",
    header: [],
    auth: { type: "noauth" },
    url: path === assetPath ? linkOf(exampleAssetLink) : urlOf(path),
  },
}));

const variables = (baseUrl: string): readonly Json[] => [
  { key: "baseUrl", value: baseUrl },
  { key: "apiKey", value: "" },
  { key: "run", value: "1" },
  ...exampleCalls.flatMap((call) =>
    takenFrom(call).map((member) => ({ key: variableOf({ from: call.name, member }), value: "" })),
  ),
];

/**
 * The examples of the specification as a collection (format 2.1 of Postman, which Bruno, Insomnia and
 * Hoppscotch import too): a folder for each tag, in the order of the examples.
 */
export const writeCollection = (baseUrl = "http://127.0.0.1:8080"): Json => {
  const tags = [...new Set(exampleCalls.map(({ route }) => route.tag))];
  const folders = tags.map((tag) =>
    folderOf(tag, exampleCalls.filter(({ route }) => route.tag === tag).map(itemOf)),
  );
  return {
    info: { name: "Idem", description, schema },
    auth: {
      type: "apikey",
      apikey: [
        { key: "key", value: "x-api-key", type: "string" },
        { key: "value", value: "{{apiKey}}", type: "string" },
        { key: "in", value: "header", type: "string" },
      ],
    },
    variable: variables(baseUrl),
    event: [{ listen: "prerequest", script: { type: "text/javascript", exec: beginRun } }],
    item: [...folders, folderOf("Operation", operationItems)],
  };
};
