import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTestAuthority } from "#support/revocation/authority";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { type Certificate, readCertificate } from "#trust/asn1/certificate";
import { oids } from "#trust/asn1/oids";
import { readSignedData } from "#trust/asn1/signed-data";
import { gatherValidation } from "#trust/revocation/gather-validation";
import { writeOcspRequest } from "#trust/revocation/ocsp-request";
import type { SigningPorts } from "#trust/revocation/ports";
import { type OcspAnswer, readOcsp } from "#trust/revocation/read-ocsp";
import type { Issued } from "#trust/signers/issue-certificate";
import { documentPurposes, isForDocuments } from "#trust/signers/judge-use";
import { type MemoryAuthority, openMemoryAuthority, stampWith } from "#trust/signers/memory-authority";
import type { Level } from "../../pades/level.ts";
import { signPdf } from "../../pades/sign-pdf.ts";
import { openPdf } from "../../pdf/open-pdf.ts";
import { makeSteps } from "../../pdf/steps.ts";
import { checkSigner, digestOf } from "../cms/check-signer.ts";
import { verifyPdf } from "../verify-pdf.ts";
import { makeEffort } from "./effort.ts";
import { judgeChain } from "./judge-chain.ts";

let first: MemoryAuthority;
let second: MemoryAuthority;

beforeAll(async () => {
  first = await openMemoryAuthority({ form: "p256", name: "First" });
  second = await openMemoryAuthority({ form: "p256", name: "Second" });
});

/** Signed by one authority and stamped by the other, which both answer questions. */
const sign = async (by: MemoryAuthority, stamped: MemoryAuthority, level: Level): Promise<Buffer> => {
  const ports: SigningPorts = { ...by.ports, stamp: stamped.ports.stamp };
  const revision = { at: new Date() };
  const request = { signer: by.signer, level, revision, known: by.roots };
  return Buffer.concat((await signPdf(await openPdf(makeTestFile()), request, ports)).parts);
};

const verify = async (
  file: Uint8Array,
  signers: readonly MemoryAuthority[],
  stamps: readonly MemoryAuthority[],
  fetch?: SigningPorts["fetch"],
) => {
  const rootsOf = (all: readonly MemoryAuthority[]) => all.flatMap(({ roots }) => roots.map(readCertificate));
  const report = await verifyPdf(file, {
    roots: { signers: rootsOf(signers), stamps: rootsOf(stamps) },
    now: new Date(),
    ...(fetch && { fetch }),
  });
  return { report, codes: report.signatures.flatMap(({ reasons }) => reasons.map(({ code }) => code)) };
};

describe("trust in a signer", () => {
  it("comes from the roots of signers alone: a root of time-stamps names no signer", async () => {
    const file = await sign(second, first, "B-B");
    expect((await verify(file, [second], [])).codes).not.toContain("signer_unknown");
    const { report } = await verify(file, [first], [second]);
    expect(report.verdict).toBe("unknown_signer");
  });

  it("demands a certificate for documents, where the certificate states purposes", () => {
    const purposes = (...all: readonly string[]) => ({ keyUsage: undefined, purposes: all });
    expect(isForDocuments({ keyUsage: undefined, purposes: undefined })).toBe(true);
    for (const one of [oids.documentSigning, oids.emailProtection, oids.anyPurpose]) {
      expect(isForDocuments(purposes("1.3.6.1.5.5.7.3.1", one))).toBe(true);
    }
    const [tlsServer, tlsClient] = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"];
    expect(isForDocuments(purposes(tlsServer, tlsClient))).toBe(false);
    expect(isForDocuments({ keyUsage: new Set(["keyEncipherment"]), purposes: undefined })).toBe(false);
  });

  it("ends where the certificate is for another purpose", async () => {
    // The key of the time-stamping authority signs a document.
    const odd: MemoryAuthority = { ...first, signer: first.stamper };
    const ports = { ...odd.ports, sign: first.stamper.sign };
    const { codes } = await verify(await sign({ ...odd, ports }, first, "B-LT"), [first], [first]);
    expect(codes).toStrictEqual(["certificate_unfit"]);
  });
});

