/**
 * Signs every PDF of a folder, and has readers of Debian judge the results. They share no code with
 * the product. Our own verifier judges too.
 *
 *   node test/signing/sign-folder.ts FOLDER
 *
 * Prints a row of JSON for each file, and the counts. A signed file has a fault where
 * - `pdfsig` does not call its new signature valid and trusted, or an earlier valid signature is not valid any
 *   more; a file of which `pdfsig` does not even read the original in a minute is left to the other readers;
 * - `qpdf --check` finds more than in the original, or another number of pages;
 * - our own verifier does not call the new signature valid;
 * - OpenSSL cannot validate it for the long term (check-ltv.ts; for files without earlier signatures, which name
 *   other roots);
 * - a page looks different outside of the visible field (`pdftoppm`, the first pages).
 *
 * Ends with 1 where a file has a fault, or fails in another way than with a declared failure. Needs the
 * programs of `test/services/install-pdf-tools.sh`.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import sharp from "sharp";
import { Failure } from "#contract/failure";
import { signPdf } from "#features/signing/pades/sign-pdf";
import { openPdf } from "#features/signing/pdf/open-pdf";
import type { VisibleSignature } from "#features/signing/pdf/types";
import { verifyPdf } from "#features/signing/verify/verify-pdf";
import { pemOf } from "#support/asn1/certificates";
import { readCertificate } from "#trust/asn1/certificate";
import { openMemoryAuthority } from "#trust/signers/memory-authority";
import { endWithHelp } from "../../scripts/help.ts";
import { checkLtv } from "./check-ltv.ts";
import { openFolder, type Ran, run } from "./tools.ts";

endWithHelp(import.meta.filename);

/** More pages of one file are not drawn. */
const pagesMax = 3;
const dotsPerInch = 72;
/** On the last page, as the call signs without a position. */
const position = [36, 36, 136, 66] as const;

const authority = await openMemoryAuthority({ form: "p256" });
const folder = openFolder();
const roots = folder.write("roots.pem", authority.roots.map((root) => pemOf(root)).join(""));
run("certutil", "-N", "-d", `sql:${folder.path}`, "--empty-password");
run("certutil", "-A", "-d", `sql:${folder.path}`, "-n", "root", "-t", "CT,C,C", "-i", roots);
const font = readFileSync(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));

const pdfsOf = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.toLowerCase().endsWith(".pdf"))
    .map((name) => join(path, name))
    .filter((name) => statSync(name).isFile())
    .toSorted();

/**
 * What the reader of poppler states of each signature, by its field; undefined where it reads without end.
 */
