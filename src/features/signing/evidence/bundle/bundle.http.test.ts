import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { linkDepsOf, openBundleCollector } from "#app/evidence-bundle";
import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";
import { appendHeads } from "#record/transactions/head-file";
import { imageOf } from "#support/face/images";
import { makeCaller, type OperationHarness, openOperationHarness } from "#support/operations/harness";
import { makeTestAuthority } from "#support/timestamps/authority";
import { readRoots } from "#trust/timestamps/trust";
import { readAttachments } from "../../pdf/read-attachments.ts";
import type { CollectBundle } from "./collect.ts";
import { bundleLimits } from "./limits.ts";
import { writeReport } from "./report/write-report.ts";
import { hashOf } from "./verify/read-content.ts";
import { verifyFiles } from "./verify/verify-bundle.ts";

let harness: OperationHarness;
let collect: CollectBundle;
let tenantId: string;
let call: ReturnType<typeof makeCaller>;

beforeAll(async () => {
  harness = await openOperationHarness();
  collect = openBundleCollector({
    ...harness,
    headFile: join(harness.folder, "heads.jsonl"),
    roots: undefined,
  });
});
afterAll(() => harness.close());
beforeEach(async () => {
  tenantId = await harness.newTenant();
  call = makeCaller(harness, tenantId);
});

const selfie = imageOf("franck_02221.jpg");
const tracked = async (path: string, fields: object) => {
  const { status } = await call("POST", `/services/${path}`, fields);
  expect(status).toBe(200);
};
const evaluate = (operationId: string) =>
  tracked("evaluatePassiveLiveness", {
    imageBuffer: Buffer.from(selfie).toString("base64"),
    tracking: { operationId },
  });
const finish = (operationId: string) =>
  tracked("finishTracking", { family: "OnBoarding", status: "SUCCEEDED", extraData: "x", operationId });
const readImage = async (operationId: string) => {
  const { body } = await call("GET", `/operator/operations/${operationId}`);
  const url = String(body.assets[0].url).replace("https://idem.example", "");
  expect((await harness.server.app.inject({ method: "GET", url })).statusCode).toBe(200);
};

/** An operation with a call, a use of its image and its end, between those of other operations. */
const newOperation = async (): Promise<string> => {
  const [before, id, after] = [randomUUID(), randomUUID(), randomUUID()];
  await evaluate(before);
  await finish(before);
  await evaluate(id);
  await readImage(id);
  await evaluate(after);
  await finish(after);
  await finish(id);
  return id;
};

const collectFor = (operation: string, change: { withImages?: boolean; anyway?: boolean } = {}) =>
  collect({
    owner: { tenantId, environment: "test", tenantName: "Año Nuevo" },
    operation,
    at: harness.now(),
    withImages: false,
    anyway: false,
    ...change,
  });

const filesOf = ({ attachments }: Awaited<ReturnType<CollectBundle>>): Map<string, Uint8Array> =>
  new Map(attachments.map(({ name, bytes }) => [name, bytes]));
const verify = async (files: ReadonlyMap<string, Uint8Array>) =>
  (await verifyFiles(linkDepsOf(undefined), files)).faults.map(
    ({ place, finding }) => `${place}: ${finding}`,
  );

