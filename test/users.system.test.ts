import { beforeAll, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { sealToken } from "#trust/tokens/seal";
import { persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { countRows } from "./harness/store-rows.ts";
import { openTenant, type Tenant } from "./harness/tenant.ts";

let tenant: Tenant;
beforeAll(async () => {
  tenant = await openTenant();
});

const idem = (...args: readonly string[]) =>
  runIdem([...args, "--tenant", tenant.name], { IDEM_DATA: tenant.directory });

const attempt = async (image: Uint8Array) => {
  const keys = await fetchPublishedKeys(tenant.url);
  return await makeClient(tenant.url, tenant.apiKey).post("/services/authenticateUser/v2", {
    userId: "user-4711",
    merchantReferenceId: "login-1",
    image: toBase64(persons.portrait),
    bestImageToken: await sealToken({ keys, kind: "best-image", payload: image, now: new Date() }),
  });
};

const countPeople = (): number =>
  countRows(tenant.directory, "select count(*) n from users where tenant_id = ?", tenant.id);

it("lets the operator show a user, enable it, and erase it with its tenant", async () => {
  expect(await attempt(persons.selfie)).toMatchObject({
    status: 200,
    body: { serviceResultCode: 0, outcome: "approved" },
  });
  for (let n = 0; n < 5; n++) {
    const answer = await attempt(persons.impostor);
    expect(answer).toMatchObject({ status: 200, body: { serviceResultCode: -102, outcome: "rejected" } });
  }
  expect(await attempt(persons.selfie)).toMatchObject({
    status: 429,
    body: { failure: "user_paused" },
  });

  const shown = await idem("users", "show", "--user", "user-4711");
  expect(shown.stdout).toMatch(/test\s+(paused until \S+|enabled)\s+5\s/);
  expect((await idem("users", "show", "--user", "nobody")).code).toBe(1);
  expect((await idem("users", "show", "--user", "user-4711", "--environment", "live")).code).toBe(1);
  expect((await idem("users", "show")).code).toBe(2);
  expect((await idem("users", "enable", "--user", "user-4711")).code).toBe(0);
  expect((await idem("users", "show", "--user", "user-4711")).stdout).toMatch(/test\s+enabled\s+0\s/);

  expect((await attempt(persons.selfie)).body).toMatchObject({ serviceResultCode: 0 });
  expect(countPeople()).toBe(1);
  expect((await idem("erase", "--confirm", tenant.name)).stderr).toContain("Destroyed 5 data keys");
  expect(countPeople()).toBe(0);
  expect((await idem("users", "show", "--user", "user-4711")).code).toBe(1);
});
