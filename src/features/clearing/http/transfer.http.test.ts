import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { makeIsKeyOf, openClearingTransfers } from "#app/clearing-transfers";
import { runCommand } from "#cli/run";
import { hashApiKey } from "#contract/api-key";
import type { Scope } from "#contract/scope";
import { makeEgress } from "#machine/egress/make-egress";
import { makeRunLock } from "#record/jobs/run-lock";
import { type ClearingSimulator, startClearingSimulator } from "#sandbox/clearing/clearing-simulator";
import { type ClearingHarness, openClearingHarness } from "#support/clearing/harness";
import { eventually } from "#support/contract/eventually";
import { type Harness, startServer } from "#support/http/harness";

const anImage = (): Uint8Array => new Uint8Array(randomBytes(64));
const base = "/operator/clearing/transfers";
/** The person whom the harness validates. */
const affiliate = { paternalSurname: "Eriksson", maternalSurname: "Soto" };

let clearing: ClearingHarness;
let entity: ClearingSimulator;
let operator: Harness;
let stop: () => Promise<void>;
let url = "";
const reported: string[] = [];

/** The certificates and the operator's endpoints, over one store and real connections to the entity. */
beforeAll(async () => {
  clearing = await openClearingHarness({ baseUrl: () => url });
  url = await clearing.server.listen({ host: "127.0.0.1", port: 0 });
  entity = await startClearingSimulator({ basic: "afp:clave", institutions: ["1033"] });
  const certificateKey = await storedKey(clearing.tenantId);
  const configured = {
    url: entity.url,
    basic: "afp:clave",
    institution: "1033",
    certificateKey,
    credentials: undefined,
  };
  const module = openClearingTransfers(
    {
      storage: clearing,
      egress: makeEgress({ allow: ["127.0.0.1"] }),
      config: {
        egress: { allow: ["127.0.0.1"] },
        clearing: {
          tokenMs: 86_400_000,
          assurance: "interface",
          usesMax: 10,
          provider: "Verificadora",
          entities: { live: undefined, test: configured },
          verificationType: "FACIAL",
          isRepeatable: false,
          timeoutMs: 20_000,
          transfersKeptMs: 86_400_000,
        },
      },
      lock: makeRunLock(),
      clock: () => new Date(),
      report: (_, note, error) => reported.push(`${note}: ${String(error)}`),
    },
    clearing.issueToken,
  );
  operator = startServer({ endpoints: module.endpoints ?? [] });
  for (const job of module.jobs ?? []) job.start();
  stop = async () => {
    for (const job of module.jobs ?? []) await job.stop();
  };
});
afterAll(async () => {
  await stop();
  await operator.server.app.close();
  await entity.close();
  await clearing.close();
});

/** A key of the certificate server that the store has too, as one key of a deployment. */
const storedKey = async (tenantId: string, scopes: readonly Scope[] = ["certificate"]): Promise<string> => {
  const key = clearing.makeKey({ tenantId, environment: "test", scopes });
  const of = { id: randomUUID(), name: "clearing", tenantId, environment: "test" } as const;
  await clearing.store.createApiKey({
    ...of,
    hash: hashApiKey(key),
    scopes,
    createdAt: new Date(),
  });
  return key;
};

