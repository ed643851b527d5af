import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { linkDepsOf } from "#app/evidence-bundle";
import { canonicalJson } from "#contract/canonical-json";
import { sampleContent } from "#support/signing/evidence/bundle/sample-content";
import { readCertificate } from "#trust/asn1/certificate";
import { openMemoryAuthority } from "#trust/signers/memory-authority";
import { signPdf } from "../../pades/sign-pdf.ts";
import { openPdf } from "../../pdf/open-pdf.ts";
import type { Attachment } from "./bundle.ts";
import { attachmentNames } from "./content.ts";
import { writeReport } from "./report/write-report.ts";
import { reasonText } from "./stated-hash.ts";
import { verifySignedBundle } from "./verify/verify-signed-bundle.ts";

const json = (name: string, value: Parameters<typeof canonicalJson>[0]): Attachment => ({
  name,
  mediaType: "application/json",
  description: name,
  bytes: Buffer.from(canonicalJson(value), "utf8"),
});
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const anchors = json(attachmentNames.anchors, {
  format: "idem-evidence-anchors",
  version: 1,
  anchors: [],
});
const chain = { ...json(attachmentNames.chain, null), bytes: new Uint8Array() };

/** An operation without entries: its bundle needs no chain. */
const content = sampleContent({
  operation: { ...sampleContent().operation, state: "open", endedAt: null, endedBy: null, reason: null },
  entries: [],
  chain: { head: null, searched: { from: 1, through: 0, isWhole: true }, segments: [], anchors: 0 },
  attachments: [chain, anchors].map(({ name, bytes }) => ({
    name,
    bytes: bytes.length,
    sha256: sha256(bytes),
  })),
});
const evidence = json(attachmentNames.content, content);

let authority: Awaited<ReturnType<typeof openMemoryAuthority>>;
let signed: Uint8Array;

const sign = async (reason: string, certify?: 1 | 2): Promise<Uint8Array> => {
  const pdf = await openPdf(await writeReport(content, [evidence, chain, anchors]));
  const revision = { at: new Date(), reason, ...(certify && { certify }) };
  const request = { signer: authority.signer, level: "B-LTA", known: authority.roots, revision } as const;
  return new Uint8Array(Buffer.concat((await signPdf(pdf, request, authority.ports)).parts));
};

const verify = (pdf: Uint8Array, roots: readonly Uint8Array[] = authority.roots) =>
  verifySignedBundle(linkDepsOf(undefined), pdf, { roots: roots.map(readCertificate), now: new Date() });

beforeAll(async () => {
  authority = await openMemoryAuthority({ form: "p256" });
  signed = await sign(reasonText("op-1", sha256(evidence.bytes)), 1);
});

describe("a signed bundle", () => {
  it("is valid with the roots alone, at the proven time, and untrusted without them", async () => {
    const report = await verify(signed);
    expect(report.faults).toEqual([]);
    expect(report).toMatchObject({
      verdict: "valid",
      signature: { verdict: "valid", profile: "PAdES-B-LTA", stated: sha256(evidence.bytes) },
      content: { operation: { id: "op-1" } },
    });
    expect(await verify(signed, [])).toMatchObject({ verdict: "untrusted", faults: [] });
  });

  it("of which a covered byte was changed, of any part, is never valid", async () => {
    // The last time-stamp itself is covered by nothing: what matters in it is verified, spare copies of
    // certificates are not.
    const text = Buffer.from(signed).toString("latin1");
    const from = text.lastIndexOf("/Contents <");
    const to = text.indexOf(">", from);
    const step = Math.floor(signed.length / 60);
    for (let at = 10; at < signed.length; at += step) {
      if (at > from && at < to) continue;
      const copy = new Uint8Array(signed);
      copy[at] = copy[at]! ^ 1;
      expect((await verify(copy)).verdict, `byte ${at}`).not.toBe("valid");
    }
  });

  it("that was cut, or is no PDF, is invalid", async () => {
    for (const pdf of [signed.subarray(0, 3000), new Uint8Array(), Buffer.from("%PDF-1.7\n")])
      expect((await verify(pdf)).verdict).toBe("invalid");
  });

  it("that certifies nothing, allows changes, or states another hash is invalid, and says so", async () => {
    const reason = reasonText("op-1", sha256(evidence.bytes));
    const text = async (pdf: Uint8Array) => JSON.stringify((await verify(pdf)).faults);
    expect(await text(await sign(reason))).toContain("does not certify");
    expect(await text(await sign(reason, 2))).toContain("does not certify");
    expect(await text(await sign("I agree", 1))).toContain("states no hash");
    expect(await text(await sign(reasonText("op-1", "ab".repeat(32)), 1))).toContain(
      "its hash is not that of the signature",
    );
  });
});
