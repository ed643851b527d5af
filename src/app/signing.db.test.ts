import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { sampleCertificate } from "#support/clearing/sample-certificate";
import { sampleFacts } from "#support/signing/evidence/sample-facts";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { readStructure } from "#support/signing/pades/read-structure";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { openSigningOf, type SigningService } from "./signing.ts";
import { openPlaces, openStorage, openStore, type Storage } from "./storage.ts";

let folder: string;
let storage: Storage;
let service: SigningService | undefined;
const notes: unknown[] = [];

const clock = (): Date => new Date();

const settings = () => ({ ...readConfig({ IDEM_DATA: folder }), masterKey: new Uint8Array(randomBytes(32)) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-signing-"));
  const config = settings();
  await (await openStore(config, { migrate: true })).close();
  const { onEvents: _, ...places } = await openPlaces(config);
  storage = openStorage({ onEvents: () => undefined, ...places }, config);
  service = await openSigningOf({
    config,
    egress: makeEgress(config.egress),
    storage,
    clock,
    note: (...line) => notes.push(line),
    report: () => undefined,
  });
});

afterAll(async () => {
  await service?.module.close?.();
  await storage.close();
  await rm(folder, { recursive: true });
});

const opened = (): SigningService => {
  if (service === undefined) throw new Error("The service signs nothing");
  return service;
};

/** A signer signs only while its certificate is valid. */
const issuedNow = () => ({
  ...sampleCertificate,
  content: { ...sampleCertificate.content, issuedAt: clock().toISOString() },
});

describe("openSigning in development", () => {
  it("signs at level B-LTA with the development authority, in a thread", async () => {
    const { parts, level, provableUntil } = await opened().signPdf(makeTestFile(), { at: clock() });
    const { signatures, dss } = await readStructure(Buffer.concat(parts));
    expect(level).toBe("B-LTA");
    expect(signatures.map(({ type }) => type)).toEqual(["Sig", "DocTimeStamp"]);
    expect(dss?.lists.OCSPs?.length).toBeGreaterThan(0);
    expect(provableUntil?.getTime()).toBeGreaterThan(Date.now());
  });

  it("draws and signs a certificate of pension clearing", async () => {
    const parts = await opened().signCertificate(issuedNow(), AbortSignal.timeout(60_000));
    const file = Buffer.concat(parts);
    const { signatures } = await readStructure(file);
    expect(signatures.map(({ type }) => type)).toEqual(["Sig", "DocTimeStamp"]);
    const path = process.env["IDEM_CERTIFICATE_PDF"];
    if (path !== undefined) await writeFile(path, file);
  });

  it("names signer, level and authorities at its start", () => {
    expect(notes).toEqual([
      [
        "The signer is open",
        {
          signer: expect.stringContaining("DEVELOPMENT"),
          padesLevel: "B-LTA",
          validTo: expect.stringMatching(/^\d{4}-/),
          authorities: "embedded",
        },
      ],
    ]);
  });

  it("extends what it signed", async () => {
    const { parts } = await opened().signPdf(makeTestFile(), { at: clock() });
    const signed = new Uint8Array(Buffer.concat(parts));
    const extended = await opened().extendPdf(Uint8Array.from(signed));
    expect(extended.gaps).toEqual([]);
    expect(Buffer.from(extended.parts[0]!).equals(signed)).toBe(true);
    const { signatures } = await readStructure(Buffer.concat(extended.parts));
    expect(signatures.map(({ type }) => type)).toEqual(["Sig", "DocTimeStamp", "DocTimeStamp"]);
  });

  it("answers a file that is no PDF with pdf_unreadable", async () => {
    const file = Uint8Array.from(Buffer.from("no PDF"));
    await expect(opened().signPdf(file, { at: clock() })).rejects.toMatchObject({ code: "pdf_unreadable" });
  });

  it("refuses a document that only a repair makes readable, and one that lost a page", async () => {
    const whole = makePdf({ xref: "table", pages: 2 });
    const lost = whole.toString("latin1").replace("/Contents 13 0 R", "/Contents 99 0 R");
    const sign = async (bytes: Buffer): Promise<unknown> => {
      const instruction = { facts: sampleFacts(clock()) };
      return await opened().signDocument(Uint8Array.from(bytes), instruction, AbortSignal.timeout(60_000));
    };
    await expect(sign(whole.subarray(0, whole.lastIndexOf("startxref")))).rejects.toMatchObject({
      code: "pdf_unreadable",
      facts: { reason: "startxref is missing", repair: "structure", setting: "IDEM_SIGNING_REPAIR=allow" },
    });
    await expect(sign(Buffer.from(lost, "latin1"))).rejects.toMatchObject({
      code: "pdf_unreadable",
      facts: { reason: "page_content_missing", page: 2 },
    });
    await expect(sign(whole)).resolves.toMatchObject({ level: "B-LTA" });
  });

  it("is ready while a thread is alive, and shows the days until the signer ends", async () => {
    const { readiness = [], gauges = [] } = opened().module;
    for (const { check } of readiness) await check();
    const days = gauges.find(({ name }) => name === "idem_signer_days_left");
    expect(days?.read()).toMatchObject([{ value: expect.any(Number) }]);
  });
});
