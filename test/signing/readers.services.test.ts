/** Readers of Debian judge signed files. Needs the programs of `test/services/install-pdf-tools.sh`. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import type { Level } from "#features/signing/pades/level";
import { signPdf } from "#features/signing/pades/sign-pdf";
import { openPdf } from "#features/signing/pdf/open-pdf";
import type { VisibleSignature } from "#features/signing/pdf/types";
import { pemOf } from "#support/asn1/certificates";
import { type MadePdf, makePdf } from "#support/signing/pdf/make-pdf";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { checkLtv } from "./check-ltv.ts";
import { type Folder, openFolder, run } from "./tools.ts";

const at = new Date();
const position = [100, 100, 300, 180] as const;
const visible: VisibleSignature = {
  pageNumber: 1,
  position,
  lines: ["Firmado por: Íñigo Ñandú", "2026-11-23 12:00 UTC"],
  font: readFileSync(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf")),
};

let authority: MemoryAuthority;
let folder: Folder;
let roots: string;

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
  folder = openFolder();
  roots = folder.write("roots.pem", authority.roots.map((root) => pemOf(root)).join(""));
  run("certutil", "-N", "-d", `sql:${folder.path}`, "--empty-password");
  run("certutil", "-A", "-d", `sql:${folder.path}`, "-n", "root", "-t", "CT,C,C", "-i", roots);
});

type Signing = {
  readonly with?: MemoryAuthority;
  readonly level?: Level;
  readonly visible?: VisibleSignature;
};

const signBytes = async (file: Uint8Array, signing: Signing = {}): Promise<Buffer> => {
  const { signer, ports, roots: known } = signing.with ?? authority;
  const revision = {
    at,
    reason: "Autenticación facial (a) \\ b",
    ...(signing.visible && { visible: signing.visible }),
  };
  const request = { signer, level: signing.level ?? "B-LTA", revision, known };
  return Buffer.concat((await signPdf(await openPdf(file), request, ports)).parts);
};

const shapes: readonly (readonly [string, MadePdf])[] = [
  ["a table of references", {}],
  ["a stream of references", { xref: "stream" }],
  ["object streams", { xref: "object-streams" }],
  ["both kinds of references", { xref: "hybrid" }],
  ["a page that is rotated by 90 degrees", { page: "/Rotate 90" }],
  ["a page that is rotated by 270 degrees", { page: "/Rotate 270" }],
];

const faultsOf = (pdf: string, trusted = roots): readonly string[] =>
  checkLtv(pdf, trusted)
    .filter(({ isGood }) => !isGood)
    .map(({ text }) => text);

/** The pixels of a page as poppler draws them. */
const draw = async (pdf: string) => {
  run("pdftoppm", "-r", "72", "-png", "-singlefile", pdf, `${pdf}.page`);
  return sharp(readFileSync(`${pdf}.page.png`))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
};

describe.each(shapes)("a signed file with %s", (shape, made) => {
  const original = makePdf(made);

  it("is a sound PDF for qpdf, and valid for pdfsig", async () => {
    const pdf = folder.write(`${shape}.pdf`, await signBytes(original, { visible }));
    expect(run("qpdf", "--check", pdf)).toMatchObject({ code: 0 });
    const report = run("pdfsig", "-nssdir", `sql:${folder.path}`, "-no-ocsp", pdf).text;
    expect(report).toContain("Signature Validation: Signature is Valid.");
    expect(report).toContain("Certificate Validation: Certificate is Trusted.");
  });

  it("is validated for the long term by OpenSSL alone", async () => {
    expect(faultsOf(folder.write(`${shape}-ltv.pdf`, await signBytes(original)))).toStrictEqual([]);
  });

  it("looks the same outside of its visible field", async () => {
    const before = await draw(folder.write(`${shape}-before.pdf`, original));
    const after = await draw(folder.write(`${shape}-after.pdf`, await signBytes(original, { visible })));
    const { width, height, channels } = before.info;
    expect(after.info).toMatchObject({ width, height });
    const [left, low, right, high] = position;
    let [inside, outside] = [0, 0];
    for (let place = 0; place < before.data.length; place += channels) {
      const [x, y] = [(place / channels) % width, height - Math.floor(place / channels / width)];
      const isInside = x >= left - 1 && x <= right + 1 && y >= low - 1 && y <= high + 1;
      const isChanged = [0, 1, 2].some(
        (channel) => before.data[place + channel] !== after.data[place + channel],
      );
      if (isChanged && isInside) inside += 1;
      if (isChanged && !isInside) outside += 1;
    }
    expect(outside).toBe(0);
    expect(inside).toBeGreaterThan(100);
  });
});

describe("the check of long-term validation", () => {
  it.each(["rsa2048", "rsa3072", "p384"] as const)("accepts a signer with a key of kind %s", async (form) => {
    const own = await openMemoryAuthority({ form, name: form });
    const trusted = folder.write(`${form}.pem`, own.roots.map((root) => pemOf(root)).join(""));
    expect(
      faultsOf(folder.write(`${form}.pdf`, await signBytes(makePdf(), { with: own })), trusted),
    ).toStrictEqual([]);
  });

  it("finds a changed byte, and another root", async () => {
    const signed = await signBytes(makePdf());
    signed[20]! ^= 1;
    const faults = faultsOf(folder.write("changed.pdf", signed));
    expect(faults.some((text) => text.startsWith("signature (CAdES)"))).toBe(true);
    expect(faults).toContain("document time-stamp");
    const other = await openMemoryAuthority({ form: "p256", name: "Other" });
    const trusted = folder.write("other.pem", other.roots.map((root) => pemOf(root)).join(""));
    expect(faultsOf(join(folder.path, "a table of references-ltv.pdf"), trusted).length).toBeGreaterThan(3);
  });

  it("misses what a lower level leaves out", async () => {
    const faults = faultsOf(folder.write("b-b.pdf", await signBytes(makePdf(), { level: "B-B" })));
    expect(faults).toContain("the file holds validation data");
    expect(faults).toContain("time-stamp of the signature");
  });
});
