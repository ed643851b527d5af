/**
 * The rules of ETSI EN 319 142-1 (PAdES), 319 122-1 (CAdES) and ISO 32000-2, 12.8, for every level and kind
 * of key.
 */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import {
  hashRange,
  readStructure,
  type SignatureFacts,
  type StructureFacts,
} from "#support/signing/pades/read-structure";
import { childrenOf, childrenWithTag, contextTag, expectTag, oidOf, readDer, tags } from "#trust/asn1/der";
import { hashNames, oids } from "#trust/asn1/oids";
import { type CmsSignature, readSignedData } from "#trust/asn1/signed-data";
import type { HashName } from "#trust/revocation/ports";
import { type MemoryAuthority, openMemoryAuthority, signerForms } from "#trust/signers/memory-authority";
import { openPdf } from "../pdf/open-pdf.ts";
import { type Level, levels, reaches } from "./level.ts";
import { signPdf } from "./sign-pdf.ts";

const at = new Date();

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const isSorted = (items: readonly Uint8Array[]): boolean =>
  items.every((item, index) => index === 0 || Buffer.compare(items[index - 1]!, item) <= 0);

type Signed = {
  readonly file: Uint8Array;
  readonly parts: readonly Uint8Array[];
  readonly facts: StructureFacts;
  readonly signature: SignatureFacts;
  readonly cms: ReturnType<typeof readSignedData>;
  readonly signer: CmsSignature;
};

const sign = async (authority: MemoryAuthority, level: Level): Promise<Signed> => {
  const { parts } = await signPdf(
    await openPdf(makeTestFile()),
    { signer: authority.signer, level, revision: { at, reason: "agreed" }, known: authority.roots },
    authority.ports,
  );
  const file = Buffer.concat(parts);
  const facts = await readStructure(file);
  const signature = facts.signatures[0]!;
  const cms = readSignedData(signature.contents, { mayHavePadding: true });
  return { file, parts, facts, signature, cms, signer: cms.signers[0]! };
};

/** Fields of the one SignerInfo (RFC 5652, 5.3), as they are written. */
const signerInfoOf = (contents: Uint8Array) => {
  const { content } = readSignedDataFields(contents);
  const signers = childrenOf(expectTag(content.at(-1), tags.set));
  expect(signers).toHaveLength(1);
  return childrenWithTag(signers[0], tags.sequence);
};

const readSignedDataFields = (contents: Uint8Array) => {
  const padded = Buffer.from(contents);
  const length = 4 + padded.readUInt16BE(2);
  const [, wrapped] = childrenOf(readDer(padded.subarray(0, length)));
  return { content: childrenOf(childrenOf(expectTag(wrapped, contextTag(0)))[0]!) };
};

const attributeValue = (signer: CmsSignature, type: string) => {
  const value = signer.signedAttributes.get(type);
  expect(value, type).toBeDefined();
  return value!;
};

