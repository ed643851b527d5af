import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { runInNewContext } from "node:vm";
import { isObject, type JsonObject, memberOf, textsOf } from "../../scripts/contract/json.ts";

/** One request of the collection as it was run. A poll is run until it no longer repeats itself. */
export type RunItem = {
  readonly folder: string;
  readonly name: string;
  readonly status: number;
  readonly body: string;
  /** Names of the checks that failed. */
  readonly failed: readonly string[];
  readonly checks: number;
};

type Variables = Map<string, string>;

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const filled = (text: string, variables: Variables): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = variables.get(name);
    if (value === undefined || value === "") throw new Error(`The collection has no value of ${name}`);
    return value;
  });

const send = async (request: unknown, variables: Variables, key: readonly [string, string]) => {
  const stated = objectsIn(memberOf(request, "header")).map(
    ({ key: name, value }) => [String(name), String(value)] as const,
  );
  const isOpen = memberOf(request, "auth", "type") === "noauth";
  const body = memberOf(request, "body", "raw");
  const response = await fetch(filled(String(memberOf(request, "url", "raw")), variables), {
    method: String(memberOf(request, "method")),
    headers: Object.fromEntries([...stated, ...(isOpen ? [] : [key])]),
    ...(typeof body === "string" && { body: filled(body, variables) }),
  });
  return { status: response.status, body: await response.text() };
};

type Received = Awaited<ReturnType<typeof send>>;

/** Runs the script after an answer with the members of `pm` that our scripts use. */
const runScript = (item: JsonObject, received: Received, variables: Variables) => {
  const failed: string[] = [];
  let checks = 0;
  let next: string | undefined;
  const timers: number[] = [];
  const have = {
    status: (wanted: number) => {
      if (received.status !== wanted) throw new Error(`status ${received.status}`);
    },
  };
  const pm = {
    test: (name: string, check: () => void) => {
      checks += 1;
      try {
        check();
      } catch {
        failed.push(name);
      }
    },
    response: { code: received.status, json: () => JSON.parse(received.body), to: { have } },
    collectionVariables: { set: (name: string, value: unknown) => variables.set(name, String(value)) },
    execution: { setNextRequest: (name: string) => (next = name) },
  };
  for (const event of objectsIn(item["event"])) {
    const script = textsOf(memberOf(event, "script", "exec")).join("\n");
    runInNewContext(script, { pm, setTimeout: (_then: () => void, ms: number) => timers.push(ms) });
  }
  return { failed, checks, repeats: next === item["name"], pauseMs: Math.max(0, ...timers) };
};

/** Runs the scripts of the collection before a request. */
const prepare = (collection: unknown, item: JsonObject, variables: Variables): void => {
  const pm = {
    info: { requestName: item["name"] },
    variables: { replaceIn: (text: string) => text.replaceAll("{{$guid}}", () => randomUUID()) },
    collectionVariables: { set: (name: string, value: unknown) => variables.set(name, String(value)) },
  };
  for (const event of objectsIn(memberOf(collection, "event"))) {
    runInNewContext(textsOf(memberOf(event, "script", "exec")).join("\n"), { pm });
  }
};

/** The header that the collection's own authentication states. */
const keyHeader = (collection: unknown, variables: Variables): readonly [string, string] => {
  const stated = objectsIn(memberOf(collection, "auth", "apikey"));
  const valueOf = (name: string): string => String(stated.find(({ key }) => key === name)?.["value"]);
  return [valueOf("key"), filled(valueOf("value"), variables)];
};

/** Runs every request of a Postman collection in its order, with these values of its variables. */
export const runCollection = async (
  collection: unknown,
  values: Readonly<Record<string, string>>,
): Promise<readonly RunItem[]> => {
  const own = objectsIn(memberOf(collection, "variable")).map(
    ({ key, value }) => [String(key), String(value)] as const,
  );
  const variables: Variables = new Map([...own, ...Object.entries(values)]);
  const key = keyHeader(collection, variables);
  const run: RunItem[] = [];
  for (const folder of objectsIn(memberOf(collection, "item"))) {
    for (const item of objectsIn(folder["item"])) {
      prepare(collection, item, variables);
      let received = await send(item["request"], variables, key);
      let result = runScript(item, received, variables);
      while (result.repeats) {
        await sleep(result.pauseMs);
        received = await send(item["request"], variables, key);
        result = runScript(item, received, variables);
      }
      const { failed, checks } = result;
      run.push({ folder: String(folder["name"]), name: String(item["name"]), ...received, failed, checks });
    }
  }
  return run;
};
