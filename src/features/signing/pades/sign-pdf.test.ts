import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { hashRange, readStructure } from "#support/signing/pades/read-structure";
import { oids } from "#trust/asn1/oids";
import { readSignedData } from "#trust/asn1/signed-data";
import type { SigningPorts, StampDigest } from "#trust/revocation/ports";
import { type MemoryAuthority, openMemoryAuthority, stampWith } from "#trust/signers/memory-authority";
import { openPdf } from "../pdf/open-pdf.ts";
import type { Level } from "./level.ts";
import { signPdf } from "./sign-pdf.ts";

const at = new Date();
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

let authority: MemoryAuthority;
let other: MemoryAuthority;

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
  other = await openMemoryAuthority({ form: "p256", name: "Other" });
});

const sign = async (
  ports: Partial<SigningPorts> = {},
  level: Level = "B-LTA",
  file: Uint8Array = makeTestFile(),
) => {
  const { signer, roots } = authority;
  const request = { signer, level, revision: { at }, known: [...roots, ...other.roots] };
  const { parts } = await signPdf(await openPdf(file), request, { ...authority.ports, ...ports });
  return { parts, file: Buffer.concat(parts) };
};

/** The ports of both authorities: each responder answers for its own certificates. */
const withBoth = (stamp: StampDigest): Partial<SigningPorts> => ({
  stamp,
  fetch: async (ask) => {
    const answers = await Promise.all([authority.ports.fetch(ask), other.ports.fetch(ask)]);
    return answers.find((answer) => answer !== undefined && !Buffer.from(answer).includes(unknownStatus));
  },
});

/** `[2]` of CertStatus (RFC 6960, 4.2.1), before the time of the answer. */
const unknownStatus = Buffer.from([0x82, 0x00, 0x18]);

describe("signPdf", () => {
  it("keeps the bytes that were sent, and appends", async () => {
    const { parts } = await sign();
    expect(hexOf(parts[0]!)).toBe(hexOf(makeTestFile()));
    expect(parts).toHaveLength(3);
  });

  it.each<Level>(["B-T", "B-LT", "B-LTA"])("fails at level %s where no authority stamps", async (level) => {
    const stamp = async (): Promise<never> => {
      throw new Failure("timestamp_failed");
    };
    await expect(sign({ stamp }, level)).rejects.toMatchObject({ code: "timestamp_failed" });
    await expect(sign({ stamp }, "B-B")).resolves.toBeDefined();
  });

  it("fails where only the second time-stamp cannot be had", async () => {
    let count = 0;
    const stamp: StampDigest = async (hash, digest) => {
      if (++count === 2) throw new Failure("timestamp_failed");
      return authority.ports.stamp(hash, digest);
    };
    await expect(sign({ stamp })).rejects.toMatchObject({ code: "timestamp_failed" });
  });

  it("fails where the signer's certificate is revoked, and asks for that after the time-stamp", async () => {
    const revoked = await openMemoryAuthority({ form: "p256", name: "Revoked" });
    revoked.setStatus(revoked.signer.certificate, { kind: "revoked", at });
    const asked: string[] = [];
    const ports: SigningPorts = {
      sign: revoked.signer.sign,
      stamp: async (hash, digest) => {
        asked.push("stamp");
        return revoked.ports.stamp(hash, digest);
      },
      fetch: async (ask) => {
        asked.push(ask.kind);
        return revoked.ports.fetch(ask);
      },
    };
    const request = {
      signer: revoked.signer,
      level: "B-LTA" as const,
      revision: { at },
      known: revoked.roots,
    };
    const signing = signPdf(await openPdf(makeTestFile()), request, ports);
    await expect(signing).rejects.toMatchObject({ code: "signer_unusable" });
    expect(asked[0]).toBe("stamp");
    expect(asked[1]).toBe("ocsp");
  });

  it("makes the signature once more where a token needs more room than usual", async () => {
    const { stamper } = authority;
    const long = {
      ...stamper,
      chain: [...stamper.chain, ...Array.from({ length: 30 }, () => stamper.certificate)],
    };
    let count = 0;
    const stamp: StampDigest = async (hash, digest) => {
      count++;
      return stampWith(long, hash, digest, at);
    };
    const { file } = await sign({ stamp });
    // Twice for the signature, twice for the document time-stamp.
    expect(count).toBe(4);
    const { signatures } = await readStructure(file);
    expect(signatures.map(({ type }) => type)).toEqual(["Sig", "DocTimeStamp"]);
    for (const { byteRange } of signatures) expect(byteRange[0]).toBe(0);
  });

  it("has the material of another archive authority under its stamp, and one stamp of it", async () => {
    let count = 0;
    const stamp: StampDigest = (hash, digest) =>
      (++count === 1 ? authority : other).ports.stamp(hash, digest);
    const { file, parts } = await sign(withBoth(stamp));
    const { signatures, dss } = await readStructure(file);
    const { lists, related } = dss!;
    for (const one of [other.stamper.certificate, ...other.stamper.chain]) {
      expect(lists.Certs).toContain(hexOf(one));
    }
    expect(related.size).toBe(1);
    expect(parts).toHaveLength(3);
    const [, last] = signatures;
    expect(signatures).toHaveLength(2);
    const [token] = readSignedData(last!.contents, { mayHavePadding: true }).signers;
    expect(hexOf(token!.signerCertificate!.bytes)).toBe(hexOf(other.stamper.certificate));
  });

  it("fails where the authorities change with every stamp", async () => {
    const others = await Promise.all(
      ["1", "2", "3", "4", "5"].map((name) =>
        openMemoryAuthority({ form: "p256", name: `Changing ${name}` }),
      ),
    );
    let count = 0;
    const stamp: StampDigest = (hash, digest) => others[count++ % 5]!.ports.stamp(hash, digest);
    await expect(sign({ stamp })).rejects.toBeInstanceOf(Failure);
  });

  it("leaves an earlier signature and its entry of VRI as they are", async () => {
    const first = await sign();
    const second = await sign({}, "B-LTA", first.file);
    const [before, after] = [await readStructure(first.file), await readStructure(second.file)];
    expect(after.signatures).toHaveLength(4);
    for (const { byteRange, contents } of after.signatures.slice(0, 2)) {
      const { signers, content } = readSignedData(contents, { mayHavePadding: true });
      const digest = hexOf(hashRange(second.file, byteRange, "sha256"));
      if (content === undefined)
        expect(hexOf(signers[0]!.signedAttributes.get(oids.messageDigest)!.content)).toBe(digest);
      else expect(hexOf(content)).toContain(digest);
    }
    for (const [key, entry] of before.dss!.related) expect(after.dss!.related.get(key)).toEqual(entry);
    expect(after.dss!.related.size).toBe(2);
  });

  it("states the hash that the signature covers", async () => {
    const { signer, roots, ports } = authority;
    const request = { signer, level: "B-B" as const, revision: { at }, known: roots };
    const { parts, digest, fieldName } = await signPdf(await openPdf(makeTestFile()), request, ports);
    const file = Buffer.concat(parts);
    const [signature] = (await readStructure(file)).signatures;
    expect(signature!.fieldName).toBe(fieldName);
    expect(hexOf(hashRange(file, signature!.byteRange, "sha256"))).toBe(digest);
    expect(createHash("sha256").update(parts[0]!).digest("hex")).not.toBe(digest);
  });
});
