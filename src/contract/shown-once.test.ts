import { describe, expect, it } from "vitest";
import type { Route } from "./endpoint.ts";
import { failuresOf } from "./endpoint.ts";
import { routes } from "./routes.ts";

/** Members with such a name may hold a secret. */
const mayBeSecret = /(secret|password|token|key|clave|url|credentials|code|pin)$/iu;

/**
 * Members with such a name that hold none, each with its reason. A new member is marked in `shownOnce`, or
 * stands here.
 */
const harmless: Readonly<Record<string, string>> = {
  serviceResultCode: "a number of the interface",
  statusCode: "a number",
  reasonCode: "a number of the interface",
  code: "a number of the interface",
  verificationCode: "the short name of a transaction, printed on the certificate",
  additionalReasonCode: "a number of the interface",
  "destination.url": "the receiver's address, which the caller sent and every later call shows",
  "destination.auth.tokenUrl":
    "the address of the token server, which the caller sent and every later call shows",
  "civilServiceData.photoUrl": "an address of the registry",
  "civilServiceData.signatureUrl": "an address of the registry",
  "transfer.token": "the entity's token for the transfer, which every showTransfer has",
  "transfer.entity.code": "the answer of the entity",
};

type Member = { readonly path: string; readonly schema: object };

const childrenOf = (schema: object): readonly object[] =>
  ["anyOf", "oneOf", "allOf"].flatMap((name) => Object.values(Object(Object(schema)[name])));

/** Every member of a schema with its path, members inside of lists and unions too. */
const membersOf = (schema: object, inside = ""): readonly Member[] => [
  ...Object.entries(Object(Object(schema).properties)).flatMap(([name, one]) => {
    const path = inside === "" ? name : `${inside}.${name}`;
    return [{ path, schema: Object(one) }, ...membersOf(Object(one), path)];
  }),
  ...("items" in schema ? membersOf(Object(schema.items), inside) : []),
  ...childrenOf(schema).flatMap((one) => membersOf(one, inside)),
];

/** Whether a member can hold a text that nothing else fixes. */
const holdsText = (schema: object): boolean =>
  ("type" in schema && schema.type === "string" && !("enum" in schema) && !("format" in schema)) ||
  childrenOf(schema).some(holdsText);

const posts = routes.filter(({ method, credential }) => method === "POST" && credential === undefined);

const unmarkedOf = ({ response, shownOnce }: Route): readonly string[] =>
  membersOf(response)
    .filter(({ path, schema }) => mayBeSecret.test(path) && holdsText(schema))
    .map(({ path }) => path)
    .filter((path) => shownOnce?.secrets.includes(path) !== true)
    .filter((path) => !(path in harmless) && !((path.split(".").at(-1) ?? "") in harmless));

describe("an answer with a secret", () => {
  it.each(posts.map((route) => [route.name, route] as const))(
    "of %s is marked: a member that looks like a secret is shown once, or known as harmless",
    (_, route) => {
      expect(unmarkedOf(route)).toEqual([]);
    },
  );

  it.each(posts.flatMap((route) => (route.shownOnce ? [[route.name, route, route.shownOnce] as const] : [])))(
    "of %s names members that the contract has, and its failure",
    (_, route, { secrets, names, next }) => {
      const stated = [...membersOf(route.response), ...membersOf(route.request)].map(({ path }) => path);
      expect([...secrets, ...names].filter((path) => !stated.includes(path))).toEqual([]);
      expect([secrets.length > 0, names.length > 0, next.endsWith(".")]).toEqual([true, true, true]);
      expect(failuresOf(route)).toContain("idempotency_secret_shown");
    },
  );

  it("is that of keys, destinations, sessions, verifications and clearing tokens", () => {
    expect(posts.filter(({ shownOnce }) => shownOnce).map(({ name }) => name)).toEqual([
      "createDestination",
      "rotateDestinationSecret",
      "createVerification",
      "createCapture",
      "createKey",
      "renewKey",
      "verifyClearing",
      "verifyPrevired",
    ]);
  });

  it("is kept by no route whose credential is a session, and by no other method", () => {
    const others = routes.filter((route) => !posts.includes(route));
    expect(others.filter(({ shownOnce }) => shownOnce).map(({ name }) => name)).toEqual([]);
  });
});
