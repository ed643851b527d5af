import { Type } from "typebox";
import { type Route, route, type ShownOnce } from "./endpoint.ts";
import type { FailureCode } from "./failure.ts";
import { activeKeysMax } from "./key-failure.ts";
import { scopes as allScopes } from "./scope.ts";
import { choice, nullableText, responseTime, text, time } from "./wire.ts";

const tag = "API keys";
const base = "/operator/keys";
const beyond = "Beyond the interface, for the operator and its console.";
const scope = "key";

const timestamp = responseTime;
const keyId = text("The key: its id, never its text.", {
  "x-name": "KeyId",
  maxLength: 64,
  examples: ["6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"],
});

const nullableTime = (description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description, examples: [example] });

/** Printable characters, because listings on terminals show names. */
const name = text("A name for people, such as that of the calling application.", {
  maxLength: 100,
  pattern: "^[^\\p{C}]+$",
  examples: ["Onboarding, production"],
});

const scopes = Type.Array(Type.Enum([...allScopes]), {
  description:
    "What the key may do. Every scope must be one of the calling key. `certificate` stands alone in a key that others get in an address.",
  minItems: 1,
  maxItems: allScopes.length,
  examples: [["face", "document"]],
});

const days = (byDefault: string) =>
  Type.Optional(
    Type.Integer({
      description: `Days until the key expires. Default: ${byDefault}.`,
      minimum: 1,
      maximum: 3650,
      examples: [365],
    }),
  );

/** Replaces a key in examples. */
export const exampleKey = "idem_test_the-text-of-the-new-key";

const key = Type.String({
  description: "The key. It is shown in this answer and nowhere else: the store has its hash.",
  examples: [exampleKey],
});

const apiKey = Type.Object(
  {
    keyId,
    name,
    environment: choice(["live", "test"], "Environment of the key: that of the calling key.", {
      examples: ["test"],
    }),
    scopes: Type.Array(Type.Enum([...allScopes]), {
      description: "What the key may do.",
      examples: [["face", "document"]],
    }),
    state: choice(["active", "expired", "revoked"], "Whether it opens anything."),
    createdAt: time("When it was made."),
    expiresAt: nullableTime("When it expires, or expired; null: never.", "2027-11-21T09:30:00.000Z"),
    revokedAt: nullableTime("When it was revoked; null: it was not."),
    lastUsedAt: nullableTime("When it was last used, to some seconds; null: never."),
  },
  { "x-name": "ApiKey", description: "An API key, without its text." },
);

const makeFailures = ["key_scope_refused", "key_limit"] as const satisfies FailureCode[];

const shownOnce: ShownOnce = {
  secrets: ["key"],
  names: ["keyId"],
  next: "Revoke the key with POST /operator/keys/{keyId}/revoke, then make another with a new Idempotency-Key.",
};

/** GET /operator/keys */
export const listKeysRoute = route({
  name: "listKeys",
  method: "GET",
  path: base,
  scope,
  tag,
  summary: "Lists the API keys of the key's tenant and environment, the newest first",
  description: `${beyond} Up to 100 a page, ended ones too.`,
  request: Type.Object({
    after: Type.Optional(
      Type.String({ description: "`next` of the previous page.", maxLength: 64, examples: [""] }),
    ),
  }),
  response: Type.Object({
    timestamp,
    keys: Type.Array(apiKey),
    next: nullableText(undefined, "Sent as `after` for the next page; null at the end.", null),
  }),
  failures: [],
});

/** POST /operator/keys */
export const createKeyRoute = route({
  name: "createKey",
  method: "POST",
  path: base,
  scope,
  tag,
  summary: "Creates an API key",
  description:
    `${beyond} The answer has the key, once. It belongs to the tenant and environment of the calling key, and holds no scope that the calling ` +
    `key lacks. At most ${activeKeysMax} keys of an environment are active or younger than a day.`,
  request: Type.Object({ name, scopes, days: days("365") }),
  response: Type.Object({ timestamp, keyId, apiKey, key }),
  shownOnce,
  failures: makeFailures,
});

/** POST /operator/keys/{keyId}/renew */
export const renewKeyRoute = route({
  name: "renewKey",
  method: "POST",
  path: `${base}/{keyId}/renew`,
  scope,
  tag,
  summary: "Makes a key in place of another",
  description:
    `${beyond} The new key has the name, scopes and validity of the former one, and the answer has it, once. Both are valid for ` +
    "`overlapHours`, unless the former one ends earlier. A key may renew itself.",
  request: Type.Object({
    keyId,
    days: days("as many as the former key was made for, and 365 for one without an end"),
    overlapHours: Type.Optional(
      Type.Integer({
        description: "Hours for which both keys are valid. Default 24. 0: the former key ends at once.",
        minimum: 0,
        maximum: 8760,
        examples: [24],
      }),
    ),
  }),
  response: Type.Object({ timestamp, keyId, apiKey, key, former: apiKey }),
  shownOnce,
  failures: ["not_found", "key_ended", ...makeFailures],
});

/** POST /operator/keys/{keyId}/revoke */
export const revokeKeyRoute = route({
  name: "revokeKey",
  method: "POST",
  path: `${base}/{keyId}/revoke`,
  scope,
  tag,
  summary: "Revokes an API key",
  description:
    `${beyond} Processes may accept the key for three seconds more. A key that was revoked before stays as it is. A key may ` +
    "revoke itself, and keys all of whose scopes it holds.",
  request: Type.Object({ keyId }),
  response: Type.Object({ timestamp, apiKey }),
  failures: ["not_found", "key_scope_refused"],
});

/** In the order of the docs page. */
export const keyRoutes: readonly Route[] = [listKeysRoute, createKeyRoute, renewKeyRoute, revokeKeyRoute];
