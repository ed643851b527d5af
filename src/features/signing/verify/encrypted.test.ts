import { beforeAll, describe, expect, it } from "vitest";
import { makeEncryptedPdf, makeUndecryptablePdf } from "#support/signing/pdf/make-pdf";
import { appendObjects, textOfObject } from "#support/signing/verify/append-objects";
import { readCertificate } from "#trust/asn1/certificate";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { signPdf } from "../pades/sign-pdf.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import type { PdfReport } from "./report.ts";
import { verifyPdf } from "./verify-pdf.ts";

const at = new Date();
const algorithms = ["RC4-40", "RC4-128", "AES-128", "AES-256"] as const;
/** Texts of the page are written anew with each signature, by AES in other bytes each time. */
const texts = { Note: "a text of the page" };
let authority: MemoryAuthority;

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
});

const sign = async (bytes: Uint8Array): Promise<Buffer> => {
  const { signer, ports, roots: known } = authority;
  const request = { signer, level: "B-LTA", revision: { at, reason: "agreed" }, known } as const;
  return Buffer.concat((await signPdf(await openPdf(Uint8Array.from(bytes)), request, ports)).parts);
};

const verify = async (bytes: Uint8Array): Promise<PdfReport> => {
  const roots = authority.roots.map(readCertificate);
  return verifyPdf(bytes, { roots: { signers: roots, stamps: roots }, now: new Date() });
};

const numberOfPage = (file: Buffer): number =>
  Number(/(\d+) 0 obj\s*<<\s*\/Type \/Page\s/.exec(file.toString("latin1"))?.[1]);

describe.each(algorithms)("a file that is encrypted with %s and opens without a password", (algorithm) => {
  it("is valid with all of its signatures, and its texts and validation data are read", async () => {
    const once = await sign(await makeEncryptedPdf(algorithm, "", texts));
    const { verdict, signatures } = await verify(await sign(once));
    expect(verdict).toBe("valid");
    expect(signatures.map(({ profile }) => profile.level)).toStrictEqual([
      "PAdES-B-LTA",
      undefined,
      "PAdES-B-LTA",
      undefined,
    ]);
    expect(signatures[0]?.claimed.reason).toBe("agreed");
  });

  it("is invalid where its page is replaced later", async () => {
    const signed = await sign(await makeEncryptedPdf(algorithm, "", texts));
    const page = numberOfPage(signed);
    const replaced = appendObjects(signed, {
      [page]: `${textOfObject(signed, page).slice(0, -2)}/Rotate 90>>`,
    });
    const { verdict, signatures } = await verify(replaced);
    expect(verdict).toBe("invalid");
    expect(signatures[0]?.reasons.map(({ code }) => code)).toStrictEqual(["changed_afterwards"]);
    expect(signatures[0]?.changes.filter(({ judgement }) => judgement === "forbidden")).toHaveLength(1);
  });

  it("is unreadable where it needs a password", async () => {
    await expect(verify(await makeEncryptedPdf(algorithm, "secret"))).rejects.toMatchObject({
      code: "pdf_unreadable",
    });
  });
});

it("a text that no reader decrypts is the same before and after a signature", async () => {
  expect((await verify(await sign(await makeUndecryptablePdf()))).verdict).toBe("valid");
});
