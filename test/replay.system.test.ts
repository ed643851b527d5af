import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { packCohort } from "#judging/face/matching/cohort";
import { readCohort } from "#support/face/images";
import { sealToken } from "#trust/tokens/seal";
import { persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { openTenant } from "./harness/tenant.ts";

it("judges stored calls again under the operator's policy, and changes nothing", async () => {
  const { url, apiKey, directory, name } = await openTenant();
  const folder = await mkdtemp(join(tmpdir(), "idem-replay-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const client = makeClient(url, apiKey);
  const keys = await fetchPublishedKeys(url);
  for (const image of [persons.selfie, persons.impostor]) {
    const answer = await client.post("/onboarding/v2/identity", {
      token1: toBase64(persons.portrait),
      bestImageToken: await sealToken({ keys, kind: "best-image", payload: image, now: new Date() }),
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

  const replay = (variables: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    runIdem(["replay", "--tenant", name, ...args], { IDEM_DATA: directory, ...variables });
  const idem = (...args: readonly string[]) => replay({}, ...args);
  // Whether the second login was compared with the image sent with it is not stored.
  const same = { code: 0, stdout: "No decision that can be replayed would change.\n" };
  expect(await idem()).toMatchObject({ ...same, stderr: expect.stringContaining("1 cannot be decided") });
  const [policy, figures] = ["policy.json", "figures.json"].map((file) => join(folder, file));
  await writeFile(policy!, JSON.stringify({ liveness: { eyeDistancePxMin: 2000 } }));
  const strict = await idem("--policy", policy!, "--json", figures!);
  expect(strict).toMatchObject({ code: 0 });
  expect(strict.stdout).toContain("NoneBecauseFaceTooSmall");
  const written = JSON.parse(await readFile(figures!, "utf8"));
  expect(written).toMatchObject({ calls: 4, replayed: 4 });
  expect(await idem()).toMatchObject(same);

  const cohort = join(folder, "own.cohort");
  await writeFile(cohort, packCohort(readCohort()));
  const { stderr } = await replay({ IDEM_FACE_COHORT: cohort });
  expect(stderr).toContain("4 of these compared faces under another cohort or recogniser");
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
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("liveness.colour is not a figure"),
  });
});
