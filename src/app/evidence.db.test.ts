import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { openStoreHere } from "#support/app/store-here";
import { listenLocally } from "#support/egress/local-server";
import { aTransaction } from "#support/storage/suite";
import { makeTestAuthority } from "#support/timestamps/authority";
import { readRoots } from "#trust/timestamps/trust";
import { verifyToken } from "#trust/timestamps/verify-token";
import { openAuthorities, openEvidence } from "./evidence.ts";
import type { Store } from "./store.ts";

const hourMs = 3_600_000;
const authority = makeTestAuthority();
const tenants = [randomUUID(), randomUUID()];

let folder: string;
let store: Store;
let server: Server;
let now: number;
let isAnswering: boolean;
let asked: number;
let reports: (readonly [note: string, error: unknown, subject: string | undefined])[];
let notes: object[];

const write = async (tenantId = tenants[0]!): Promise<void> => {
  const evidence = [{ id: randomUUID(), kind: "k", at: new Date(now), body: {} }];
  await store.recordTransaction(aTransaction(tenantId), [], { evidence });
};

/** The evidence module of a process that starts now. */
const open = async () => {
  const ca = join(folder, "root.pem");
  await writeFile(ca, authority.rootPem);
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const config = readConfig({
    IDEM_DATA: folder,
    IDEM_TIMESTAMP_URL: `http://127.0.0.1:${port}/tsr`,
    IDEM_TIMESTAMP_CA: ca,
    IDEM_EGRESS_ALLOW: "127.0.0.1",
  });
  const { tidying = [], gauges = [] } = openEvidence(
    {
      config,
      store,
      clock: () => new Date(now),
      report: (_, note, error, subject) => reports.push([note, error, subject]),
      note: (_, facts) => notes.push(facts),
    },
    await openAuthorities(config, makeEgress(config.egress), () => new Date(now)),
  );
  return {
    round: async (): Promise<void> => {
      for (const task of tidying) await task(new AbortController().signal);
    },
    metrics: () =>
      Object.fromEntries(
        gauges.flatMap(({ name, read }) =>
          read().map(({ labels, value }) => [`${name} ${labels?.["kind"]}`, value] as const),
        ),
      ),
  };
};

const headLines = async () =>
  (await readFile(join(folder, "evidence-heads.jsonl"), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
const anchors = async (tenantId = tenants[0]!) =>
  (await store.listAnchors(tenantId, 0)).map(({ seq }) => seq);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-anchors-"));
  store = await openStoreHere({ path: join(folder, "idem.sqlite") });
  for (const id of tenants) await store.createTenant({ id, name: id, createdAt: new Date() });
  // A stamp has whole seconds.
  now = Math.floor(Date.now() / 1000) * 1000;
  [isAnswering, asked, reports, notes] = [true, 0, [], []];
  server = createServer(async (request, response) => {
    asked += 1;
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(isAnswering ? 200 : 503);
    response.end(isAnswering ? authority.answer(Buffer.concat(chunks), { at: new Date(now) }) : "");
  });
  await listenLocally(server);
});
afterEach(async () => {
  server.close();
  await store.close();
  await rm(folder, { recursive: true });
});