describe("the bundle of an operation", () => {
  it("holds its calls with measurements, policy and models, its events, its entries with the links to the head, and verifies", async () => {
    const id = await newOperation();
    const bundle = await collectFor(id);
    const { content } = bundle;
    expect(content.operation).toMatchObject({ id, state: "SUCCEEDED", customer: id });
    expect(content.transactions.map(({ endpoint }) => endpoint)).toEqual([
      "evaluatePassiveLiveness",
      "finishTracking",
    ]);
    const [record] = content.transactions.map((one) => one.record);
    expect(record).toMatchObject({
      result: { liveness: expect.any(Number) },
      measurements: { liveness: { result: expect.any(String), cues: expect.any(Object) } },
      policy: expect.stringMatching(/./u),
    });
    expect(Object.values(record?.models ?? {})[0]).toMatch(/^[0-9a-f]{64}$/u);
    expect(content.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(content.entries.map(({ seq, kind }) => [seq, kind])).toEqual([
      [2, "asset_read"],
      [4, "operation_ended"],
    ]);
    expect(content.images).toMatchObject([{ type: "selfie", sha256: hashOf(selfie), attachment: null }]);
    expect(content.chain).toMatchObject({
      head: { seq: 4 },
      searched: { from: 1, through: 4, isWhole: true },
      segments: [{ since: 1, lastSeq: 4, end: "head" }],
    });
    expect(await verify(filesOf(bundle))).toEqual([]);
  });

  it("holds of other operations the links alone, and nothing of other tenants", async () => {
    const bundle = await collectFor(await newOperation());
    const lines = new TextDecoder().decode(filesOf(bundle).get("chain.jsonl")).trim().split("\n");
    const links = lines.slice(1).map((line) => JSON.parse(line));
    expect(links.map(({ seq, body }) => [seq, body !== undefined])).toEqual([
      [2, true],
      [3, false],
      [4, true],
    ]);
    await expect(collectFor(randomUUID())).rejects.toMatchObject({ code: "not_found" });
    const id = await newOperation();
    tenantId = await harness.newTenant();
    await expect(collectFor(id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("of an open operation has no entry yet, and verifies", async () => {
    const id = randomUUID();
    await evaluate(id);
    const bundle = await collectFor(id);
    expect(bundle.content).toMatchObject({ entries: [], chain: { head: null, segments: [] } });
    expect(await verify(filesOf(bundle))).toEqual([]);
  });

  it("holds kept images where they are asked for", async () => {
    const bundle = await collectFor(await newOperation(), { withImages: true });
    const [image] = bundle.content.images;
    expect(Buffer.from(filesOf(bundle).get(image?.attachment ?? "") ?? []).equals(Buffer.from(selfie))).toBe(
      true,
    );
    expect(await verify(filesOf(bundle))).toEqual([]);
  });

  it("keeps its attachments as a file of PDF/A-3", async () => {
    const bundle = await collectFor(await newOperation(), { withImages: true });
    const pdf = await writeReport(bundle.content, bundle.attachments);
    const read = await readAttachments(pdf, bundleLimits);
    expect([...read.keys()].toSorted()).toEqual([...filesOf(bundle).keys()].toSorted());
    expect(await verify(read)).toEqual([]);
    const text = Buffer.from(pdf).toString("latin1");
    expect(text).toContain("<pdfaid:part>3</pdfaid:part>");
    expect(text).toContain("<pdfaid:conformance>B</pdfaid:conformance>");
    expect(text.match(/\/AFRelationship \/Data/gu)).toHaveLength(4);
  });
});

describe("anchors of the chain", () => {
  const authority = makeTestAuthority();
  const roots = readRoots(authority.rootPem);
  const trusting = () =>
    openBundleCollector({ ...harness, headFile: join(harness.folder, "heads.jsonl"), roots });

  const anchored = async (tokenOf: (hash: Buffer) => Uint8Array) => {
    const id = await newOperation();
    const [link] = (await harness.store.listLinks(tenantId, 2, 1)).slice(-1);
    const { seq = 0, hash = "" } = link ?? {};
    const at = new Date("2026-11-23T08:00:00Z");
    const token = tokenOf(Buffer.from(hash, "hex"));
    await harness.store.insertAnchor({
      tenantId,
      seq,
      hash,
      at: at.getTime(),
      authority: "tsa.example",
      token,
    });
    return { id, at };
  };
  const ask = (operation: string) => ({
    owner: { tenantId, environment: "test", tenantName: "Año Nuevo" } as const,
    operation,
    at: harness.now(),
    withImages: false,
    anyway: false,
  });

  it("are inside with their time-stamps, and are verified against roots", async () => {
    const at = new Date("2026-11-23T08:00:00Z");
    const { id } = await anchored((hash) => authority.stamp(hash, { at }));
    const bundle = await trusting()(ask(id));
    expect(bundle.content.chain.anchors).toBe(1);
    const report = await verifyFiles(linkDepsOf(roots), filesOf(bundle));
    expect(report).toMatchObject({
      faults: [],
      chain: { anchors: 1, newest: { seq: 3, at: at.getTime(), isTrusted: true } },
    });
    const otherRoots = readRoots(makeTestAuthority().rootPem);
    const { faults } = await verifyFiles(linkDepsOf(otherRoots), filesOf(bundle));
    expect(faults[0]).toMatchObject({ place: "anchors.json, entry 3, time-stamp" });
    expect(faults[0]?.finding).toContain("leads to none of the given roots");
  });

  it("with a time-stamp of another hash refuse the bundle", async () => {
    const { id } = await anchored(() => authority.stamp(Buffer.alloc(32, 7)));
    await expect(trusting()(ask(id))).rejects.toMatchObject({
      code: "evidence_damaged",
      facts: { faults: [expect.stringContaining("the token stamps another hash")] },
    });
  });

  it("of a head that was kept outside find a chain that was cut", async () => {
    const id = await newOperation();
    const headFile = join(harness.folder, "kept.jsonl");
    const [last] = (await harness.store.listLinks(tenantId, 3, 1)).slice(-1);
    const headHash = last?.hash ?? "";
    const head = { type: "head", format: 1, tenantId, lastSeq: 4, headHash, at: 0 } as const;
    await appendHeads(headFile, [head]);
    const withHeads = openBundleCollector({ ...harness, headFile, roots: undefined });
    await expect(withHeads(ask(id))).resolves.toMatchObject({ content: { faults: [] } });
    harness.changeRows(`delete from evidence where tenant_id = '${tenantId}' and seq = 4`);
    await expect(withHeads(ask(id))).rejects.toMatchObject({
      facts: { faults: expect.arrayContaining([expect.stringContaining("its end was cut")]) },
    });
  });
});

describe("a store that was changed", () => {
  const refused = async (statement: (id: string) => string) => {
    const id = await newOperation();
    harness.changeRows(statement(id));
    const failure = await collectFor(id).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { id, failure };
  };
  const own = () => `tenant_id = '${tenantId}'`;

  it.each([
    [
      "an entry of the operation",
      () => `update evidence set kind = 'x' where ${own()} and seq = 2`,
      "chain, entry 2, id or kind: the id, the kind, the hash or several fields were changed",
    ],
    [
      "an entry of another operation",
      () => `update evidence set at = at + 1 where ${own()} and seq = 3`,
      "chain, entry 3, time: the time of the entry was changed: the time of its body fits",
    ],
    [
      "a body of the operation",
      () =>
        `update evidence_bodies set body = replace(body, 'SUCCEEDED', 'DENIED') where ${own()} and seq = 4`,
      "chain, entry 4, body: the body or its salt differs from its hash",
    ],
    [
      "a gap in the chain",
      () => `delete from evidence where ${own()} and seq = 3`,
      "chain, entry 3, seq: entry 3 is missing",
    ],
    [
      "the state of the operation",
      () => `update operations set state = 'DENIED' where ${own()}`,
      "operation: its state, reason or end is not that of entry 4",
    ],
    [
      "the result of a call",
      (id: string) =>
        `update transactions set result = '{"liveness":17}' where id = (select transaction_id from operation_steps where operation_id = '${id}' order by at limit 1)`,
      expect.stringMatching(/^transaction .*: its result is not that of its measurements$/u),
    ],
    [
      "a removed event",
      (id: string) => `delete from events where operation_id = '${id}' and sequence = 2`,
      "event 3: event 2 is missing before it",
    ],
    [
      "a removed body",
      () => `delete from evidence_bodies where ${own()} and seq = 4`,
      "chain, entry 4, body: the body is missing, and no entry records the removal",
    ],
  ])("refuses the bundle and names %s", async (_, statement, named) => {
    const { failure } = await refused(statement);
    expect(failure).toMatchObject({
      code: "evidence_damaged",
      facts: { faults: expect.arrayContaining([named]) },
    });
  });

  it("makes the bundle anyway where the operator asks for it, which states the fault for ever", async () => {
    const { id, failure } = await refused(() => `delete from evidence where ${own()} and seq = 3`);
    expect(failure).toMatchObject({ code: "evidence_damaged" });
    const bundle = await collectFor(id, { anyway: true });
    expect(bundle.content.faults[0]).toEqual({ place: "chain, entry 3, seq", finding: "entry 3 is missing" });
    expect(await verify(filesOf(bundle))).toContain(
      "chain, entry 3, seq: entry 3 is missing (found when the bundle was made)",
    );
  });
});

describe("a bundle whose files were changed", () => {
  let files: Map<string, Uint8Array>;

  beforeEach(async () => {
    files = filesOf(await collectFor(await newOperation(), { withImages: true }));
  });

  const textOf = (name: string): string => new TextDecoder().decode(files.get(name));
  const write = (name: string, text: string) => files.set(name, Buffer.from(text, "utf8"));
  /** The hashes of the attachments fit again, as an attacker with a key of their own would make them. */
  const refit = () => {
    const content = JSON.parse(textOf("evidence.json"));
    for (const one of content.attachments) one.sha256 = hashOf(files.get(one.name) ?? new Uint8Array());
    write("evidence.json", canonicalJson(content));
  };
  const changeContent = (change: (content: Record<string, Json>) => object) =>
    write("evidence.json", canonicalJson({ ...change(JSON.parse(textOf("evidence.json"))) } as const));

  it.each(["chain.jsonl", "anchors.json"])("a missing or changed %s is named", async (name) => {
    write(name, `${textOf(name)} `);
    expect(await verify(files)).toContain(`${name}: its hash is not that of evidence.json`);
    files.delete(name);
    expect(await verify(files)).toContain(`${name}: it is missing`);
  });

  it("a changed image is named, also where its hash is listed anew", async () => {
    const name = [...files.keys()].find((one) => one.startsWith("image-")) ?? "";
    files.set(name, imageOf("franck_02159.jpg"));
    expect(await verify(files)).toContain(`${name}: its hash is not that of evidence.json`);
    refit();
    expect(await verify(files)).toEqual([
      expect.stringMatching(new RegExp(`^${name}: it is not image `, "u")),
    ]);
  });

  it("an attachment that is listed nowhere is named", async () => {
    write("other.txt", "x");
    expect(await verify(files)).toEqual(["other.txt: evidence.json does not list it"]);
  });

  it("a missing, unreadable, later or reformatted evidence.json is named", async () => {
    const text = textOf("evidence.json");
    write("evidence.json", text.replace("{", "{ "));
    expect(await verify(files)).toEqual(["evidence.json: it is no canonical JSON (RFC 8785)"]);
    write("evidence.json", text.slice(1));
    expect(await verify(files)).toEqual(["evidence.json: it is no JSON in UTF-8, or too deep"]);
    write("evidence.json", text.replace('"version":1}', '"version":2}'));
    expect(await verify(files)).toEqual([
      "evidence.json: it has version 2 of the format. This release reads version 1",
    ]);
    write("evidence.json", "{}");
    expect(await verify(files)).toEqual(["evidence.json: it has another form than the format states"]);
    files.delete("evidence.json");
    expect(await verify(files)).toEqual(["evidence.json: it is missing"]);
  });

  it("a changed link is named by its entry, even where all hashes of files fit", async () => {
    write("chain.jsonl", textOf("chain.jsonl").replace('"kind":"asset_read"', '"kind":"asset_kept"'));
    refit();
    const faults = await verify(files);
    expect(faults).toContain(
      "chain.jsonl, entry 2, id or kind: the id, the kind, the hash or several fields were changed",
    );
    expect(faults).toContain("evidence.json, entry 2: it is not the entry of chain.jsonl");
  });

  it("a changed body is named by its entry, in either file and in both", async () => {
    const change = (name: string) => write(name, textOf(name).replaceAll("SUCCEEDED", "DENIED"));
    change("chain.jsonl");
    refit();
    expect(await verify(files)).toContain(
      "chain.jsonl, entry 4, body: the body or its salt differs from its hash",
    );
    change("evidence.json");
    refit();
    expect(await verify(files)).toEqual([
      "chain.jsonl, entry 4, body: the body or its salt differs from its hash",
    ]);
  });

  it("a removed link, and links of another chain, are named", async () => {
    const lines = textOf("chain.jsonl").split("\n");
    write("chain.jsonl", lines.toSpliced(2, 1).join("\n"));
    refit();
    expect(await verify(files)).toContain("chain.jsonl, entry 3, seq: entry 3 is missing");
    write("chain.jsonl", lines.slice(0, -2).join("\n"));
    refit();
    expect((await verify(files)).join("\n")).toContain("its end was cut");
    write("chain.jsonl", "");
    refit();
    expect(await verify(files)).toContain("chain.jsonl: its parts are not those that evidence.json lists");
    write("chain.jsonl", "{}\n");
    refit();
    expect(await verify(files)).toContain("chain.jsonl, line 1: it is no line of a bundle");
  });

  it("a changed result of a call is named where the chain holds it, and a changed state always", async () => {
    changeContent((content) => ({
      ...content,
      operation: { ...Object(content["operation"]), state: "DENIED" },
    }));
    expect(await verify(files)).toEqual(["operation: its state, reason or end is not that of entry 4"]);
  });

  it("a forged time-stamp is named, and one of an entry that the bundle does not hold", async () => {
    const anchor = (seq: number) => ({
      seq,
      hash: "ab".repeat(32),
      at: "2026-11-23T10:00:00.000Z",
      authority: "tsa.example",
      token: "MAA=",
    });
    const content = { format: "idem-evidence-anchors", version: 1, anchors: [anchor(3), anchor(9)] };
    write("anchors.json", canonicalJson(content));
    refit();
    expect(await verify(files)).toEqual([
      expect.stringMatching(/^anchors\.json, entry 3, time-stamp: the time-stamp is not valid/u),
      "anchors.json, entry 9: the bundle holds no link of it",
    ]);
  });
});