describe("a time-stamp", () => {
  it("proves no time while the status of its authority is unknown, and does when a server states it", async () => {
    const file = await sign(first, first, "B-T");
    const offline = await verify(file, [first], [first]);
    expect(offline.report.signatures[0]?.stamps[0]).toMatchObject({
      isProof: false,
      doubt: "nothing states that its authority was not revoked then",
    });
    expect(offline.report.signatures[0]?.provenAt).toBeUndefined();
    const online = await verify(file, [first], [first], first.ports.fetch);
    expect(online.report.verdict).toBe("valid");
    expect(online.report.signatures[0]?.stamps[0]).toMatchObject({ isProof: true, doubt: undefined });
    expect(online.report.signatures[0]?.provenAt).toBeDefined();
  });

  it("proves no time where its authority was revoked", async () => {
    const made = await openMemoryAuthority({ form: "p256" });
    const file = await sign(made, made, "B-T");
    made.setStatus(made.stamper.certificate, { kind: "revoked", at: new Date(Date.now() - 60_000) });
    const { report } = await verify(file, [made], [made], made.ports.fetch);
    expect(report.signatures[0]?.stamps[0]).toMatchObject({
      isProof: false,
      doubt: "a certificate of its authority is revoked",
    });
  });

  it("proves no time where its authority leads to no root", async () => {
    const { report } = await verify(await sign(first, second, "B-T"), [first], [first]);
    expect(report.signatures[0]?.stamps[0]?.doubt).toBe("its authority leads to no trusted root");
  });

  it("names the certificate of its signer", async () => {
    const content = Buffer.from("stamped");
    const digest = createHash("sha256").update(content).digest();
    const token = readSignedData(await stampWith(first.stamper, "sha256", digest, new Date()));
    const own = digestOf(token.content ?? new Uint8Array());
    expect(checkSigner(token, own, { mustNameCertificate: true })).toStrictEqual([]);
    const unnamed = {
      ...token,
      signers: token.signers.map((signer) => {
        const signedAttributes = new Map(signer.signedAttributes);
        signedAttributes.delete(oids.signingCertificateV2);
        return { ...signer, signedAttributes };
      }),
    };
    expect(checkSigner(unnamed, own)).toStrictEqual([]);
    expect(checkSigner(unnamed, own, { mustNameCertificate: true })).toStrictEqual(["attributes_wrong"]);
  });
});

describe("the level of a signature", () => {
  it("is what the file holds, also where servers answer more", async () => {
    const file = await sign(first, first, "B-T");
    for (const fetch of [undefined, first.ports.fetch]) {
      const { report } = await verify(file, [first], [first], fetch);
      expect(report.signatures[0]?.profile.level).toBe("PAdES-B-T");
    }
  });

  it("is B-LT only with the status of the time-stamp's chain too", async () => {
    const levelWith = async (of: Buffer, into: Buffer) => {
      const contents = (await openPdf(of)).fields()[0]?.signature?.contents ?? new Uint8Array();
      const { fetch } = first.ports;
      const material = await gatherValidation({ contents, known: first.roots, fetch, now: new Date() });
      const file = await openPdf(into);
      file.appendValidation(material);
      const { report } = await verify(Buffer.concat([into, ...file.revisions()]), [first], [first]);
      return report.signatures[0]?.profile.level;
    };
    const [plain, stamped] = [await sign(first, first, "B-B"), await sign(first, first, "B-T")];
    expect(await levelWith(plain, stamped)).toBe("PAdES-B-T");
    expect(await levelWith(stamped, stamped)).toBe("PAdES-B-LT");
  });
});

describe("a responder without ocsp-nocheck", () => {
  it("states a status only while its own status is good, or is stated nowhere", async () => {
    const now = new Date();
    const authority = await makeTestAuthority({ now });
    const signer = readCertificate((await authority.issue()).certificate);
    const issuing = readCertificate(authority.issuing.certificate);
    const responder = readCertificate(authority.responder.certificate);
    const about = (one: Certificate, by?: Issued): OcspAnswer =>
      readOcsp(authority.respond(writeOcspRequest(one, issuing), by && { by }));
    const judge = (crlUrls: readonly string[], more: readonly OcspAnswer[], hasNoCheck = false) => {
      const answer = about(signer);
      const certificates = answer.certificates.map((one) => ({ ...one, hasNoCheck, crlUrls }));
      const evidence = { certificates: [], ocsps: [{ ...answer, certificates }, ...more], crls: [] };
      const effort = makeEffort(makeSteps(10_000_000));
      const purposes = documentPurposes;
      return judgeChain({ leaf: signer, roots: [issuing], at: now.getTime(), evidence, effort, purposes })
        .revocation.kind;
    };
    const places = [authority.urls.crl];
    expect(judge(places, [], true)).toBe("good");
    expect(judge([], [])).toBe("good");
    expect(judge(places, [])).toBe("unknown");
    expect(judge(places, [about(responder, authority.issuing)])).toBe("good");
    authority.revoke(authority.responder.certificate, new Date(now.getTime() - 1000));
    expect(judge(places, [about(responder, authority.issuing)])).toBe("unknown");
  });
});
