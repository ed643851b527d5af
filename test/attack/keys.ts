import { routes } from "#contract/routes";
import { scopes } from "#contract/scope";
import { memberOf } from "../../scripts/contract/json.ts";
import type { Operation } from "../../scripts/contract/read-contract.ts";
import type { Draw } from "./draw.ts";
import { jsonOf, type Received } from "./exchange.ts";
import type { Attack, AttackCase } from "./run-attack.ts";
import type { Target } from "./target.ts";

/** Any value for each path parameter: nothing is stored under it. */
const unknownId = "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

/** The path with its parameters filled. */
const filledPath = ({ path }: Operation, id = unknownId): string =>
  path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => (name === "side" ? "front" : id));

/** Whether an API key opens the operation. The calls of capture pages take the token of a session. */
export const takesKey = ({ security }: Operation): boolean =>
  security.some((one) => one.startsWith("apiKey"));

const call = async (
  target: Target,
  operation: Operation,
  key: string | undefined,
  query = "",
): Promise<Received> => {
  const inQuery = operation.security.includes("apiKeyInQuery") && key !== undefined;
  const search = inQuery ? `?apiKey=${encodeURIComponent(key)}` : query;
  const hasBody = operation.bodies.size > 0;
  return await target.exchange({
    method: operation.method,
    path: `${filledPath(operation)}${search}`,
    headers: {
      ...(!inQuery && key !== undefined && { "x-api-key": key }),
      ...(hasBody && { "content-type": "application/json" }),
    },
    ...(hasBody && { body: Buffer.from("{}") }),
  });
};

const guarded = (target: Target): readonly Operation[] => target.contract.operations.filter(takesKey);

/** 401 to anything but a good key, or 429 once an address has tried too many. */
const isShut = ({ status }: Received): boolean => status === 401 || status === 429;

/** Calls an operation with the key of each scope alone; `isRight` judges each answer. */
const eachScopeCase = (id: string, isRight: (received: Received, scope: string) => boolean): AttackCase => ({
  name: `${id} with each scope alone`,
  run: async (target) => {
    const operation = target.operation(id);
    const faults: string[] = [];
    for (const scope of scopes) {
      const received = await call(target, operation, target.keys.ofScope.get(scope));
      if (!isRight(received, scope)) faults.push(`the scope ${scope} is answered ${received.status}`);
      faults.push(...target.judge(operation, received));
    }
    return faults;
  },
});

const scopeCase = (id: string, needed: string): AttackCase =>
  eachScopeCase(id, (received, scope) => {
    const isRefused = memberOf(jsonOf(received), "failure") === "scope_missing";
    return isRefused === (scope !== needed);
  });

/** A call of a capture page: the token of a session opens it, and no key does. */
const sessionCase = (id: string): AttackCase => eachScopeCase(id, isShut);

const keylessCase = (id: string): AttackCase => ({
  name: `${id} without a key`,
  run: async (target) => {
    const operation = target.operation(id);
    const received = await call(target, operation, undefined);
    return received.status === 401 ? target.judge(operation, received) : [`answered ${received.status}`];
  },
});

/** Texts beside a good key. None of them opens anything. */
const wrongKeys: readonly (readonly [name: string, make: (key: string) => string])[] = [
  ["empty", () => ""],
  ["cut", (key) => key.slice(0, -1)],
  ["longer", (key) => `${key}a`],
  ["doubled", (key) => `${key},${key}`],
  ["in upper case", (key) => key.toUpperCase()],
  ["of the other environment", (key) => key.replace("_test_", "_live_")],
  ["in quotes", (key) => `"${key}"`],
  ["with a scheme", (key) => `Bearer ${key}`],
  ["SQL", () => "' or '1'='1"],
  ["with an escape", (key) => `${key}%00`],
  ["very long", () => "idem_test_".padEnd(6000, "a")],
  ["a hash", () => "0".repeat(64)],
];

const wrongKeyCase = (name: string, make: (key: string) => string): AttackCase => ({
  name: `a key that is ${name}`,
  run: async (target) => {
    const operation = target.operation("evaluatePassiveLiveness");
    const received = await call(target, operation, make(target.keys.all));
    const good = await call(target, operation, target.keys.all);
    return [
      ...(isShut(received) ? target.judge(operation, received) : [`answered ${received.status}`]),
      ...(good.status === 400 ? [] : [`the good key behind it is answered ${good.status}`]),
    ];
  },
});

const otherPlace: AttackCase = {
  name: "a good key in another place than its header",
  run: async (target) => {
    const operation = target.operation("listReviews");
    const { all } = target.keys;
    const places = [
      call(target, operation, undefined, `?apiKey=${all}&x-api-key=${all}`),
      ...["authorization", "cookie", "apikey", "x-api_key"].map((name) =>
        target.exchange({ method: "GET", path: operation.path, headers: { [name]: `x-api-key=${all}` } }),
      ),
      target.exchange({ method: "GET", path: operation.path, headers: { "x-api-key": [all, all] } }),
    ];
    const answers = await Promise.all(places);
    return answers.filter((one) => !isShut(one)).map(({ status }) => `answered ${status}`);
  },
};

const revoked: AttackCase = {
  name: "a revoked key",
  run: async (target) => {
    const answers = guarded(target).map((operation) => call(target, operation, target.keys.revoked));
    return (await Promise.all(answers))
      .filter((one) => !isShut(one))
      .map(({ status }) => `answered ${status}`);
  },
};

const changedKey = (draw: Draw): AttackCase => {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_ ,'\"%");
  const changes = Array.from(
    { length: draw.int(1, 3) },
    () => [draw.int(0, 60), draw.pick(letters)] as const,
  );
  const operation = draw.int(0, 999);
  return {
    name: `a key with ${JSON.stringify(changes)}`,
    run: async (target) => {
      const key = Array.from(target.keys.all);
      for (const [at, letter] of changes) key[at % key.length] = letter;
      const changed = key.join("");
      if (changed.trim() === target.keys.all) return [];
      const all = guarded(target);
      const received = await call(target, all[operation % all.length]!, changed);
      return isShut(received) ? [] : [`answered ${received.status}`];
    },
  };
};

/** Every operation with every scope, without a key, and with keys that are nearly good. */
export const keyAttack: Attack = {
  kind: "keys",
  fixed: [
    ...routes.flatMap(({ name, scope, credential }) => [
      keylessCase(name),
      credential === "session" ? sessionCase(name) : scopeCase(name, scope),
    ]),
    ...wrongKeys.map(([name, make]) => wrongKeyCase(name, make)),
    otherPlace,
    revoked,
  ],
  generate: changedKey,
};
