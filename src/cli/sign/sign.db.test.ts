import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openStore } from "#app/storage";
import { verifyPdf } from "#features/signing/verify/verify-pdf";
import { readConfig } from "#machine/config/config";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { shownPages } from "#support/signing/pdf/shown-pages";
import { runVerifyPdf } from "../verify-pdf/verify-pdf.ts";
import { runExtend } from "./extend.ts";
import { runSign } from "./sign.ts";

const masterKey = randomBytes(32);
const whole = makePdf({ xref: "table", pages: 2 });
const text = whole.toString("latin1");
const damaged = {
  /** Nothing is lost: the objects are all there. */
  reference: whole.subarray(0, whole.lastIndexOf("startxref")),
  /** The content of the second page is another object. */
  page: Buffer.from(text.replace("/Contents 13 0 R", "/Contents 99 0 R"), "latin1"),
  text: Buffer.from("no PDF"),
};

let folder: string;
const pathOf = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-sign-"));
  const config = { ...readConfig({ IDEM_DATA: folder }), masterKey };
  await (await openStore(config, { migrate: true })).close();
  for (const [name, bytes] of Object.entries(damaged)) await writeFile(pathOf(`${name}.pdf`), bytes);
  await writeFile(pathOf("whole.pdf"), whole);
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (
  command: typeof runSign,
  [from, to]: readonly [string, string],
  settings: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<number> => {
  const environment = { IDEM_DATA: folder, IDEM_MASTER_KEY: masterKey.toString("base64"), ...settings };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  return await command([pathOf(from), "--out", pathOf(to), ...options]).finally(() => {
    write.mockRestore();
    vi.unstubAllEnvs();
  });
};

const integrityOf = async (name: string): Promise<readonly string[]> => {
  const bytes = new Uint8Array(await readFile(pathOf(name)));
  const report = await verifyPdf(bytes, { roots: { signers: [], stamps: [] }, now: new Date() });
  expect(shownPages(bytes)).toEqual(shownPages(whole));
  return report.signatures.map(({ integrity }) => integrity);
};

describe("idem sign and idem extend", () => {
  it("sign and extend a whole file", async () => {
    expect(await run(runSign, ["whole.pdf", "signed.pdf"])).toBe(0);
    expect(await run(runExtend, ["signed.pdf", "extended.pdf"])).toBe(0);
    expect(await integrityOf("extended.pdf")).toEqual(["intact", "intact", "intact"]);
  });

  it("refuse a file that only a repair makes readable, and name the cause and the setting", async () => {
    const refused = run(runSign, ["reference.pdf", "refused.pdf"]);
    await expect(refused).rejects.toThrow(
      "The file is no PDF that can be read: startxref is missing (pdf_unreadable, api/errors.md). IDEM_SIGNING_REPAIR=allow may repair it where nothing is lost.",
    );
    expect(existsSync(pathOf("refused.pdf"))).toBe(false);
  });

  it("repair and sign it where the operator allows that", async () => {
    const settings = { IDEM_SIGNING_REPAIR: "allow" };
    expect(await run(runSign, ["reference.pdf", "repaired.pdf"], settings)).toBe(0);
    expect(await integrityOf("repaired.pdf")).toEqual(["intact", "intact"]);
  });

  it.each(["refuse", "allow"])("refuse a lost page, which is named, with repairs: %s", async (repair) => {
    const refused = run(runSign, ["page.pdf", "refused.pdf"], { IDEM_SIGNING_REPAIR: repair });
    await expect(refused).rejects.toThrow(
      "(page 2): what the page shows is missing (pdf_unreadable, api/errors.md)",
    );
    expect(existsSync(pathOf("refused.pdf"))).toBe(false);
  });

  it.each(["refuse", "allow"])(
    "extend repairs nothing, and names no setting, with repairs: %s",
    async (repair) => {
      const refused = run(runExtend, ["reference.pdf", "refused.pdf"], { IDEM_SIGNING_REPAIR: repair });
      await expect(refused).rejects.toThrow(
        /^The file is no PDF that can be read: startxref is missing \(pdf_unreadable, api\/errors\.md\)\.$/u,
      );
    },
  );

  it("say in words what is wrong, as idem verify-pdf does", async () => {
    const write = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
    await runVerifyPdf([pathOf("text.pdf")]);
    const printed = write.mock.calls.join("");
    write.mockRestore();
    const message = "The file is no PDF that can be read: the file has no header of a PDF";
    expect(printed).toContain(message);
    await expect(run(runSign, ["text.pdf", "refused.pdf"])).rejects.toThrow(`${message} (pdf_unreadable`);
  });

  it("say in words which earlier signature forbids another one", async () => {
    await run(runSign, ["whole.pdf", "certified.pdf"], {}, ["--certify", "1"]);
    await expect(run(runSign, ["certified.pdf", "refused.pdf"])).rejects.toThrow(
      "An earlier signature of the PDF forbids another one: its certification allows no change (pdf_signing_forbidden",
    );
  });

  it("refuse to repair a signed file, whatever the operator allows", async () => {
    await run(runSign, ["whole.pdf", "signed-once.pdf"]);
    const signed = await readFile(pathOf("signed-once.pdf"));
    await writeFile(pathOf("cut.pdf"), signed.subarray(0, -40));
    for (const command of [runSign, runExtend]) {
      const refused = run(command, ["cut.pdf", "refused.pdf"], { IDEM_SIGNING_REPAIR: "allow" });
      await expect(refused).rejects.toThrow("pdf_damaged_and_signed");
    }
    expect(existsSync(pathOf("refused.pdf"))).toBe(false);
  });
});
