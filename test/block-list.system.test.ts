import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { sealToken } from "#trust/tokens/seal";
import { persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { openTenant, type Tenant } from "./harness/tenant.ts";

/** Sends a first call for the user. */
const firstCall = async ({ url, apiKey }: Tenant, userId: string): Promise<unknown> => {
  const client = makeClient(url, apiKey);
  const keys = await fetchPublishedKeys(url);
  const { body } = await client.post("/services/authenticateUser/v2", {
    userId,
    merchantReferenceId: "login-1",
    image: toBase64(persons.portrait),
    bestImageToken: await sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() }),
  });
  return body;
};

it("lets the operator block a face from an image and from a user, list blocked faces and unblock them", async () => {
  const tenant = await openTenant();
  const folder = await mkdtemp(join(tmpdir(), "idem-block-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const idem = (...args: readonly string[]) =>
    runIdem(["users", ...args, "--tenant", tenant.name], { IDEM_DATA: tenant.directory });
  const image = join(folder, "face.jpg");
  expect(await firstCall(tenant, "user-1")).toMatchObject({ serviceResultCode: 0 });

  await writeFile(image, persons.selfie);
  const fromImage = await idem("block", "--image", image, "--environment", "test", "--note", "case 17");
  const fromUser = await idem("block", "--user", "user-1");
  expect([fromImage.code, fromUser.code]).toStrictEqual([0, 0]);
  const again = await idem("block", "--image", image, "--environment", "test");
  expect([again.code, again.stdout]).toStrictEqual([0, fromImage.stdout]);
  expect(again.stderr).toContain("is blocked in the test environment already");
  const { stdout } = await idem("blocked");
  expect(stdout).toMatch(new RegExp(`${fromImage.stdout.trim()}\\s+test\\s+\\S+\\s+in use\\s+case 17`));
  expect(stdout).toContain(fromUser.stdout.trim());
  expect(await firstCall(tenant, "user-2")).toMatchObject({
    serviceResultCode: -100,
    enrolmentRefusal: "BLACKLISTED_FACE_TEMPLATE",
    outcome: "rejected",
  });

  for (const { stdout: id } of [fromImage, fromUser]) {
    expect((await idem("unblock", "--id", id.trim())).code).toBe(0);
    expect((await idem("unblock", "--id", id.trim())).code).toBe(1);
  }
  expect(await firstCall(tenant, "user-2")).toMatchObject({ serviceResultCode: 0 });

  await writeFile(image, "no picture");
  const noImage = await idem("block", "--image", image, "--environment", "test");
  expect([noImage.code, noImage.stderr]).toStrictEqual([1, expect.stringContaining("not a readable image")]);
  expect((await idem("block", "--image", image)).code).toBe(2);
  expect((await idem("block")).code).toBe(2);
});
