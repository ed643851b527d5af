import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "#app/store";
import { openStoreHere } from "#support/app/store-here";
import { destroyTenantKeys, makeKeyring, rotateMaster } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import {
  type AuthenticationRecord,
  isPositive,
  makeCheckAuthentication,
  makeHashAuthentication,
} from "./authentication-hash.ts";

const [oldMaster, newMaster] = [masterKeyOf(randomBytes(32)), masterKeyOf(randomBytes(32))];

let store: Store;
let tenants: readonly string[];

beforeAll(async () => {
  store = await openStoreHere({ path: ":memory:" });
  tenants = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of tenants) await store.createTenant({ id, name: id, createdAt: new Date() });
});
afterAll(() => store.close());

const hashingUnder = (...masters: Parameters<typeof makeKeyring>[0]["masters"]) =>
  makeHashAuthentication(makeKeyring({ store, masters, now: () => new Date() }));

const recordOf = (change: Partial<AuthenticationRecord> = {}): AuthenticationRecord => ({
  tenantId: tenants[0] ?? "",
  environment: "live",
  id: "2db602ee-3564-4304-af95-92a52eaae12d",
  endpoint: "identity",
  at: new Date("2026-11-23T21:00:00.000Z"),
  result: { facial: 3, liveness: 3 },
  tokenHashes: ["ab".repeat(32)],
  measurements: { imageHashes: ["cd".repeat(32)] },
  ...change,
});

describe("an authentication hash", () => {
  it("has 128 upper-case hexadecimal digits and is the same for the same record", async () => {
    const hash = await hashingUnder(oldMaster)(recordOf());
    expect(hash).toMatch(/^[0-9A-F]{128}$/);
    expect(await hashingUnder(oldMaster)(recordOf())).toBe(hash);
  });

  it.each([
    ["tenant", (): Partial<AuthenticationRecord> => ({ tenantId: tenants[1] ?? "" })],
    ["environment", () => ({ environment: "test" as const })],
    ["transaction", () => ({ id: "2db602ee-3564-4304-af95-92a52eaae12e" })],
    ["endpoint", () => ({ endpoint: "authenticateFacial" })],
    ["time", () => ({ at: new Date("2026-11-23T21:00:00.001Z") })],
    ["number", () => ({ result: { facial: 3, liveness: 3, unsealed: 1 } })],
    ["token", () => ({ tokenHashes: ["ac".repeat(32)] })],
    ["open image", () => ({ measurements: { imageHashes: ["ce".repeat(32)] } })],
  ])("is another one with another %s", async (_, change) => {
    const hash = hashingUnder(oldMaster);
    const check = makeCheckAuthentication(hash);
    const sent = (await hash(recordOf())) ?? "";
    expect(await check(recordOf(), sent)).toBe(true);
    expect(await check(recordOf(change()), sent)).toBe(false);
  });

  it("is checked in upper and lower case, and never where it is cut, longer or no hexadecimal text", async () => {
    const hash = hashingUnder(oldMaster);
    const check = makeCheckAuthentication(hash);
    const sent = (await hash(recordOf())) ?? "";
    expect(await check(recordOf(), sent.toLowerCase())).toBe(true);
    for (const wrong of ["", sent.slice(1), `${sent}0`, `G${sent.slice(1)}`, `${sent}\n`]) {
      expect(await check(recordOf(), wrong)).toBe(false);
    }
  });

  it("stays checkable after the master key was rotated, and not after the tenant was erased", async () => {
    const tenantId = tenants[2] ?? "";
    const sent = (await hashingUnder(oldMaster)(recordOf({ tenantId }))) ?? "";
    await rotateMaster(store, [newMaster, oldMaster]);
    const check = () => makeCheckAuthentication(hashingUnder(newMaster))(recordOf({ tenantId }), sent);
    expect(await check()).toBe(true);
    await destroyTenantKeys(store, tenantId, new Date());
    expect(await check()).toBe(false);
  });

  it("exists for positive authentications alone", async () => {
    const positive: readonly Partial<AuthenticationRecord>[] = [
      { endpoint: "identity", result: { facial: 3, liveness: 3 } },
      { endpoint: "authenticateFacial", result: { facial: 3 } },
      { endpoint: "authenticateUser", result: { code: 0, facial: 3, liveness: 0 } },
      { endpoint: "authenticateUserV2", result: { code: 0 } },
    ];
    for (const change of positive) expect(isPositive(recordOf(change))).toBe(true);
    const others: readonly Partial<AuthenticationRecord>[] = [
      { endpoint: "identity", result: { facial: 3, liveness: 17 } },
      { endpoint: "identity", result: { facial: 1, liveness: 3 } },
      { endpoint: "authenticateFacial", result: { facial: 2 } },
      { endpoint: "authenticateUser", result: { code: -101, facial: 3, liveness: 3 } },
      { endpoint: "evaluatePassiveLiveness", result: { liveness: 3 } },
      { endpoint: "digitalSign", result: { code: 0 } },
      { endpoint: "identity", result: null },
      { endpoint: "identity", result: [3, 3] },
    ];
    for (const change of others) expect(await hashingUnder(newMaster)(recordOf(change))).toBeUndefined();
  });

  it("of a civil validation stands for a positive or uncertain face, and only the positive one is an authentication", async () => {
    const civil = (facial: number) =>
      recordOf({ endpoint: "civilValidation", result: { facial, registry: "person" } });
    const hashes = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((facial) => hashingUnder(newMaster, oldMaster)(civil(facial))),
    );
    expect(hashes.map((hash) => hash !== undefined)).toEqual([false, false, true, true, false, false]);
    expect([2, 3].map((facial) => isPositive(civil(facial)))).toEqual([false, true]);
  });
});