describe("the heads of the chains", () => {
  it("go to the file, the log and the authority, each once, and the token is valid", async () => {
    await write();
    await write();
    await write(tenants[1]);
    const { round } = await open();
    await round();
    const heads = await store.listChainHeads();
    expect(await headLines()).toStrictEqual(
      heads.map(({ tenantId, seq, hash }) => ({
        type: "head",
        format: 1,
        tenantId,
        lastSeq: seq,
        headHash: hash,
        at: now,
      })),
    );
    expect(notes).toStrictEqual(heads.map(({ tenantId, seq, hash }) => ({ tenantId, seq, hash })));
    const [anchor] = await store.listAnchors(tenants[0]!, 0);
    expect(anchor).toMatchObject({ seq: 2, hash: heads.find(({ seq }) => seq === 2)?.hash });
    expect(verifyToken(anchor!.token, anchor!.hash, readRoots(authority.rootPem))).toMatchObject({
      isTrusted: true,
      at: anchor!.at,
    });
    await round();
    expect([asked, (await headLines()).length, reports]).toStrictEqual([2, 2, []]);
  });

  it("are kept again once the chain has grown and the interval is over, also by the next process", async () => {
    await write();
    await (await open()).round();
    await write();
    // Half a round before the day is over: rounds come once an hour.
    now += 23.5 * hourMs - 1;
    await (await open()).round();
    expect([await anchors(), (await headLines()).length]).toStrictEqual([[1], 1]);
    now += 1;
    await (await open()).round();
    expect([await anchors(), (await headLines()).length]).toStrictEqual([[1, 2], 2]);
    now += 48 * hourMs;
    await (await open()).round();
    expect([await anchors(), (await headLines()).length]).toStrictEqual([[1, 2], 2]);
  });

  it("are asked for in the next round when the authority did not answer; the file has them at once", async () => {
    await write();
    await write(tenants[1]);
    isAnswering = false;
    const { round } = await open();
    await round();
    expect([asked, (await headLines()).length]).toStrictEqual([1, 2]);
    expect(reports.map(([note]) => note)).toStrictEqual(["Could not keep the head of a chain (timestamp)"]);
    isAnswering = true;
    await round();
    expect([await anchors(), await anchors(tenants[1])]).toStrictEqual([[1], [1]]);
  });

  it("are missed at once when the end of a chain was cut or replaced, and no head of it is kept", async () => {
    for (let n = 0; n < 3; n++) await write();
    await write(tenants[1]);
    const { round } = await open();
    await round();
    await write(tenants[1]);
    const sqlite = new Database(join(folder, "idem.sqlite"));
    sqlite.exec("drop trigger evidence_no_delete");
    sqlite.exec("delete from evidence_bodies where seq = 3; delete from evidence where seq = 3");
    sqlite.close();
    now += 25 * hourMs;
    await round();
    expect(reports.map(([note, error, subject]) => [note, String(error), subject])).toStrictEqual(
      ["file", "timestamp"].map((kind) => [
        `Could not keep the head of a chain (${kind})`,
        expect.stringContaining("ends at entry 2 and does not hold the anchored entry 3"),
        tenants[0],
      ]),
    );
    for (let n = 0; n < 3; n++) await write();
    reports = [];
    await round();
    expect(String(reports[0]?.[1])).toContain("does not hold the anchored entry 3");
    expect([await anchors(), await anchors(tenants[1])]).toStrictEqual([[3], [1, 2]]);
  });

  it("have their age in the metrics, and that of the oldest entry without an anchor", async () => {
    const { round, metrics } = await open();
    await round();
    expect(metrics()).toStrictEqual({});
    await write();
    isAnswering = false;
    await round();
    now += 7_000;
    expect(metrics()).toStrictEqual({
      "idem_evidence_anchor_age_seconds file": 7,
      "idem_evidence_unanchored_seconds timestamp": 7,
    });
    isAnswering = true;
    now -= now % 1000;
    await round();
    now += 5_000;
    expect(metrics()).toStrictEqual({
      "idem_evidence_anchor_age_seconds file": expect.any(Number),
      "idem_evidence_anchor_age_seconds timestamp": 5,
    });
  });
});

describe("the roots of an authority", () => {
  it("are refused with the setting when the file is missing or holds none", async () => {
    const path = join(folder, "ca.pem");
    const config = () =>
      readConfig({
        IDEM_DATA: folder,
        IDEM_TIMESTAMP_URL: "https://tsa.example/tsr",
        IDEM_TIMESTAMP_CA: path,
      });
    await expect(openAuthorities(config(), makeEgress({ allow: [] }))).rejects.toThrow(
      `IDEM_TIMESTAMP_CA names ${path}: it cannot be read`,
    );
    await writeFile(path, "-----BEGIN NOTHING-----");
    await expect(openAuthorities(config(), makeEgress({ allow: [] }))).rejects.toThrow(
      "holds no certificate in PEM",
    );
  });
});
