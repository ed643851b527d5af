import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { scoreAtFmr } from "#judging/face/matching/calibration";
import { imageOf } from "#support/face/images";
import { recogniserManifest, smallRecogniser } from "#support/models/small-models";
import { sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { drawImpostorImages } from "./harness/gallery-faces.ts";
import { persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, untilReady } from "./harness/service.ts";
import { readRows } from "./harness/store-rows.ts";

let harness: Harness;
beforeEach(async () => {
  harness = await makeHarness();
});
afterEach(() => harness.clear());

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const fieldOf = (body: unknown, name: string): unknown => (isObject(body) ? body[name] : undefined);

const idem = (...args: readonly string[]) => runIdem(args, { IDEM_DATA: harness.directory });

/** The man of `persons.portrait`, moments later. */
const moment = imageOf("franck_04035.jpg");

const open = async (environment: Readonly<Record<string, string>> = {}) => {
  const service = await harness.start(environment);
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

/** Installs the small recogniser and saves the impostor images for its measurement. */
const bringRecogniser = async (): Promise<string> => {
  const [file, manifest] = [join(harness.directory, "own.onnx"), join(harness.directory, "own.json")];
  await writeFile(file, smallRecogniser);
  await writeFile(manifest, JSON.stringify(recogniserManifest));
  expect((await idem("models", "add", "--file", file, "--manifest", manifest, "--accept")).code).toBe(0);
  const impostors = [...(await drawImpostorImages(150)), moment, persons.portrait];
  const rows: string[] = [];
  for (const [i, bytes] of impostors.entries()) {
    await writeFile(join(harness.directory, `${i}.jpg`), bytes);
    rows.push(`${i}.jpg,${Math.min(i, 150)}`);
  }
  const list = join(harness.directory, "impostors.csv");
  await writeFile(list, `path,person\n${rows.join("\n")}\n`);
  return list;
};

const listPolicies = (): readonly string[] =>
  readRows(harness.directory, "select policy_version from transactions").map((row) =>
    String(row["policy_version"]),
  );

it("uses an added recogniser: measured first, then in place of the bundled recognisers everywhere", async () => {
  const before = await open();
  const enrolled = await before.authenticate("user-1", { image: toBase64(persons.portrait) }, persons.selfie);
  const oldTemplate = fieldOf(enrolled.body, "registeredTemplateRaw");
  expect(typeof oldTemplate).toBe("string");
  await before.service.stop();

  const list = await bringRecogniser();
  const early = await idem("models", "use", "coarse");
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringMatching(/the error rates of its cosines are unknown.*--calibrate/),
  ]);
  const measured = await idem("models", "measure", "coarse", "--identities", list, "--calibrate");
  expect([measured.code, measured.stderr]).toEqual([0, expect.stringMatching(/1e-3 +0\.\d{4}\nNo groups/)]);
  const used = await idem("models", "use", "coarse");
  expect([used.code, used.stderr]).toEqual([
    0,
    expect.stringMatching(/face-recogniser: coarse 1 is at work[^]*409[^]*503[^]*users block --image/),
  ]);
  expect((await idem("doctor")).stdout).toMatch(/ok +added models +face-recogniser coarse@1/);

  const pairs = join(harness.directory, "pairs.csv");
  await writeFile(pairs, "image_a,image_b,same\n150.jpg,151.jpg,1\n150.jpg,0.jpg,0\n");
  const figures = join(harness.directory, "figures.json");
  expect((await idem("measure", "faces", "--pairs", pairs, "--json", figures)).code).toBe(0);
  // The product's own threshold, on its own score scale.
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
  expect(await compare("1", portrait, toBase64(persons.impostor))).toMatchObject({
    serviceFacialAuthenticationLog: "Negative",
  });

  // A template of another recogniser: not compared; the user gets an error and moves.
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
  expect(await authenticate("user-1", { registeredTemplateRaw }, persons.impostor)).toMatchObject({
    body: { serviceResultCode: -102 },
  });

  // One-to-many search finds the face by the new template.
  expect(await authenticate("user-2", { image: toBase64(moment) }, persons.portrait)).toMatchObject({
    body: { serviceResultCode: -100, enrolmentRefusal: "ALREADY_REGISTERED" },
  });
  await service.stop();
  expect(listPolicies().filter((name) => /\+coarse@1\/[0-9a-f]{8}/.test(name)).length).toBeGreaterThan(4);

  const image = join(harness.directory, "blocked.jpg");
  await writeFile(image, moment);
  const block = async () => await idem("users", "block", "--image", image, "--environment", "test");
  const { code, stdout: outdated } = await block();
  expect(code).toBe(0);

  // Without it the old recogniser is back, and now the moved user gets the error.
  expect((await idem("models", "use", "--none", "face-recogniser")).stderr).toMatch(/409/);
  const back = await open();
  expect(await back.authenticate("user-1", { image: portrait }, moment)).toMatchObject({ status: 409 });

  // With a blocked face of another recogniser no user is enrolled, until it is blocked again and the old
  // entry is removed.
  const enrol = async () => await back.authenticate("user-3", { image: portrait }, persons.selfie);
  expect(await enrol()).toMatchObject({ status: 503, body: { failure: "search_unavailable" } });
  expect((await idem("users", "blocked")).stdout).toMatch(/ outdated/);
  expect((await block()).code).toBe(0);
  expect((await idem("users", "unblock", "--id", outdated.trim())).code).toBe(0);
  expect(await enrol()).toMatchObject({
    body: { serviceResultCode: -100, enrolmentRefusal: "BLACKLISTED_FACE_TEMPLATE" },
  });
});
