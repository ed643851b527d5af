import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { readStructure } from "#support/signing/pades/read-structure";
import { readCertificate } from "#trust/asn1/certificate";
import { readSignedData } from "#trust/asn1/signed-data";
import type { SigningPorts } from "#trust/revocation/ports";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { openPdf } from "../pdf/open-pdf.ts";
import { extendPdf } from "./extend-pdf.ts";
import type { Level } from "./level.ts";
import { signPdf } from "./sign-pdf.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const yearMs = 365 * 86_400_000;

let clock = Date.now();
let authority: MemoryAuthority;
let later: MemoryAuthority;

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256", name: "First", now: () => new Date(clock) });
});

const sign = async (level: Level): Promise<Uint8Array> => {
  const { signer, roots, ports } = authority;
  const request = { signer, level, revision: { at: new Date(clock) }, known: roots };
  return Buffer.concat((await signPdf(await openPdf(makeTestFile()), request, ports)).parts);
};

const extend = async (file: Uint8Array, ports: Partial<SigningPorts> = {}) => {
  const known = [...authority.roots, ...(later?.roots ?? [])];
  const { parts, gaps } = await extendPdf(
    await openPdf(file),
    { hash: "sha256", known, now: new Date(clock) },
    { ...authority.ports, ...ports },
  );
  return { file: Buffer.concat(parts), gaps, parts };
};

describe("extendPdf", () => {
  it.each<Level>(["B-B", "B-T", "B-LT", "B-LTA"])(
    "adds material and one time-stamp over everything to a signature of level %s, in one revision",
    async (level) => {
      const before = await sign(level);
      const { file, gaps, parts } = await extend(before);
      expect(gaps).toEqual([]);
      expect(parts).toHaveLength(2);
      expect(hexOf(parts[0]!)).toBe(hexOf(before));
      const { signatures, dss } = await readStructure(file);
      const last = signatures.at(-1);
      const [start, , next = 0, rest = 0] = last!.byteRange;
      expect([last!.type, start, next + rest]).toEqual(["DocTimeStamp", 0, file.length]);
      expect(dss!.lists.Certs).toContain(hexOf(authority.signer.certificate));
    },
  );

  it("adds the material of the last time-stamp, under an entry of its own, and changes no older one", async () => {
    const before = await sign("B-LTA");
    const old = await readStructure(before);
    const { file } = await extend(before);
    const { dss } = await readStructure(file);
    expect(dss!.related.size).toBe(2);
    for (const [key, entry] of old.dss!.related) expect(dss!.related.get(key)).toEqual(entry);
  });

  it("stamps anew when the signer and its authorities have expired, and reports what cannot be asked any more", async () => {
    const before = await sign("B-LTA");
    clock += 4 * yearMs;
    later = await openMemoryAuthority({ form: "p256", name: "Later", now: () => new Date(clock) });
    const { file, gaps } = await extend(before, later.ports);
    const { signatures, dss } = await readStructure(file);
    // Its own chain ended with its certificates: no later extension may have more.
    expect(gaps.every(({ mayClose }) => !mayClose)).toBe(true);
    const [token] = readSignedData(signatures.at(-1)!.contents, { mayHavePadding: true }).signers;
    expect(hexOf(token!.signerCertificate!.bytes)).toBe(hexOf(later.stamper.certificate));
    expect(dss!.lists.Certs).toContain(hexOf(later.stamper.certificate));
    clock -= 4 * yearMs;
  });

  it("asks no server about a signature of another authority, and extends the file over it", async () => {
    const foreign = await openMemoryAuthority({ form: "p256", name: "Foreign", now: () => new Date(clock) });
    const { signer, roots, ports } = foreign;
    const request = { signer, level: "B-T", revision: { at: new Date(clock) }, known: roots } as const;
    const own = await sign("B-LTA");
    const both = Buffer.concat((await signPdf(await openPdf(own), request, ports)).parts);
    const asked: Uint8Array[] = [];
    const fetch: SigningPorts["fetch"] = async (ask) => {
      asked.push(ask.body ?? new Uint8Array());
      return await authority.ports.fetch(ask);
    };
    const { gaps, parts } = await extend(both, { fetch });
    expect(parts).toHaveLength(2);
    expect(gaps).toEqual([
      { fieldName: expect.any(String), reason: "its certificate leads to no known root", mayClose: false },
    ]);
    const serial = readCertificate(signer.certificate).serial;
    expect(asked.some((body) => Buffer.from(body).includes(Buffer.from(serial)))).toBe(false);
  });

  it("names a server without an answer as a gap that may close", async () => {
    const before = await sign("B-B");
    const status = readCertificate(authority.signer.certificate).serial;
    const fetch: SigningPorts["fetch"] = async (ask) =>
      Buffer.from(ask.body ?? []).includes(Buffer.from(status))
        ? undefined
        : await authority.ports.fetch(ask);
    const { gaps } = await extend(before, { fetch });
    expect(gaps).toMatchObject([{ reason: expect.stringContaining("no answer"), mayClose: true }]);
  });

  it("fails without an authority", async () => {
    const before = await sign("B-B");
    const stamp = async (): Promise<never> => {
      throw new Failure("timestamp_failed");
    };
    await expect(extend(before, { stamp })).rejects.toMatchObject({ code: "timestamp_failed" });
  });

  it("refuses a file without a signature", async () => {
    await expect(extend(makeTestFile())).rejects.toMatchObject({ code: "pdf_unsigned" });
  });
});
