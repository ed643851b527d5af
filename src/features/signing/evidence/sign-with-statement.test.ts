import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "vitest";
import { sampleFacts } from "#support/signing/evidence/sample-facts";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { appendObjects } from "#support/signing/verify/append-objects";
import { readCertificate } from "#trust/asn1/certificate";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { signPdf } from "../pades/sign-pdf.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import { verifyPdf } from "../verify/verify-pdf.ts";
import { signWithStatement } from "./sign-with-statement.ts";

const font = readFileSync(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
const at = new Date();
const facts = sampleFacts(at);
let authority: MemoryAuthority;

const signTerms = () => ({
  signer: authority.signer,
  level: "B-LTA" as const,
  known: authority.roots,
  bytesMax: 1_000_000,
  repair: "refuse" as const,
});

const sign = async (bytes: Uint8Array): Promise<Buffer> => {
  const copy = Uint8Array.from(bytes);
  const { parts } = await signWithStatement(copy, { facts }, signTerms(), font, authority.ports);
  return Buffer.concat(parts);
};

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
});

describe("a document with a statement", () => {
  it("is refused where an earlier signature is broken, which is named", async () => {
    const signed = await sign(makeTestFile());
    const byte = signed.indexOf("/MediaBox") + 12;
    signed[byte] = signed[byte]! ^ 1;
    await expect(sign(signed)).rejects.toMatchObject({
      code: "pdf_signature_broken",
      facts: { field: "Signature1", reason: "The signed bytes were changed." },
    });
    const changed = appendObjects(await sign(makeTestFile()), {
      3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 842]>>",
    });
    await expect(sign(changed)).rejects.toMatchObject({ code: "pdf_signature_broken" });
  });

  it("stays valid when another person signs it with a statement", async () => {
    const twice = await sign(await sign(makeTestFile()));
    const roots = authority.roots.map(readCertificate);
    const trusted = { signers: roots, stamps: roots };
    const report = await verifyPdf(twice, { roots: trusted, now: new Date() });
    const signatures = report.signatures.filter(({ kind }) => kind === "signature");
    expect(signatures.map(({ verdict }) => verdict)).toStrictEqual(["valid", "valid"]);
    expect(report.verdict).toBe("valid");
  });

  it.each([1, 2, 3] as const)("is not made of one with the certification %i", async (certify) => {
    const { signer, level, known } = signTerms();
    const revision = { at, reason: "certified", certify };
    const file = await openPdf(makeTestFile());
    const { parts } = await signPdf(file, { signer, level, revision, known }, authority.ports);
    await expect(sign(Buffer.concat(parts))).rejects.toMatchObject({ code: "pdf_signing_forbidden" });
  });
});
