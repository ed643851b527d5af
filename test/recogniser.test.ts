import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "../src/cli/client.ts";
import { fetchPublishedKeys } from "../src/cli/tokens.ts";
import { scoreAtFmr } from "../src/face/matching/calibration.ts";
import { pictureOf } from "../src/face/testing/pictures.ts";
import { recogniserManifest, smallRecogniser } from "../src/models/testing/small-models.ts";
import { sealToken } from "../src/tokens/seal.ts";
import type { TokenKind } from "../src/tokens/token.ts";
import { drawCrowd } from "./harness/crowd.ts";
import { persons, toBase64 } from "./harness/pictures.ts";
import { type House, makeHouse, runIdem, untilReady } from "./harness/service.ts";

let house: House;
beforeEach(async () => {
  house = await makeHouse();
});
afterEach(() => house.clear());

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const fieldOf = (body: unknown, name: string): unknown => (isObject(body) ? body[name] : undefined);

const idem = (...args: readonly string[]) => runIdem(args, { IDEM_DATA: house.directory });

/** The man of `persons.portrait`, moments later. */
const moment = pictureOf("franck_04035.jpg");

const open = async (environment: Readonly<Record<string, string>> = {}) => {
  const service = await house.start(environment);
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  const seal = (kind: TokenKind, payload: Uint8Array) => sealToken({ keys, kind, payload, now: new Date() });
  const compare = async (method: string, token1: string, token2: string) =>
    (await client.post("/services/authenticateFacial", { method, token1, token2 })).body;
  const authenticate = async (userId: string, reference: object, best: Uint8Array) =>
    await client.post("/services/authenticateUser/v2", {
      userId,
      merchantReferenceId: "login-1",
      ...reference,
      bestImageToken: await seal("best-image", best),
    });
  return { service, client, seal, compare, authenticate };
};

/** Installs the small recogniser and brings the crowd on which it is measured. */
const bringRecogniser = async (): Promise<string> => {
  const [file, manifest] = [join(house.directory, "own.onnx"), join(house.directory, "own.json")];
  await writeFile(file, smallRecogniser);
  await writeFile(manifest, JSON.stringify(recogniserManifest));
  expect((await idem("models", "add", "--file", file, "--manifest", manifest, "--accept")).code).toBe(0);
  const crowd = [...(await drawCrowd(150)), moment, persons.portrait];
  const rows: string[] = [];
  for (const [i, bytes] of crowd.entries()) {
    await writeFile(join(house.directory, `${i}.jpg`), bytes);
    rows.push(`${i}.jpg,${Math.min(i, 150)}`);
  }
  const list = join(house.directory, "crowd.csv");
  await writeFile(list, `path,person\n${rows.join("\n")}\n`);
  return list;
};

const policiesOf = async (): Promise<readonly unknown[]> => {
  const file = (await readdir(house.directory)).find((name) => /^idem.*\.sqlite$/.test(name)) ?? "";
  const db = new Database(join(house.directory, file), { readonly: true });
  const rows = db.prepare<[], { policy_version: string }>("select policy_version from transactions").all();
  db.close();
  return rows.map((row) => row.policy_version);
};

