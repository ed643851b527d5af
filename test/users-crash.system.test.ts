import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import { persons } from "./harness/images.ts";
import { type Harness, makeHarness } from "./harness/service.ts";
import { countRows, readRows } from "./harness/store-rows.ts";

const kills = process.env["LONG_TESTS"] === "1" ? 20 : 1;
const usersPerRound = 6;
const authenticate = "/services/authenticateUser";
const update = "/services/updateUserTemplate";
const answered = Compile(
  Type.Object({ serviceResultCode: Type.Integer(), registeredTemplateRaw: Type.Optional(Type.String()) }),
);

/** State of a user: unknown to the service, or registered with the first or the second template. */
type State = "absent" | "first" | "second";
/**
 * The caller's knowledge when the service dies: the former state of the user, and the state after the call in
 * progress.
 */
type Known = { readonly userId: string; readonly leaves: boolean; before: State; after: State };

let harness: Harness;
beforeAll(async () => {
  harness = await makeHarness();
});
afterAll(() => harness.clear());

const selfie = (keys: PublishedKeys) =>
  sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() });
const faceImage = (keys: PublishedKeys, payload: Uint8Array) =>
  sealToken({ keys, kind: "face-image", payload, now: new Date() });

type Templates = { readonly first: string; readonly second: string };

const makeTemplates = async (client: Client, keys: PublishedKeys): Promise<Templates> => {
  const established = await client.post(authenticate, {
    userId: "template maker",
    merchantReferenceId: "set-up",
    registeredTemplateRaw: await faceImage(keys, persons.portrait),
    bestImageToken: await selfie(keys),
  });
  const first = answered.Parse(established.body).registeredTemplateRaw ?? "";
  const changed = await client.post(update, {
    userId: "template maker",
    oldRegisteredTemplateRaw: first,
    newRegisteredTemplateRaw: await faceImage(keys, persons.selfie),
  });
  return { first, second: answered.Parse(changed.body).registeredTemplateRaw ?? "" };
};

/**
 * Registers one user and changes the template again and again until the service ends; users with `leaves` are
 * deleted in between.
 */
const live = async (
  client: Client,
  keys: PublishedKeys,
  templates: Templates,
  known: Known,
): Promise<void> => {
  const { userId, leaves } = known;
  const enrol = async () =>
    await client.post(authenticate, {
      userId,
      merchantReferenceId: "round",
      registeredTemplateRaw: templates.first,
      bestImageToken: await selfie(keys),
    });
  const replace = (from: keyof Templates, to: keyof Templates) => () =>
    client.post(update, {
      userId,
      oldRegisteredTemplateRaw: templates[from],
      newRegisteredTemplateRaw: templates[to],
    });
  const leave = () => client.delete(authenticate, { userIds: [userId] });
  const step = async (state: State, call: () => Promise<{ readonly body: unknown }>) => {
    known.after = state;
    expect(answered.Parse((await call()).body).serviceResultCode).toBe(0);
    known.before = state;
  };
  for (;;) {
    if (known.before === "absent") {
      await step("first", enrol);
    }
    await step("second", replace("first", "second"));
    await (leaves ? step("absent", leave) : step("first", replace("second", "first")));
  }
};

/** Reads the state by an update without change: only the registered template is accepted as the old one. */
const stateOf = async (client: Client, templates: Templates, userId: string): Promise<State> => {
  for (const state of ["first", "second"] as const) {
    const template = templates[state];
    const request = { userId, oldRegisteredTemplateRaw: template, newRegisteredTemplateRaw: template };
    const { serviceResultCode } = answered.Parse((await client.post(update, request)).body);
    if (serviceResultCode === -103) {
      return "absent";
    }
    if (serviceResultCode === 0) {
      return state;
    }
  }
  throw new Error("The user is registered with an unknown template");
};

/** Compares rows with evidence: each enrolment has its entry, each deletion its receipt. */
const judgeRows = () => {
  const count = (sql: string): number => countRows(harness.directory, sql);
  const entries = (kind: string) => count(`select count(*) n from evidence where kind = '${kind}'`);
  return {
    sound: readRows(harness.directory, "pragma integrity_check")[0]?.["integrity_check"],
    people: count("select count(*) n from users"),
    enrolledLessDeleted: entries("person_enrolled") - entries("person_deleted"),
    renewals: count("select coalesce(sum(revision - 1), 0) n from users"),
    replaced: entries("person_template_replaced"),
  };
};

it(`leaves every user in the old or the new state, over ${kills} kills during enrolments, updates and deletions`, {
  timeout: 150_000 * (1 + kills),
}, async () => {
  const environment = {
    IDEM_RATE_PER_SECOND: "100000",
    IDEM_RATE_BURST: "1000000",
    IDEM_DUPLICATES: "flag",
  };
  const first = await harness.start(environment);
  const keys = await fetchPublishedKeys(first.url);
  const templates = await makeTemplates(makeClient(first.url, first.apiKey), keys);
  let service = first;
  let met = 0;
  for (let kill = 0; kill < kills; kill++) {
    const client = makeClient(service.url, service.apiKey);
    const users = Array.from(
      { length: usersPerRound },
      (_, n): Known => ({
        userId: `user ${kill} ${n}`,
        leaves: n % 2 === 1,
        before: "absent",
        after: "absent",
      }),
    );
    const lives = Promise.allSettled(users.map((known) => live(client, keys, templates, known)));
    // On a busy machine the first enrolment takes seconds: the kill comes at a random moment after a
    // completed one.
    while (users.every(({ before, leaves }) => leaves || before === "absent")) {
      await sleep(20);
    }
    await sleep(Math.random() * 2500);
    service.kill("SIGKILL");
    await service.ended;
    for (const ended of await lives) {
      // The connection broke; any other end is a wrong answer.
      expect(ended).toMatchObject({ status: "rejected", reason: { message: "fetch failed" } });
    }
    service = await harness.start(environment);
    const again = makeClient(service.url, service.apiKey);
    for (const { userId, before, after } of users) {
      const state = await stateOf(again, templates, userId);
      expect([before, after]).toContain(state);
      met += state === "absent" ? 0 : 1;
    }
    const { sound, people, enrolledLessDeleted, renewals, replaced } = judgeRows();
    expect({ sound, people }).toEqual({ sound: "ok", people: enrolledLessDeleted });
    expect(replaced).toBeGreaterThanOrEqual(renewals);
  }
  expect(met, "some users must have been registered when the service died").toBeGreaterThan(0);
  expect(await service.stop()).toBe(0);
});