describe.each(signerForms)("a signature with a key of %s", (key) => {
  let authority: MemoryAuthority;
  beforeAll(async () => {
    authority = await openMemoryAuthority({ form: key });
  });

  describe.each(levels)("at level %s", (level) => {
    let signed: Signed;
    beforeAll(async () => {
      signed = await sign(authority, level);
    });
    const hash = (): HashName => authority.signer.hash;

    it("covers all bytes of its revision but Contents", () => {
      const { signature, parts, file } = signed;
      const [start, length = 0, next = 0, rest = 0] = signature.byteRange;
      expect(start).toBe(0);
      expect(String.fromCharCode(file[length]!, file[next - 1]!)).toBe("<>");
      expect(hexOf(signature.contents)).toBe(
        Buffer.from(file.subarray(length + 1, next - 1))
          .toString("latin1")
          .toLowerCase(),
      );
      expect(next + rest).toBe(parts[0]!.length + parts[1]!.length);
      expect(hexOf(hashRange(file, signature.byteRange, hash()))).toBe(
        hexOf(attributeValue(signed.signer, oids.messageDigest).content),
      );
    });

    it("is a detached CAdES signature with the time in its dictionary and nowhere else (142-1, 6.3)", () => {
      const { signature, cms, signer } = signed;
      expect(signature).toMatchObject({ type: "Sig", subFilter: "ETSI.CAdES.detached" });
      expect(signature.keys).toContain("M");
      expect(signature.keys).not.toContain("Cert");
      expect(cms).toMatchObject({ contentType: oids.data, content: undefined });
      expect(signer.signedAttributes.has(oids.signingTime)).toBe(false);
    });

    it("has exactly the signed attributes of the baseline (122-1, 6.3), in the order of DER", () => {
      const { signer, signature } = signed;
      expect([...signer.signedAttributes.keys()].sort()).toEqual(
        [oids.contentType, oids.messageDigest, oids.signingCertificateV2, oids.algorithmProtection].sort(),
      );
      expect(oidOf(attributeValue(signer, oids.contentType))).toBe(oids.data);
      const attributes = signerInfoOf(signature.contents).find(({ tag }) => tag === contextTag(0));
      expect(isSorted(childrenOf(attributes!).map(({ bytes }) => bytes))).toBe(true);
    });

    it("names the signer's certificate by its hash, whose algorithm is absent for SHA-256 (RFC 5035, 4)", () => {
      const [list] = childrenOf(attributeValue(signed.signer, oids.signingCertificateV2));
      const [certId] = childrenOf(list!);
      const fields = childrenOf(certId!);
      const hasAlgorithm = fields[0]?.tag === tags.sequence;
      expect(hasAlgorithm).toBe(hash() !== "sha256");
      const { certificate } = authority.signer;
      expect(hexOf(fields[hasAlgorithm ? 1 : 0]!.content)).toBe(
        createHash(hash()).update(certificate).digest("hex"),
      );
    });

    it("states its algorithms rightly: NULL for RSA, nothing for elliptic curves, and the same under protection", () => {
      const { signer } = signed;
      const parameters = childrenOf(signer.algorithm).slice(1);
      expect(parameters.map(({ tag }) => tag)).toEqual(authority.signer.keyKind === "rsa" ? [tags.null] : []);
      expect(hashNames.get(signer.digestOid)).toBe(hash());
      const [digest, protectedAlgorithm] = childrenOf(attributeValue(signer, oids.algorithmProtection));
      expect(hexOf(digest!.bytes)).toBe(hexOf(signer.digestAlgorithm.bytes));
      expect(protectedAlgorithm!.tag).toBe(contextTag(1));
      expect(hexOf(protectedAlgorithm!.content)).toBe(hexOf(signer.algorithm.content));
    });

    it("encloses the signer's certificate and every issuer (142-1, 6.3), in the order of DER", () => {
      const { certificates } = signed.cms;
      const { certificate, chain } = authority.signer;
      expect(certificates.map(hexOf).sort()).toEqual([certificate, ...chain].map(hexOf).sort());
      expect(isSorted(certificates)).toBe(true);
    });

    it("has the time-stamp of its level over its value, and no other unsigned attribute", () => {
      const { signer } = signed;
      if (!reaches(level, "B-T")) {
        expect(signer.unsignedAttributes.size).toBe(0);
        return;
      }
      expect([...signer.unsignedAttributes.keys()]).toEqual([oids.timestampToken]);
      const [token, ...others] = signer.unsignedAttributes.get(oids.timestampToken) ?? [];
      expect(others).toEqual([]);
      expect(imprintOf(token!.bytes)).toBe(createHash(hash()).update(signer.signature).digest("hex"));
    });

    it("has the validation material of its level, and an entry of VRI under the hash of its Contents", () => {
      const { facts, signature } = signed;
      if (!reaches(level, "B-LT")) {
        expect(facts.dss).toBeUndefined();
        return;
      }
      const { lists, related } = facts.dss!;
      const vriKey = createHash("sha1").update(signature.contents).digest("hex").toUpperCase();
      expect([...related.keys()]).toEqual([vriKey]);
      const entry = related.get(vriKey)!;
      expect(new Set(entry.Cert).difference(new Set(lists.Certs))).toEqual(new Set());
      expect(new Set(entry.OCSP).difference(new Set(lists.OCSPs))).toEqual(new Set());
      const { certificate, chain } = authority.signer;
      const stamper = [authority.stamper.certificate, ...authority.stamper.chain];
      for (const one of [certificate, ...chain, ...stamper]) expect(lists.Certs).toContain(hexOf(one));
      // Signer, both authorities and the time-stamping authority have a status; responders have ocsp-nocheck.
      expect(lists.OCSPs).toHaveLength(3);
      for (const list of Object.values(lists)) expect(new Set(list).size).toBe(list.length);
    });

    it("ends with a document time-stamp over material and signature, in the same revision, at B-LTA alone", () => {
      const { facts, file, parts } = signed;
      const [, stamp] = facts.signatures;
      expect(parts).toHaveLength(reaches(level, "B-LT") ? 3 : 2);
      if (level !== "B-LTA") {
        expect(stamp).toBeUndefined();
        return;
      }
      expect(stamp).toMatchObject({ type: "DocTimeStamp", subFilter: "ETSI.RFC3161" });
      const [start, length = 0, next = 0, rest = 0] = stamp!.byteRange;
      expect(start).toBe(0);
      expect(next + rest).toBe(file.length);
      expect(String.fromCharCode(file[length]!, file[next - 1]!)).toBe("<>");
      const token = readSignedData(stamp!.contents, { mayHavePadding: true });
      expect(token.contentType).toBe(oids.tstInfo);
      expect(imprintOf(stamp!.contents)).toBe(hexOf(hashRange(file, stamp!.byteRange, hash())));
    });
  });
});

/** The stamped hash (hex) of a token (RFC 3161, 2.4.2). */
const imprintOf = (token: Uint8Array): string => {
  const { content } = readSignedData(token, { mayHavePadding: true });
  const [, , imprint] = childrenOf(readDer(content!));
  return hexOf(childrenOf(imprint!)[1]!.content);
};
