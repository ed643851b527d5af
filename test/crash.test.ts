import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, makeClient } from "../src/cli/client.ts";
import { drawCases, toBase64 } from "./harness/pictures.ts";
import { type House, makeHouse } from "./harness/service.ts";

const reference = Compile(Type.Object({ scanReference: Type.String() }));
const status = Compile(Type.Object({ status: Type.String() }));
let house: House;

beforeAll(async () => {
  house = await makeHouse();
});
afterAll(() => house.clear());

const base = "/verify/documentValidation/v2";

const readStatuses = (client: Client, references: readonly string[]) =>
  Promise.all(
    references.map(async (scanReference) => {
      const answer = await client.post(`${base}/status`, { scanReference });
      return status.Parse(answer.body).status;
    }),
  );

const waitFor = async (
  client: Client,
  references: readonly string[],
  isEnough: (decided: number) => boolean,
) => {
  for (let attempt = 0; attempt < 1500; attempt++) {
    const statuses = await readStatuses(client, references);
    if (isEnough(statuses.filter((one) => one !== "PENDING").length)) {
      return statuses;
    }
    await sleep(60);
  }
  throw new Error("The validations are not decided in time");
};

it("decides every validation once, though the process was killed among them", {
  timeout: 300_000,
}, async () => {
  const { genuine } = await drawCases();
  const documentFrontRawImage = toBase64(genuine?.document ?? new Uint8Array());
  const first = await house.start({ IDEM_LEASE_MS: "2000" });
  const client = makeClient(first.url, first.apiKey);
  const starts = await Promise.all(
    Array.from({ length: 20 }, () =>
      client.post(`${base}/start`, { country: "CHL", idType: "PASSPORT", documentFrontRawImage }),
    ),
  );
  const references = starts.map((answer) => reference.Parse(answer.body).scanReference);
  const seen = await waitFor(client, references, (decided) => decided >= 3);
  expect(seen, "the kill must come in the middle").toContain("PENDING");
  first.kill("SIGKILL");
  await first.ended;

  const second = await house.start({ IDEM_LEASE_MS: "2000" });
  const again = makeClient(second.url, second.apiKey);
  const statuses = await waitFor(again, references, (decided) => decided === references.length);
  expect(new Set(statuses)).toEqual(new Set(["DONE"]));
  for (const scanReference of references) {
    const answer = await again.post(`${base}/data`, { scanReference });
    expect(answer.body).toMatchObject({ verification: { scanReference, code: 9001 } });
  }
  expect(await second.stop()).toBe(0);
  expect(await countDecisions()).toEqual({ validations: 20, undecided: 0, decisions: 20 });
});

/** Rows of the embedded store: each decision writes one transaction record beside that of the start. */
const countDecisions = async () => {
  const file = (await readdir(house.directory)).find((name) => /^idem.*\.(db|sqlite)$/.test(name));
  const db = new Database(join(house.directory, file ?? ""), { readonly: true });
  const count = (sql: string): unknown => db.prepare<[], { n: number }>(sql).get()?.n;
  const counts = {
    validations: count("select count(*) n from validations"),
    undecided: count("select count(*) n from validations where status = 'PENDING'"),
    decisions: Number(count("select count(*) n from transactions")) - 20,
  };
  db.close();
  return counts;
};