it("puts an added recogniser to work: measured first, then in place of the bundled ones everywhere", {
  timeout: 600_000,
}, async () => {
  const before = await open();
  const enrolled = await before.authenticate("user-1", { image: toBase64(persons.portrait) }, persons.selfie);
  const oldTemplate = fieldOf(enrolled.body, "registeredTemplateRaw");
  expect(typeof oldTemplate).toBe("string");
  await before.service.stop();

  const list = await bringRecogniser();
  const early = await idem("models", "use", "coarse");
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(/which error its cosines stand for.*--calibrate/),
  ]);
  const measured = await idem("models", "measure", "coarse", "--identities", list, "--calibrate");
  expect([measured.code, measured.stderr]).toEqual([0, expect.stringMatching(/1e-3 +0\.\d{4}\nNo groups/)]);
  const used = await idem("models", "use", "coarse");
  expect([used.code, used.stderr]).toEqual([
    0,
    expect.stringMatching(/face-recogniser: coarse 1 is at work[^]*409[^]*503[^]*people block --picture/),
  ]);
  expect((await idem("doctor")).stdout).toMatch(/ok +added models +face-recogniser coarse@1/);

  const pairs = join(house.directory, "pairs.csv");
  await writeFile(pairs, "image_a,image_b,same\n150.jpg,151.jpg,1\n150.jpg,0.jpg,0\n");
  const figures = join(house.directory, "figures.json");
  expect((await idem("measure", "faces", "--pairs", pairs, "--json", figures)).code).toBe(0);
  // The product's own threshold, on its own axis of scores.
  expect(JSON.parse(await readFile(figures, "utf8"))).toMatchObject({
    failuresToEnrol: 0,
    threshold: { value: expect.closeTo(scoreAtFmr(1e-2), 2), fnmr: 0, fmr: 0 },
  });

  const { service, client, seal, compare, authenticate } = await open({ IDEM_DUPLICATES: "refuse" });
  await untilReady(service.url);
  const portrait = toBase64(persons.portrait);
  const same = await compare("1", portrait, toBase64(moment));
  expect(same).toMatchObject({ serviceFacialAuthenticationLog: "Positive" });
  expect(fieldOf(same, "fmrAtScore")).toBeLessThan(1e-3);
  expect(await compare("1", portrait, toBase64(persons.stranger))).toMatchObject({
    serviceFacialAuthenticationLog: "Negative",
  });

  // Of another recogniser: not compared, the user is told so, and moves.
  expect(await compare("3", portrait, String(oldTemplate))).toMatchObject({
    serviceFacialAuthenticationLog: "NoneBecauseInvalidExtractions",
  });
  const refused = await authenticate("user-1", { image: portrait }, moment);
  expect(refused).toMatchObject({ status: 409, body: { failure: "template_outdated" } });
  const moved = await client.post("/services/updateUserTemplate", {
    userId: "user-1",
    oldRegisteredTemplateRaw: oldTemplate,
    newRegisteredTemplateRaw: await seal("face-image", moment),
  });
  expect(moved).toMatchObject({ status: 200, body: { serviceResultCode: 0 } });
  const registeredTemplateRaw = fieldOf(moved.body, "registeredTemplateRaw");
  expect(await authenticate("user-1", { registeredTemplateRaw }, persons.portrait)).toMatchObject({
    status: 200,
    body: { serviceResultCode: 0 },
  });
  expect(await authenticate("user-1", { registeredTemplateRaw }, persons.stranger)).toMatchObject({
    body: { serviceResultCode: -102 },
  });

  // One-to-many search knows the face by the new template.
  expect(await authenticate("user-2", { image: toBase64(moment) }, persons.portrait)).toMatchObject({
    body: { serviceResultCode: -100, enrolmentRefusal: "ALREADY_REGISTERED" },
  });
  await service.stop();
  expect(
    (await policiesOf()).filter((name) => /\+coarse@1\/[0-9a-f]{8}/.test(String(name))).length,
  ).toBeGreaterThan(4);

  const picture = join(house.directory, "blocked.jpg");
  await writeFile(picture, moment);
  const block = async () => await idem("people", "block", "--picture", picture, "--world", "test");
  const { code, stdout: outdated } = await block();
  expect(code).toBe(0);

  // Without it the old one is back, and the moved user is the one who is told.
  expect((await idem("models", "use", "--none", "face-recogniser")).stderr).toMatch(/409/);
  const back = await open();
  expect(await back.authenticate("user-1", { image: portrait }, moment)).toMatchObject({ status: 409 });

  // Nobody is enrolled past a blocked face of another recogniser, until it is blocked anew and the old entry is gone.
  const enrol = async (opened: typeof back) =>
    await opened.authenticate("user-3", { image: portrait }, persons.selfie);
  expect(await enrol(back)).toMatchObject({ status: 503, body: { failure: "search_unavailable" } });
  await back.service.stop();
  expect((await idem("people", "blocked")).stdout).toMatch(/ outdated/);
  expect((await block()).code).toBe(0);
  expect((await idem("people", "unblock", "--id", outdated.trim())).code).toBe(0);
  expect(await enrol(await open())).toMatchObject({
    body: { serviceResultCode: -100, enrolmentRefusal: "BLACKLISTED_FACE_TEMPLATE" },
  });
});
