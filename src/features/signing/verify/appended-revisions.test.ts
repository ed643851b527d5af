import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import {
  appendObjects,
  makeFile,
  type Objects,
  rootOf,
  streamOf,
  textOfObject,
} from "#support/signing/verify/append-objects";
import { readCertificate } from "#trust/asn1/certificate";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { signPdf } from "../pades/sign-pdf.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import type { SignatureRevision } from "../pdf/types.ts";
import type { PdfReport } from "./report.ts";
import { verifyPdf } from "./verify-pdf.ts";

const at = new Date();
let authority: MemoryAuthority;

const base = makeFile({
  1: "<</Type/Catalog/Pages 2 0 R>>",
  2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
  3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 40 0 R>>",
  40: streamOf("BT (pay 100) Tj ET"),
});

const sign = async (bytes: Uint8Array, revision: Partial<SignatureRevision> = {}): Promise<Buffer> => {
  const { parts } = await signPdf(
    await openPdf(Uint8Array.from(bytes)),
    {
      signer: authority.signer,
      level: "B-LTA",
      revision: { at, reason: "agreed", ...revision },
      known: authority.roots,
    },
    authority.ports,
  );
  return Buffer.concat(parts);
};

const verify = (bytes: Uint8Array): Promise<PdfReport> => {
  const roots = authority.roots.map(readCertificate);
  return verifyPdf(bytes, { roots: { signers: roots, stamps: roots }, now: new Date() });
};

const attachment = (name: string) => ({
  name,
  mediaType: "application/json",
  description: "Signed statement",
  bytes: Buffer.from("{}"),
  relationship: "Data" as const,
});

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
});

describe.each([undefined, 1] as const)("a file with the certification %s", (certify) => {
  let signed: Buffer;
  let form: number;

  beforeAll(async () => {
    signed = await sign(base, certify === undefined ? {} : { certify });
    form = Number(/\/AcroForm (\d+) 0 R/.exec(textOfObject(signed, rootOf(signed)))?.[1]);
  });

  const withField = (number: number): string =>
    textOfObject(signed, form).replace(/\/Fields ?\[/, `/Fields [${number} 0 R `);

  const expectChanged = async (objects: Objects): Promise<void> => {
    expect((await verify(signed)).verdict).toBe("valid");
    const report = await verify(appendObjects(signed, objects));
    expect(report.verdict).toBe("invalid");
    expect(report.signatures[0]?.reasons.map(({ code }) => code)).toContain("changed_afterwards");
  };

  it("is not valid where a full page is drawn over it by a time-stamp", () =>
    expectChanged({
      3: textOfObject(signed, 3).replace(/\/Annots ?\[/, "/Annots [801 0 R "),
      [form]: withField(801),
      801: "<</FT/Sig/T(x)/V 802 0 R/Subtype/Widget/Rect[0 0 600 800]/AP<</N 803 0 R>>>>",
      802: "<</Type/DocTimeStamp/SubFilter/ETSI.RFC3161/Contents<00>/ByteRange[0 1 2 3]>>",
      803: streamOf("BT (forged) Tj ET", "/Subtype/Form/BBox[0 0 600 800]"),
    }));

  it("is refused where its content becomes a field", async () => {
    const forged = appendObjects(signed, {
      40: streamOf("BT (pay 999) Tj ET", "/FT/Sig/T(x)/V 800 0 R"),
      800: streamOf("x", "/SubFilter/ETSI.RFC3161"),
      [form]: withField(40),
    });
    await expect(verify(forged)).rejects.toMatchObject({ code: "pdf_unreadable" });
  });

  it("is not valid where a page that is no object of its own is added", async () => {
    const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 803 0 R>>";
    const tree = `<</Type/Pages/Count 2/Kids[3 0 R ${page}]>>`;
    await expectChanged({ 2: tree, 803: streamOf("BT (forged) Tj ET") });
  });
});

describe("a file that is signed with attached files", () => {
  it("stays valid when it is signed so again", async () => {
    const once = await sign(base, { attachments: [attachment("a.json")] });
    const twice = await sign(once, { attachments: [attachment("a.json")] });
    const report = await verify(twice);
    expect(report.verdict).toBe("valid");
    expect(report.signatures[0]?.changes.map(({ kind }) => kind)).toContain("attachment");
  });
});

describe("validation data in a small file", () => {
  const bomb = deflateSync(Buffer.alloc(20 * 1024 * 1024), { level: 9 }).toString("latin1");

  it("fill no memory: not by one stream that is named often, nor by many streams", async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => 100 + index);
    const list = numbers.map((number) => `${number} 0 R 100 0 R`).join(" ");
    const streams = numbers.map((number) => [number, streamOf(bomb, "/Filter/FlateDecode")]);
    const signed = await sign(base);
    const bombs = appendObjects(signed, {
      [rootOf(signed)]: textOfObject(signed, rootOf(signed)).replace(/\/DSS \d+ 0 R/, "/DSS 99 0 R"),
      99: `<</Certs[${list}]/OCSPs[${list}]/CRLs[${list}]>>`,
      ...Object.fromEntries(streams),
    });
    const before = process.memoryUsage().arrayBuffers;
    const report = await verify(bombs);
    // The streams hold 1,200 MB as they are named, and one view inflates 128 MB at most.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(192 * 1024 * 1024);
    expect(report.signatures[0]?.integrity).toBe("intact");
  }, 60_000);
});
