import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "../src/cli/client.ts";
import { fetchPublishedKeys } from "../src/cli/tokens.ts";
import { packCohort } from "../src/face/matching/cohort.ts";
import { readCohort } from "../src/face/testing/pictures.ts";
import { sealToken } from "../src/tokens/seal.ts";
import { persons, toBase64 } from "./harness/pictures.ts";
import { type House, makeHouse, runIdem } from "./harness/service.ts";

let house: House;
beforeEach(async () => {
  house = await makeHouse();
});
afterEach(() => house.clear());

it("judges stored calls again under the operator's figures, and changes nothing", {
  timeout: 120_000,
}, async () => {
  const service = await house.start();
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  for (const picture of [persons.selfie, persons.stranger]) {
    const answer = await client.post("/onboarding/v2/identity", {
      token1: toBase64(persons.portrait),
      bestImageToken: await sealToken({ keys, kind: "best-image", payload: picture, now: new Date() }),
      method: "3",
    });
    expect(answer.status).toBe(200);
  }
  const login = async () => {
    const answer = await client.post("/services/authenticateUser/v2", {
      userId: "ana",
      merchantReferenceId: "login",
      image: toBase64(persons.portrait),
      bestImageToken: await sealToken({
        keys,
        kind: "best-image",
        payload: persons.selfie,
        now: new Date(),
      }),
    });
    expect(answer).toMatchObject({ status: 200, body: { serviceResultCode: 0 } });
  };
  await login();
  await login();
  await service.stop();

  const idem = (...args: readonly string[]) => runIdem(["replay", ...args], { IDEM_DATA: house.directory });
  // Whether the second login was compared with the picture that came with it is not kept.
  const same = { code: 0, stdout: "Nothing would change in what can be told.\n" };
  expect(await idem()).toMatchObject({ ...same, stderr: expect.stringContaining("1 cannot be told") });
  const [policy, figures] = ["policy.json", "figures.json"].map((name) => join(house.directory, "..", name));
  await writeFile(policy!, JSON.stringify({ liveness: { eyeDistancePxMin: 2000 } }));
  const strict = await idem("--policy", policy!, "--json", figures!);
  expect(strict).toMatchObject({ code: 0 });
  expect(strict.stdout).toContain("NoneBecauseFaceTooSmall");
  const written = JSON.parse(await readFile(figures!, "utf8"));
  expect(written).toMatchObject({ calls: 4, replayed: 4 });
  expect(await idem()).toMatchObject(same);

  const cohort = join(house.directory, "..", "own.cohort");
  await writeFile(cohort, packCohort(readCohort()));
  const { stderr } = await runIdem(["replay"], { IDEM_DATA: house.directory, IDEM_FACE_COHORT: cohort });
  expect(stderr).toContain("4 of these compared faces beside another cohort or recogniser");
  expect(strict.stderr).not.toContain("another cohort");

  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  expect((await idem("--since", tomorrow)).stderr).toContain("0 calls");
  expect(await idem("--since", "yesterday")).toMatchObject({ code: 2 });
  await writeFile(policy!, '{"comparison": {"falseMatchRates": {"registry": 1}}}');
  const rate = await idem("--policy", policy!);
  const refusal = "falseMatchRates.registry is 1. Set it to one of 1e-1, 1e-2, 1e-3, 1e-4.";
  expect(rate).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(refusal) });
  await writeFile(policy!, '{"liveness": {"colour": 1}}');
  const wrong = await idem("--policy", policy!);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("liveness.colour is no figure") });
});
