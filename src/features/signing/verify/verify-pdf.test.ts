import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { seededRandom } from "#contract/statistics/random";
import { makeTestFile } from "#support/signing/pades/make-test-file";
import { readCertificate } from "#trust/asn1/certificate";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { levels } from "../pades/level.ts";
import { signPdf } from "../pades/sign-pdf.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import type { PdfReport } from "./report.ts";
import type { TrustedRoots } from "./trust/judge-times.ts";
import { verifyPdf } from "./verify-pdf.ts";

const at = new Date();
let authority: MemoryAuthority;
let lta: Buffer;

type Level = (typeof levels)[number];

const sign = async (
  bytes: Uint8Array,
  level: Level,
  certify?: 1 | 2 | 3,
  by: MemoryAuthority = authority,
): Promise<Buffer> => {
  const { parts } = await signPdf(
    await openPdf(Uint8Array.from(bytes), { repair: "allow" }),
    {
      signer: by.signer,
      level,
      revision: { at, reason: "agreed", ...(certify && { certify }) },
      known: by.roots,
    },
    by.ports,
  );
  return Buffer.concat(parts);
};

/** The roots of these authorities, for signers and for time-stamps. */
const rootsOf = (...all: readonly MemoryAuthority[]): TrustedRoots => {
  const roots = all.flatMap((one) => one.roots.map(readCertificate));
  return { signers: roots, stamps: roots };
};

const verify = async (bytes: Uint8Array, isTrusted = true): Promise<PdfReport> =>
  verifyPdf(bytes, { roots: isTrusted ? rootsOf(authority) : rootsOf(), now: new Date() });