const ask = async (method: "GET" | "POST", path: string, body?: object, key = operatorKey()) => {
  const answer = await operator.server.app.inject({
    method,
    url: `${base}${path}`,
    headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json() };
};
const operatorKey = (of: object = {}): string =>
  operator.makeKey({ tenantId: clearing.tenantId, environment: "test", ...of });

const verified = async () => {
  const image = anImage();
  return {
    serviceTransactionId: await clearing.identify({ reference: image }),
    scanReference: await clearing.validate({ images: [image] }),
  };
};
const until = async (id: string, state: string) =>
  await eventually(
    async () => {
      const { body } = await ask("GET", `/${id}`);
      expect(body.transfer, reported.join("\n")).toMatchObject({ state });
      return body.transfer;
    },
    { timeout: 50_000, interval: 50 },
  );

describe("transfers over the operator's API", () => {
  it("lead from a verification to ticket and token, through a certificate that the entity really opens", async () => {
    const wish = await verified();
    const created = await ask("POST", "", { ...wish, affiliate });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const { transferId } = created.body.transfer;
    const transfer = await until(transferId, "token");
    expect(entity.tickets()).toMatchObject([{ ticket: transfer.ticket, token: transfer.token }]);
    expect(transfer.verificationCode).toBe(entity.tickets()[0]?.code);
    const kinds = (await clearing.store.listLinks(clearing.tenantId, 0)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "clearing_certificate_opened")).toHaveLength(1);
    expect(kinds.filter((kind) => kind.startsWith("clearing_transfer"))).toHaveLength(5);
    const again = await ask("POST", "", { ...wish, affiliate });
    expect([again.status, again.body.facts]).toEqual([409, { transferId }]);
    const { body } = await ask("GET", "");
    expect(body).toMatchObject({ transfers: [{ transferId, state: "token" }], next: null });
    expect(JSON.stringify(body)).not.toContain(transfer.ticket);
    expect((await ask("POST", `/${transferId}/abandon`, {})).status).toBe(409);
  });

  it("name each precondition, and issue no token and ask the entity nothing then", async () => {
    const before = entity.tickets().length;
    const wish = await verified();
    const issued = async () =>
      (await clearing.store.listLinks(clearing.tenantId, 0)).filter(
        ({ kind }) => kind === "clearing_token_issued",
      ).length;
    const issuedBefore = await issued();
    const missing = await ask("POST", "", wish);
    expect([missing.status, missing.body.facts]).toEqual([
      422,
      { fields: ["paternalSurname", "maternalSurname"] },
    ]);
    const other = await ask("POST", "", { ...wish, affiliate: { ...affiliate, rut: "11.111.111-1" } });
    expect([other.status, other.body.facts]).toEqual([422, { reason: "rut-of-another" }]);
    const wrong = await ask("POST", "", { ...wish, affiliate: { ...affiliate, rut: "11.111.111-2" } });
    expect([wrong.status, wrong.body.facts]).toEqual([422, { reason: "rut-invalid" }]);
    const declined = await clearing.validate({ images: [anImage()], status: "Declined" });
    const unmet = await ask("POST", "", { ...wish, scanReference: declined, affiliate });
    expect([unmet.status, unmet.body.code ?? unmet.body.type]).toEqual([
      422,
      expect.stringContaining("clearing_not_approved"),
    ]);
    expect(entity.tickets()).toHaveLength(before);
    expect(await issued()).toBe(issuedBefore);
    const records = await clearing.store.listTransactions(clearing.tenantId, new Date(0));
    const ofWish = records.filter(({ result }) => JSON.stringify(result).includes(wish.scanReference));
    expect(ofWish).toEqual([]);
    expect((await ask("GET", "")).body.transfers.length).toBeLessThanOrEqual(1);
  });

  it("exist only where the key of certificates opens nothing else", async () => {
    const isKeyOf = makeIsKeyOf(clearing.store, () => new Date());
    const of = { tenantId: clearing.tenantId, environment: "test" } as const;
    const cases: readonly (readonly Scope[])[] = [["clearing"], ["certificate", "clearing"], ["certificate"]];
    const judged = [];
    for (const scopes of cases) judged.push(await isKeyOf(of, await storedKey(of.tenantId, scopes)));
    expect(judged).toEqual([false, false, true]);
  });

  it("exist for the tenant and environment of the certificate's key alone", async () => {
    const wish = { ...(await verified()), affiliate };
    const live = operatorKey({ environment: "live" });
    expect((await ask("POST", "", wish, live)).status).toBe(409);
    const tenantId = await clearing.newTenant();
    const other = operatorKey({ tenantId });
    expect((await ask("POST", "", wish, other)).status).toBe(409);
    const { transferId } = (await ask("POST", "", wish)).body.transfer;
    for (const key of [live, other]) {
      const unknown = await ask("GET", `/${randomUUID()}`, undefined, key);
      const hidden = await ask("GET", `/${transferId}`, undefined, key);
      expect(hidden).toEqual(unknown);
      expect(hidden.status).toBe(404);
      expect((await ask("GET", "", undefined, key)).body.transfers).toEqual([]);
      expect((await ask("POST", `/${transferId}/abandon`, {}, key)).status).toBe(404);
    }
    await until(transferId, "token");
  });
});

describe("idem clearing transfer", () => {
  const printed: string[] = [];
  let service = "";
  beforeAll(async () => {
    service = await operator.server.listen({ host: "127.0.0.1", port: 0 });
    vi.stubEnv("CALL_KEY", operatorKey());
    const keep = (text: string | Uint8Array): boolean => printed.push(String(text)) > 0;
    vi.spyOn(process.stdout, "write").mockImplementation(keep);
    vi.spyOn(process.stderr, "write").mockImplementation(keep);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  /** The exit code, and what was printed. */
  const run = async (...words: readonly string[]) => {
    printed.length = 0;
    const code = await runCommand([
      "clearing",
      "transfer",
      ...words,
      "--url",
      service,
      "--key-from",
      "CALL_KEY",
    ]);
    return { code, text: printed.join("") };
  };

  it("starts a transfer and follows it to its token, shows and lists it, and names a refusal with its facts", async () => {
    const { serviceTransactionId, scanReference } = await verified();
    const surnames = ["--paternal-surname", "Eriksson", "--maternal-surname", "Soto"];
    const start = () => run(serviceTransactionId, "--scan", scanReference, ...surnames);
    const started = await start();
    expect(started).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^state {3}token\nticket .+\ntoken /m),
    });
    const [transferId = ""] = started.text.split(":");
    const { ticket } = entity.tickets().at(-1)!;
    expect(JSON.parse((await run("show", transferId, "--json")).text)).toMatchObject({ transferId, ticket });
    expect((await run("list")).text).toContain(transferId);
    expect(await start()).toMatchObject({
      code: 1,
      text: expect.stringContaining(`(transferId: ${transferId})`),
    });
    expect(await run("show", randomUUID())).toMatchObject({
      code: 1,
      text: expect.stringContaining("answered 404"),
    });
  });
});
