import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import type { RecordCall } from "#record/transactions/record-call";
import { startServer } from "#support/http/harness";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import type { Module } from "./module.ts";
import { openSigningOf, type SigningService } from "./signing.ts";
import { openPlaces, openStorage, openStore, type Storage } from "./storage.ts";
import { openVerification } from "./verify-signature.ts";

const clock = (): Date => new Date();
const report = (): void => undefined;
const entries: Parameters<RecordCall>[1][] = [];
const recordCall: RecordCall = (_, entry) => {
  entries.push(entry);
  return Promise.resolve();
};

const open = async (env: Readonly<Record<string, string>>) => {
  const folder = await mkdtemp(join(tmpdir(), "idem-verify-"));
  const config = {
    ...readConfig({ IDEM_DATA: folder, IDEM_SIGNING_MB_MAX: "1", IDEM_SIGNING_THREADS: "1", ...env }),
    masterKey: new Uint8Array(randomBytes(32)),
  };
  await (await openStore(config, { migrate: true })).close();
  const { onEvents: _, ...places } = await openPlaces(config);
  const storage: Storage = openStorage({ onEvents: () => undefined, ...places }, config);
  const signing = await openSigningOf({
    config,
    egress: makeEgress(config.egress),
    storage,
    clock,
    note: () => undefined,
    report,
  });
  const module: Module = await openVerification({ config, recordCall, clock, report }, signing);
  const server = startServer({ endpoints: module.endpoints ?? [] });
  const close = async (): Promise<void> => {
    await module.close?.();
    await signing?.module.close?.();
    await storage.close();
    await rm(folder, { recursive: true });
  };
  const verify = async (file: Uint8Array) => {
    const response = await server.server.app.inject({
      method: "POST",
      url: "/services/verifySignature",
      headers: { "x-api-key": server.makeKey({ scopes: ["signing"] }), "content-type": "application/json" },
      payload: JSON.stringify({ file: Buffer.from(file).toString("base64") }),
    });
    return { status: response.statusCode, body: JSON.parse(response.body) };
  };
  return { signing, verify, close };
};

type Opened = Awaited<ReturnType<typeof open>>;
let service: Opened;
let plain: Opened;
let signed: Buffer;

const signerOf = ({ signing }: Opened): SigningService => {
  if (signing === undefined) throw new Error("The service signs nothing");
  return signing;
};

beforeAll(async () => {
  service = await open({});
  plain = await open({ IDEM_SIGNER: "none" });
  const { parts } = await signerOf(service).signPdf(makeTestFile(), { at: clock() });
  signed = Buffer.concat(parts);
}, 60_000);

afterAll(async () => {
  await service.close();
  await plain.close();
});

describe("POST /services/verifySignature", () => {
  it("answers a file that the deployment signed with valid, and records its hash without its content", async () => {
    const { status, body } = await service.verify(signed);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      serviceResultCode: 0,
      verdict: "valid",
      fileBytes: signed.length,
      removed: [],
      signatures: [
        {
          kind: "signature",
          integrity: "intact",
          profile: { level: "PAdES-B-LTA" },
          chain: { trust: "trusted" },
        },
        { kind: "timestamp", verdict: "valid" },
      ],
    });
    expect(entries.at(-1)).toMatchObject({
      endpoint: "verifySignature",
      result: { code: 0, verdict: "valid" },
      measurements: { document: { sha256: body.sha256, bytes: signed.length } },
    });
    expect(JSON.stringify(entries).length).toBeLessThan(1000);
  });

  it("answers a file with one changed byte with invalid", async () => {
    const changed = Buffer.from(signed);
    changed[12] = (changed[12] ?? 0) ^ 1;
    const { status, body } = await service.verify(changed);
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: "invalid" });
    expect(body.signatures[0]).toMatchObject({ integrity: "broken" });
  });

  it("answers a file without a signature with unsigned", async () => {
    expect((await service.verify(makeTestFile())).body).toMatchObject({
      verdict: "unsigned",
      signatures: [],
    });
  });

  it("refuses a file that is no PDF, and one above the limit, and records neither", async () => {
    const before = entries.length;
    expect(await service.verify(Buffer.from("no PDF"))).toMatchObject({
      status: 422,
      body: { failure: "pdf_unreadable" },
    });
    expect(await service.verify(Buffer.alloc(1024 * 1024 + 1_000_001))).toMatchObject({
      status: 422,
      body: { failure: "pdf_too_large" },
    });
    expect(entries).toHaveLength(before);
  });

  it("works without a signer, whose files are then of an unknown signer", async () => {
    expect((await plain.verify(signed)).body).toMatchObject({ verdict: "unknown_signer" });
  });
});
