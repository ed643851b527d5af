import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { makeUndecryptablePdf } from "#support/signing/pdf/make-pdf";
import { runIdem } from "../../../test/harness/run-idem.ts";
import { findSharedDirectory } from "../../../test/harness/tenant.ts";

let folder: string;
let environment: { readonly IDEM_DATA: string };
const path = (name: string): string => join(folder, name);
const verify = (...args: readonly string[]) => runIdem(["verify-pdf", ...args]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-verify-pdf-"));
  // The first start of the service made the development signer.
  environment = { IDEM_DATA: await findSharedDirectory() };
  await writeFile(path("plain.pdf"), makeTestFile());
  const { code, stderr } = await runIdem(
    ["sign", path("plain.pdf"), "--out", path("signed.pdf")],
    environment,
  );
  if (code !== 0) throw new Error(stderr);
  await runIdem(["evidence", "roots", "--out", path("roots.pem")], environment);
  const signed = await readFile(path("signed.pdf"));
  signed[20]! ^= 1;
  await writeFile(path("changed.pdf"), signed);
  await writeFile(path("text.pdf"), "no PDF");
});

afterAll(async () => await rm(folder, { recursive: true }));

describe("idem verify-pdf", () => {
  it("calls a signed file valid with its roots, and names level, coverage and the end of its proof", async () => {
    const { code, stdout } = await verify(path("signed.pdf"), "--roots", path("roots.pem"));
    expect(code).toBe(0);
    expect(stdout).toContain(": VALID");
    expect(stdout).toContain("profile    PAdES-B-LTA");
    expect(stdout).toMatch(/until {6}2\d{3}-/);
  });

  it("calls an encrypted file valid that was signed without a warning, though no reader decrypts one of its texts", async () => {
    await writeFile(path("encrypted.pdf"), await makeUndecryptablePdf());
    const args = ["sign", path("encrypted.pdf"), "--out", path("encrypted-signed.pdf")];
    const signed = await runIdem(args, environment);
    expect([signed.code, signed.stderr]).toStrictEqual([0, ""]);
    const { code } = await verify(path("encrypted-signed.pdf"), "--roots", path("roots.pem"));
    expect(code).toBe(0);
  });

  it("ends with 2 where the file of roots is missing or holds none", async () => {
    expect((await verify(path("signed.pdf"), "--roots", path("none.pem"))).code).toBe(2);
    expect((await verify(path("signed.pdf"), "--stamp-roots", path("signed.pdf"))).code).toBe(2);
  });

  it("takes the signer for unknown without roots", async () => {
    const { code, stdout } = await verify(path("signed.pdf"));
    expect(code).toBe(4);
    expect(stdout).toContain("UNKNOWN SIGNER");
  });

  it("calls a file with a changed byte, an unsigned file and a text invalid", async () => {
    for (const name of ["changed.pdf", "plain.pdf", "text.pdf"]) {
      expect((await verify(path(name), "--roots", path("roots.pem"))).code, name).toBe(1);
    }
  });

  it("asks online without harm to a file that holds its proof", async () => {
    const { code } = await verify(path("signed.pdf"), "--roots", path("roots.pem"), "--online");
    expect(code).toBe(0);
  });

  it("goes on behind a file that cannot be read, which has its own result", async () => {
    const args = [path("none.pdf"), path("signed.pdf"), "--roots", path("roots.pem"), "--json"];
    const { code, stdout } = await verify(...args);
    const [missing, signed] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(missing).toMatchObject({ file: path("none.pdf"), failure: "file_unreadable" });
    expect(signed.verdict).toBe("valid");
  });

  it("prints one JSON object for each file, and ends with the worst verdict", async () => {
    const { code, stdout } = await verify(
      path("signed.pdf"),
      path("plain.pdf"),
      "--roots",
      path("roots.pem"),
      "--json",
    );
    expect(code).toBe(1);
    const verdicts = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).verdict);
    expect(verdicts).toStrictEqual(["valid", "unsigned"]);
  });

  it("names a file that is missing, and ends with 1", async () => {
    const { code, stdout } = await verify(path("missing.pdf"));
    expect(code).toBe(1);
    expect(stdout).toContain("missing.pdf is no file that can be read");
  });
});
