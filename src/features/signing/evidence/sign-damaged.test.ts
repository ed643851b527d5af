import { beforeAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { seededRandom } from "#contract/statistics/random";
import { sampleFacts } from "#support/signing/evidence/sample-facts";
import { damagePdf } from "#support/signing/pdf/damage-pdf";
import { type DamagedFile, makeDamagedFiles } from "#support/signing/pdf/damaged-files";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { shownPages } from "#support/signing/pdf/shown-pages";
import { readCertificate } from "#trust/asn1/certificate";
import { type MemoryAuthority, openMemoryAuthority } from "#trust/signers/memory-authority";
import { signPdf } from "../pades/sign-pdf.ts";
import { openPdf } from "../pdf/open-pdf.ts";
import type { RepairPolicy } from "../pdf/repairs.ts";
import { extendProven } from "../verify/sign-proven.ts";
import { verifyPdf } from "../verify/verify-pdf.ts";
import { signWithStatement } from "./sign-with-statement.ts";

const count = 260;
const at = new Date();
const facts = sampleFacts(at);

let authority: MemoryAuthority;
let files: readonly DamagedFile[];

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
  files = await makeDamagedFiles(count, 11);
});

const sign = async (bytes: Uint8Array, repair: RepairPolicy): Promise<Buffer> => {
  const { signer, roots: known, ports } = authority;
  const terms = { signer, level: "B-LTA", known, bytesMax: 1_000_000, repair } as const;
  const { parts } = await signWithStatement(
    Uint8Array.from(bytes),
    { facts },
    terms,
    new Uint8Array(),
    ports,
  );
  return Buffer.concat(parts);
};

/** Whether a reader shows what one state of the file before its damage showed. */
const showsAll = (signed: Uint8Array, shown: DamagedFile["shown"]): boolean => {
  try {
    const now = JSON.stringify(shownPages(signed));
    return shown.some((pages) => JSON.stringify(pages) === now);
  } catch {
    return false;
  }
};

const verdictOf = async (signed: Uint8Array): Promise<string> => {
  const roots = authority.roots.map(readCertificate);
  return (await verifyPdf(signed, { roots: { signers: roots, stamps: roots }, now: new Date() })).verdict;
};

/** What happened to a file: its signed bytes, or why it was refused. */
type Outcome = { readonly signed: Buffer } | { readonly refusal: unknown };

const outcomeOf = async (work: Promise<Buffer>): Promise<Outcome> =>
  await work.then(
    (signed) => ({ signed }),
    (refusal: unknown) => ({ refusal }),
  );

/** What is wrong with a refusal; undefined where a caller reads a code and a cause. */
const faultOfRefusal = (refusal: unknown): string | undefined => {
  if (!(refusal instanceof Failure)) return `no failure: ${String(refusal)}`;
  const { code, facts: stated } = refusal;
  if (code === "pdf_too_large") return undefined;
  if (!["pdf_unreadable", "pdf_damaged_and_signed", "pdf_signature_broken"].includes(code)) return code;
  return typeof stated["reason"] === "string" && stated["reason"].length > 3
    ? undefined
    : `${code}: no cause`;
};

const faultOf = async (
  outcome: Outcome,
  { shown }: Pick<DamagedFile, "shown">,
): Promise<string | undefined> => {
  if ("refusal" in outcome) return faultOfRefusal(outcome.refusal);
  const { signed } = outcome;
  if (!showsAll(signed, shown)) return "a page lost what it shows";
  const verdict = await verdictOf(signed);
  return verdict === "valid" ? undefined : `its verdict is ${verdict}`;
};

const signAll = async (repair: RepairPolicy) => {
  const [faults, refusals]: [string[], Failure[]] = [[], []];
  let signed = 0;
  for (const file of files) {
    const outcome = await outcomeOf(sign(file.bytes, repair));
    const fault = await faultOf(outcome, file);
    if (fault !== undefined) faults.push(`${file.name}: ${fault}`);
    if ("signed" in outcome) signed++;
    else if (outcome.refusal instanceof Failure) refusals.push(outcome.refusal);
  }
  return { faults, signed, refusals };
};

const settingsOf = (refusals: readonly Failure[]): ReadonlySet<unknown> =>
  new Set(refusals.flatMap(({ facts: stated }) => ("setting" in stated ? [stated["setting"]] : [])));

describe(`${count} cut and damaged files`, () => {
  it("are refused with a cause, or signed valid with all that their pages show", async () => {
    const { faults, signed, refusals } = await signAll("refuse");
    expect(faults).toEqual([]);
    expect(signed).toBeGreaterThan(40);
    expect(refusals.length).toBeGreaterThan(150);
    expect(settingsOf(refusals)).toEqual(new Set(["IDEM_SIGNING_REPAIR=allow"]));
  }, 120_000);

  it("are so too where the operator allows repairs, and more of them are signed", async () => {
    const { faults, signed, refusals } = await signAll("allow");
    expect(faults).toEqual([]);
    expect(signed).toBeGreaterThan(80);
    expect(refusals.length).toBeGreaterThan(80);
    expect(settingsOf(refusals)).toEqual(new Set());
  }, 120_000);

  it("lose pages where nothing looks at what they show", async () => {
    const { signer, roots: known, ports } = authority;
    const request = { signer, level: "B-B", known, revision: { at } } as const;
    let lost = 0;
    for (const { bytes, shown } of files) {
      const unchecked = openPdf(Uint8Array.from(bytes), { repair: "allow" }).then(async (file) =>
        Buffer.concat((await signPdf(file, request, ports)).parts),
      );
      const outcome = await outcomeOf(unchecked);
      if ("signed" in outcome && !showsAll(outcome.signed, shown)) lost++;
    }
    expect(lost).toBeGreaterThan(20);
  }, 120_000);
});

describe("a signed file that is damaged", () => {
  it("is extended valid and with all its pages, or not at all", async () => {
    const whole = makePdf({ xref: "table", pages: 2, isDeflated: true });
    const signed = await sign(whole, "refuse");
    const random = seededRandom(12);
    const faults: string[] = [];
    const counts = { extended: 0, refused: 0 };
    for (let number = 0; number < 80; number++) {
      const kind = (["cut", "hole", "zeros", "stray"] as const)[number % 4]!;
      const bytes = Uint8Array.from(damagePdf(signed, kind, random));
      const request = { hash: "sha256", known: authority.roots, now: new Date() } as const;
      const work = openPdf(bytes).then(async (file) =>
        Buffer.concat((await extendProven(file, request, authority.ports)).parts),
      );
      const outcome = await outcomeOf(work);
      counts["signed" in outcome ? "extended" : "refused"]++;
      const isUnproven = "refusal" in outcome && Object(outcome.refusal).code === "signature_unproven";
      const fault = isUnproven ? undefined : await faultOf(outcome, { shown: [shownPages(whole)] });
      if (fault !== undefined) faults.push(`${number}: ${kind}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(counts.refused).toBeGreaterThan(40);
    expect(counts.extended).toBeGreaterThan(1);
  }, 120_000);
});
