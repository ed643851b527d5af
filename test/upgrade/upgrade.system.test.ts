import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { listRightsFaults } from "#app/rights-watch";
import { type Idem, openIdem, readIdem } from "#app/service";
import { openStore, planMigrations } from "#app/storage";
import { verifyStore } from "#app/store-check/verify-store";
import { migrations } from "#app/tables";
import { type Client, makeClient } from "#cli/kit/service/client";
import { awaitDecision } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { settleMasterKey } from "#cli/kit/store/development-master-key";
import { type Config, readConfig } from "#machine/config/config";
import { makeChainVerifier } from "#record/transactions/verify-chain";
import { makeDrawPersonaFace } from "#sandbox/specimen/persona-faces";
import { sealToken } from "#trust/tokens/seal";
import { memberOf } from "../../scripts/contract/json.ts";
import { imaging, toBase64 } from "../harness/images.ts";
import { type FormerStore, masterKey, tenants } from "./former-store.ts";

const folder = fileURLToPath(new URL("./", import.meta.url));
const releases = (await readdir(folder))
  .filter((name) => name.endsWith(".tar.gz"))
  .map((name) => name.slice(0, -".tar.gz".length));

describe.each(releases)("the store of %s", (release) => {
  let home: string;
  let config: Config;
  let former: FormerStore;
  let idem: Idem;
  let planned: readonly number[];
  let url: string;
  let client: Client;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "idem-upgrade-"));
    const data = join(home, "data");
    await mkdir(data, { mode: 0o700 });
    await promisify(execFile)("tar", ["-xzf", join(folder, `${release}.tar.gz`), "-C", data]);
    former = JSON.parse(await readFile(join(folder, `${release}.json`), "utf8"));
    // An hour after the store was written: what ends with time has not ended.
    const written = String(memberOf(former.documents.inReview.data, "verification", "decisionTime"));
    const now = Date.parse(written) + 3_600_000;
    vi.useFakeTimers({ toFake: ["Date"], now, shouldAdvanceTime: true });
    // A short lease: the work of the dead process is taken over soon.
    const settings = { IDEM_MASTER_KEY: masterKey, IDEM_PORT: "0", IDEM_WORKERS: "1", IDEM_LEASE_MS: "6000" };
    config = readConfig({ IDEM_DATA: data, ...settings });
    planned = (await planMigrations(config)).map(({ version }) => version);
    idem = await openIdem(config, await readIdem(config), settleMasterKey, () => undefined);
    url = await idem.server.listen(config.http);
    client = makeClient(url, former.keys[0]);
  });
  afterAll(async () => {
    await idem.stop();
    vi.useRealTimers();
    await rm(home, { recursive: true });
  });

  it("has a seal on each row that gives a right, and an entry that states what was there", async () => {
    const faults: string[] = [];
    for await (const { place, fault } of listRightsFaults(idem.store)) faults.push(`${place} ${fault}`);
    expect(faults).toEqual([]);
    for (const { id } of await idem.store.listTenants()) {
      const links = await idem.store.listLinks(id, 0);
      expect(links.filter(({ kind }) => kind === "rights_sealed")).toHaveLength(1);
    }
  });

  it("needs the migrations since then, in their order, and they ran at the start", async () => {
    expect(planned.length).toBeGreaterThan(0);
    expect(planned).toEqual(migrations.map(({ version }) => version).slice(-planned.length));
    expect(await planMigrations(config)).toEqual([]);
  });

  it("answers what was decided as the former release did, to the key of the former release", async () => {
    for (const { scanReference, data } of [former.documents.approved, former.documents.inReview]) {
      const answer = await client.post("/verify/documentValidation/v2/data", { scanReference });
      expect(answer).toMatchObject({ status: 200, body: data });
    }
  });

  it("decides what the former process had acknowledged when it died", async () => {
    await awaitDecision(client, former.pending);
    const answer = await client.post("/verify/documentValidation/v2/data", { scanReference: former.pending });
    expect(answer).toMatchObject({ status: 200, body: { verification: { code: 9001, status: "Approved" } } });
  });

  it("authenticates a registered user against the reference, and the template, of then", async () => {
    const keys = await fetchPublishedKeys(url);
    const drawFace = makeDrawPersonaFace(imaging);
    const payload = await drawFace("later-selfie");
    const image = toBase64(await drawFace("portrait"));
    for (const reference of [{ image }, { registeredTemplateRaw: former.user.template }]) {
      const bestImageToken = await sealToken({ keys, kind: "best-image", payload, now: new Date() });
      const body = { userId: former.user.userId, merchantReferenceId: "b", bestImageToken, ...reference };
      const answer = await client.post("/services/authenticateUser/v2", body);
      expect(answer).toMatchObject({ status: 200, body: { serviceResultCode: 0 } });
    }
  });

  it("shows the record of a call with its measurements, which are sealed now", async () => {
    const { transactionId, facial, liveness } = former.identity;
    const answer = await client.get(`/operator/transactions/${transactionId}`);
    expect(answer).toMatchObject({ status: 200, body: { result: { facial, liveness } } });
    expect(memberOf(answer.body, "measurements", "comparison")).toBeDefined();
  });

  it("keeps the review open, for its own tenant alone", async () => {
    const { scanReference } = former.documents.inReview;
    const listed = await client.get("/operator/reviews");
    expect(JSON.stringify(listed.body)).toContain(scanReference);
    const second = makeClient(url, former.keys[1]);
    expect((await second.get("/operator/reviews")).status).toBe(200);
    expect(JSON.stringify((await second.get("/operator/reviews")).body)).not.toContain(scanReference);
    expect((await second.post("/verify/documentValidation/v2/data", { scanReference })).status).toBe(404);
  });

  it("goes on with its chains of evidence, without a fault", async () => {
    await idem.stop();
    const { store, close } = await openStore(config);
    const found = await store.listTenants();
    expect(found.map(({ name }) => name)).toEqual(tenants);
    const verifier = makeChainVerifier([]);
    const links = await store.listLinks(found[0]!.id, 0);
    links.forEach(verifier.take);
    expect(verifier.end()).toMatchObject({ faults: [] });
    expect(links.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["person_enrolled", "document_decided"]),
    );
    await close();
  });

  it("holds sealed rows of both releases, and each of them opens", async () => {
    const parts = await verifyStore(config, () => undefined);
    const rows = parts?.find(({ part }) => part === "sealed rows");
    expect(rows?.faults).toEqual([]);
    expect(rows?.checked).toBeGreaterThan(20);
  });
});