const signaturesOf = (pdf: string): ReadonlyMap<string, string> | undefined => {
  const { code, text } = tried("pdfsig", "-nssdir", `sql:${folder.path}`, "-no-ocsp", pdf);
  if (code === null) return undefined;
  const parts = text.split(/^Signature #\d+:$/m).slice(1);
  return new Map(parts.map((part) => [/Field Name: (.*)/.exec(part)?.[1] ?? "", part]));
};

/** A program that hangs on a hostile file is ended, and states nothing. */
const tried = (program: string, ...args: readonly string[]): Ran => {
  try {
    return run(program, ...args);
  } catch {
    return { code: null, output: Buffer.alloc(0), text: "" };
  }
};

const isValid = (stated: string | undefined): boolean => stated?.includes("Signature is Valid.") === true;

const pageCountOf = (pdf: string): number =>
  Number(/^\d+/m.exec(tried("qpdf", "--show-npages", pdf).text)?.[0]);

/** 0 sound, 3 with warnings, 2 with errors: from the best to the worst. */
const soundnessOf = (pdf: string): number => [0, 3, 2].indexOf(tried("qpdf", "--check", pdf).code ?? 2);

const draw = async (pdf: string, page: number) => {
  const out = `${pdf}.page`;
  const pages = ["-f", String(page), "-l", String(page)] as const;
  const { code } = tried("pdftoppm", "-r", String(dotsPerInch), ...pages, "-png", "-singlefile", pdf, out);
  if (code !== 0) return undefined;
  return sharp(readFileSync(`${out}.png`))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
};

/** Pixels of a page that differ outside of the field; undefined where the original cannot be drawn. */
const countChanged = async (
  before: string,
  after: string,
  page: number,
  hasField: boolean,
): Promise<number | undefined> => {
  const [old, now] = [await draw(before, page), await draw(after, page)];
  if (old === undefined) return undefined;
  const { width, height, channels } = old.info;
  if (now === undefined || now.info.width !== width || now.info.height !== height) return width * height;
  const [left, low, right, high] = position;
  let changed = 0;
  for (let place = 0; place < old.data.length; place += channels) {
    const [x, y] = [(place / channels) % width, height - Math.floor(place / channels / width)];
    const isInside = hasField && x >= left - 1 && x <= right + 1 && y >= low - 1 && y <= high + 1;
    const isEqual = [0, 1, 2].every((channel) => old.data[place + channel] === now.data[place + channel]);
    if (!isInside && !isEqual) changed += 1;
  }
  return changed;
};

type Signed = { readonly bytes: Buffer; readonly fieldName: string; readonly isVisible: boolean };

const sign = async (sent: Uint8Array, lastPage: number, isVisible: boolean): Promise<Signed> => {
  const visible: VisibleSignature = { pageNumber: lastPage, position, lines: ["Íñigo Ñandú"], font };
  const revision = { at: new Date(), reason: "a test", ...(isVisible && { visible }) };
  const { signer, ports, roots: known } = authority;
  const request = { signer, level: "B-LTA", revision, known } as const;
  const file = await openPdf(Uint8Array.from(sent), { repair: "allow" });
  const { parts, fieldName } = await signPdf(file, request, ports);
  return { bytes: Buffer.concat(parts), fieldName, isVisible };
};

/** A page that is too small for the field gets an invisible signature. */
const signShown = async (sent: Uint8Array, lastPage: number): Promise<Signed> => {
  try {
    return await sign(sent, lastPage, true);
  } catch (error) {
    const isPlace = error instanceof Failure && error.code === "pdf_position_outside";
    if (!isPlace) throw error;
    return await sign(sent, lastPage, false);
  }
};

const signatureFaults = (
  old: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string> = new Map(),
  field: string,
): readonly string[] => {
  const own = now.get(field);
  const lost = [...old].filter(([name, stated]) => isValid(stated) && !isValid(now.get(name)));
  return [
    ...(isValid(own) ? [] : ["pdfsig: the new signature is not valid"]),
    ...(own?.includes("Certificate is Trusted.") === true ? [] : ["pdfsig: the signer is not trusted"]),
    ...lost.map(([name]) => `pdfsig: the earlier signature ${name} is not valid any more`),
  ];
};

const ownFaults = async ({ bytes, fieldName }: Signed): Promise<readonly string[]> => {
  const trusted = authority.roots.map(readCertificate);
  const judging = { roots: { signers: trusted, stamps: trusted }, now: new Date() };
  const report = await verifyPdf(bytes, judging).catch((error: unknown) => String(error));
  if (typeof report === "string") return [`idem: ${report}`];
  const own = report.signatures.find(({ field }) => field === fieldName);
  return own?.verdict === "valid"
    ? []
    : [`idem: the new signature is ${own?.reasons.map(({ code }) => code).join(", ") ?? "missing"}`];
};

const faultsOf = async (before: string, after: string, signed: Signed): Promise<readonly string[]> => {
  const old = signaturesOf(before);
  const pages = pageCountOf(before);
  const drawn = Array.from({ length: Math.min(pages || 1, pagesMax) }, (_, index) => index + 1);
  const faults = old === undefined ? [] : [...signatureFaults(old, signaturesOf(after), signed.fieldName)];
  if (soundnessOf(after) > soundnessOf(before)) faults.push("qpdf: less sound than before");
  if (!Number.isNaN(pages) && pageCountOf(after) !== pages) faults.push("qpdf: another number of pages");
  if (old === undefined || old.size === 0)
    for (const { isGood, text } of checkLtv(after, roots)) if (!isGood) faults.push(`openssl: ${text}`);
  faults.push(...(await ownFaults(signed)));
  for (const page of new Set([...drawn, pages || 1])) {
    const changed = await countChanged(before, after, page, signed.isVisible && page === (pages || 1));
    if (changed !== undefined && changed > 0) faults.push(`pdftoppm: ${changed} pixels of page ${page}`);
  }
  return faults;
};

type Row = {
  readonly file: string;
  readonly result: string;
  readonly isVisible?: boolean;
  readonly faults: readonly string[];
};

const judge = async (path: string, file: string): Promise<Row> => {
  const sent = readFileSync(path);
  const before = folder.write("before.pdf", sent);
  try {
    const signed = await signShown(sent, pageCountOf(before) || 1);
    const after = folder.write("after.pdf", signed.bytes);
    const faults = await faultsOf(before, after, signed);
    return { file, result: "signed", isVisible: signed.isVisible, faults };
  } catch (error) {
    if (error instanceof Failure) return { file, result: error.code, faults: [] };
    return { file, result: "error", faults: [String(error)] };
  }
};

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

const [of] = process.argv.slice(2);
if (of === undefined) throw new Error("usage: sign-folder.ts FOLDER");
const rows: Row[] = [];
for (const path of pdfsOf(of)) {
  const row = await judge(path, relative(of, path));
  print(JSON.stringify(row));
  rows.push(row);
}
const counts = Map.groupBy(rows, ({ result }) => result);
print(JSON.stringify(Object.fromEntries([...counts].map(([result, { length }]) => [result, length]))));
const faulty = rows.filter(({ faults }) => faults.length > 0);
print(`${rows.length} files, ${faulty.length} with a fault`);
process.exitCode = faulty.length === 0 ? 0 : 1;