/** Appends objects as a revision of their own, as any editor does. */
const append = (file: Buffer, objects: Readonly<Record<number, string>>): Buffer => {
  const text = file.toString("latin1");
  const former = [...text.matchAll(/startxref\s+(\d+)/g)].at(-1)?.[1] ?? "0";
  const trailers = [...text.matchAll(/\/Root (\d+) 0 R/g)].at(-1)?.[1] ?? "1";
  let added = "";
  const rows: string[] = [];
  for (const [number, object] of Object.entries(objects)) {
    rows.push(`${number} 1\n${String(file.length + added.length).padStart(10, "0")} 00000 n \n`);
    added += `${number} 0 obj\n${object}\nendobj\n`;
  }
  const start = file.length + added.length;
  added += `xref\n${rows.join("")}trailer\n<</Size 900/Root ${trailers} 0 R/Prev ${former}>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(added, "latin1")]);
};

/** The last written text of an object. */
const objectOf = (file: Buffer, number: number): string =>
  [...file.toString("latin1").matchAll(new RegExp(`\\n${number} 0 obj\\s*(.*?)\\s*endobj`, "gs"))].at(
    -1,
  )?.[1] ?? "";

const codesOf = (report: PdfReport): readonly string[] =>
  report.signatures.flatMap(({ reasons }) => reasons.map(({ code }) => code));

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
  lta = await sign(makeTestFile(), "B-LTA");
});

describe("a signed file", () => {
  it.each(levels)("of level %s is valid, and its level is named", async (level) => {
    const report = await verify(await sign(makeTestFile(), level));
    const [signature] = report.signatures;
    expect(signature?.profile).toStrictEqual({ level: `PAdES-${level}`, reasons: [] });
    expect(signature?.integrity).toBe("intact");
    // The file states whole seconds.
    expect(signature?.claimed.at).toBe(`${at.toISOString().slice(0, 19)}.000Z`);
    // Without validation data nothing states the status of the certificates.
    const isProven = level === "B-LT" || level === "B-LTA";
    expect(codesOf(report)).toStrictEqual(isProven ? [] : ["revocation_unknown"]);
    expect(report.verdict).toBe(isProven ? "valid" : "indeterminate");
    // A time-stamp whose authority has no known status proves no time.
    expect(signature?.provenAt !== undefined).toBe(isProven);
  });

  it("asks for what it does not hold, where it may", async () => {
    const roots = rootsOf(authority);
    const { fetch } = authority.ports;
    const report = await verifyPdf(await sign(makeTestFile(), "B-B"), { roots, now: new Date(), fetch });
    expect(report.verdict).toBe("valid");
  });

  it("without a root is whole, of an unknown signer, at no proven time", async () => {
    const report = await verify(lta, false);
    expect(report.verdict).toBe("unknown_signer");
    expect(report.signatures[0]?.provenAt).toBeUndefined();
  });

  it("keeps the numbers of its page to the last digit", async () => {
    const text = Buffer.from(makeTestFile()).toString("latin1");
    const page = text.replace("842]", "842]/UserUnit .0000001/T[0.1234567891 -595.00000005]");
    const signed = await sign(Buffer.from(page, "latin1"), "B-LTA");
    expect(objectOf(signed, 3)).toMatch(/0\.0000001\b.*0\.1234567891 -595\.00000005\b/s);
    expect((await verify(await sign(signed, "B-LTA"))).verdict).toBe("valid");
  });

  it("that was damaged gives the numbers of its lost objects to no new one", async () => {
    const text = Buffer.from(makeTestFile()).toString("latin1");
    const page = text.replace("842]", "842]/Contents[9 0 R 12 0 R]").replace("startxref", "startxrex");
    expect((await verify(await sign(Buffer.from(page, "latin1"), "B-LTA"))).verdict).toBe("valid");
  });

  it("stays valid under further signatures", async () => {
    const report = await verify(await sign(await sign(lta, "B-LT"), "B-LTA"));
    expect(report.verdict).toBe("valid");
    expect(report.signatures.filter(({ kind }) => kind === "signature")).toHaveLength(3);
    expect(report.signatures[0]?.coverage.scope).toBe("revision");
    expect(report.signatures.at(-1)?.coverage.scope).toBe("whole_file");
  });

  it("with a certification that allows no change may still be time-stamped", async () => {
    const report = await verify(await sign(makeTestFile(), "B-LTA", 1));
    expect(report.verdict).toBe("valid");
    expect(report.signatures[0]?.certification).toBe(1);
  });
});

describe("an attack", () => {
  it("that shows another page is found, and the page named", async () => {
    const report = await verify(append(lta, { 3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>" }));
    expect(report.verdict).toBe("invalid");
    expect(codesOf(report)).toContain("changed_afterwards");
    expect(report.signatures[0]?.changes[0]?.what).toContain("page 1: MediaBox");
  });

  it("that adds or removes a page is found", async () => {
    const added = append(lta, {
      2: "<</Type/Pages/Count 2/Kids[3 0 R 800 0 R]>>",
      800: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>",
    });
    expect((await verify(added)).signatures[0]?.changes[0]?.what).toBe("the file had 1 pages and has 2");
    const removed = append(lta, { 2: "<</Type/Pages/Count 0/Kids[]>>" });
    expect((await verify(removed)).verdict).toBe("invalid");
  });

  it("that adds an action to the catalog is found", async () => {
    const number = Number(/\/Root (\d+) 0 R/.exec(lta.toString("latin1"))?.[1]);
    const catalog = objectOf(lta, number).replace("<<", "<</OpenAction[3 0 R/Fit]");
    expect(codesOf(await verify(append(lta, { [number]: catalog })))).toContain("changed_afterwards");
  });

  it("that takes the form with its signatures away is found", async () => {
    const number = Number(/\/Root (\d+) 0 R/.exec(lta.toString("latin1"))?.[1]);
    const report = await verify(append(lta, { [number]: "<</Type/Catalog/Pages 2 0 R>>" }));
    expect(report.verdict).toBe("invalid");
    expect(report.removed).not.toHaveLength(0);
  });

  it("that appends objects which no cross-reference names is found (incremental saving)", async () => {
    const end = lta.toString("latin1").lastIndexOf("startxref");
    const hidden = `3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 1 1]>>\nendobj\n${lta.toString("latin1").slice(end)}`;
    const report = await verify(Buffer.concat([lta, Buffer.from(hidden, "latin1")]));
    expect(report.verdict).toBe("invalid");
  });

  const endMark = (): string => lta.toString("latin1").slice(lta.toString("latin1").lastIndexOf("startxref"));
  const blanks = " \r\n\t\f\0".repeat(1000);
  const followedBy = (text: string): Buffer => Buffer.concat([lta, Buffer.from(text, "latin1")]);
  const comment = "% the parties agree\n";

  it.each([
    ["a comment", () => followedBy(comment)],
    ["a comment behind much white space", () => followedBy(`${blanks}% the parties agree`)],
    ["a comment and the former end mark", () => followedBy(comment + endMark())],
    ["the former end mark once more", () => followedBy(endMark())],
    ["a comment and an update", () => append(followedBy(comment), { 850: "<</Type/Unused>>" })],
    ["a text", () => followedBy("the parties agree")],
  ])("that appends %s is found, and the place named", async (_, write) => {
    const changed = write();
    const report = await verify(changed);
    const place = lta.length + changed.toString("latin1", lta.length).search(/[^\s\0]/);
    for (const one of report.signatures) {
      expect([one.verdict, one.coverage.scope]).toStrictEqual(["invalid", "revision"]);
      expect(one.changes[0]?.what).toBe(`bytes at ${place} that belong to no update of the file`);
    }
    expect(report.verdict).toBe("invalid");
  });

  it("is neither white space behind the file nor the comment of a writer inside a later update", async () => {
    expect((await verify(followedBy(blanks))).verdict).toBe("valid");
    const updated = append(lta, { 850: "<</Type/Unused>>" }).toString("latin1");
    const named = updated.replace(/startxref(?=\s+\d+\s+%%EOF\s*$)/, "%writer 1.0\nstartxref");
    expect(named).not.toBe(updated);
    expect((await verify(Buffer.from(named, "latin1"))).verdict).toBe("valid");
    expect((await verify(Buffer.from(`${named}%writer 1.0\n`, "latin1"))).verdict).toBe("invalid");
  });

  const replaced = (from: RegExp, to: (found: string) => string): Buffer =>
    Buffer.from(lta.toString("latin1").replace(from, to), "latin1");
  const padded = (text: string) => (found: string) => text.padEnd(found.length);

  it.each([
    ["without ranges", padded("/ByteRangX[]"), "byte_range_missing"],
    ["with empty ranges", padded("/ByteRange[]"), "byte_range_not_four"],
    ["with negative ranges", padded("/ByteRange[0 -1 1 -1]"), "byte_range_not_four"],
    ["with ranges that begin later", padded("/ByteRange[9 20 30 40]"), "byte_range_not_from_start"],
    ["with ranges beyond the file", padded("/ByteRange[0 10 20 99999999]"), "byte_range_beyond_end"],
    ["with ranges over its own value", padded("/ByteRange[0 10 20 30]"), "byte_range_gap_differs"],
  ])("%s is found (universal signature forgery, signature wrapping)", async (_, to, code) => {
    const report = await verify(replaced(/\/ByteRange ?\[[^\]]*\]/, to));
    expect(report.verdict).toBe("invalid");
    expect(codesOf(report)).toContain(code);
  });

  it("without a value is found (universal signature forgery)", async () => {
    const report = await verify(replaced(/\/Contents ?<[0-9a-fA-F]+>/, padded("/Contents null")));
    expect(report.verdict).toBe("invalid");
    const zeros = await verify(
      replaced(/\/Contents ?<[0-9a-fA-F]+>/, (found) => found.replaceAll(/(?<=<[^>]*)[1-9a-fA-F]/g, "0")),
    );
    expect(codesOf(zeros)).toContain("contents_empty");
    expect(zeros.verdict).toBe("invalid");
  });

  it("that gives it the time-stamp of another signature is found", async () => {
    const { ports, ...others } = authority;
    const stampOther: typeof ports.stamp = async (hash) => ports.stamp(hash, Buffer.alloc(32, 7));
    const stamped = await sign(makeTestFile(), "B-T", undefined, {
      ...others,
      ports: { ...ports, stamp: stampOther },
    });
    const report = await verify(stamped);
    expect(report.verdict).toBe("invalid");
    expect(codesOf(report)).toContain("stamp_broken");
  });

  it("that names an algorithm of signatures as its hash function is found; an unknown one is not checked", async () => {
    const signed = await sign(makeTestFile(), "B-B");
    const named = (id: string) =>
      Buffer.from(signed.toString("latin1").replaceAll(/608648016503040201/gi, id), "latin1");
    const sha256WithRsa = await verify(named("2a864886f70d01010b"));
    expect(codesOf(sha256WithRsa)).toContain("algorithm_wrong");
    expect(sha256WithRsa.verdict).toBe("invalid");
    const unknown = await verify(named("60864801650304027f"));
    expect(codesOf(unknown)).toContain("algorithm_unknown");
    expect(unknown.verdict).toBe("indeterminate");
  });
});

describe("a mutated file", () => {
  it("is never valid where a signed byte differs, and ends in a report or a failure", async () => {
    const signed = await sign(makeTestFile(), "B-LT");
    const [signature] = (await verify(signed)).signatures;
    const random = seededRandom(20);
    const range = /\/ByteRange ?\[ ?(\d+) (\d+) (\d+) (\d+)/.exec(signed.toString("latin1"));
    const [, , first = "0", second = "0"] = range ?? [];
    for (let round = 0; round < 400; round++) {
      const copy = Buffer.from(signed);
      const place = Math.floor(random() * (signature?.coverage.bytes ?? 0));
      const isGap = place >= Number(first) && place < Number(second);
      copy[place] = copy[place]! ^ (1 << Math.floor(random() * 8));
      const verdict = await verify(copy).then(
        (report) => report.verdict,
        (error: unknown) => (error instanceof Failure ? error.code : `an error: ${String(error)}`),
      );
      expect(verdict).not.toContain("an error");
      if (!isGap) expect(verdict, `byte ${place}`).not.toBe("valid");
    }
  }, 120_000);
});
