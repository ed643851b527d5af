import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type SigningInstruction, signingRevision, standardPosition } from "./signing-revision.ts";
import { type SigningFacts, statementOf } from "./statement.ts";

const font = new Uint8Array([1]);
const sent = { sha256: "ab".repeat(32), bytes: 1234 };
const facts: SigningFacts = {
  transaction: "11111111-1111-4111-8111-111111111111",
  at: "2026-11-23T21:04:05.678Z",
  signingType: "1",
  contact: "anna@example.org",
  place: { city: "Ñuñoa", country: "CHL", position: "-33.45,-70.6", ipAddress: "203.0.113.7" },
  authentication: {
    transaction: "2db602ee-3564-4304-af95-92a52eaae12d",
    endpoint: "identity",
    at: "2026-11-23T21:00:00.000Z",
    hash: "0123456789ABCDEF".repeat(8),
    result: { facial: 3, liveness: 3 },
    similarity: 0.99,
    falseMatchRate: 0.000001,
    policyVersion: "faces-1",
    models: { "dlib-resnet": "cd".repeat(32) },
  },
};
const revisionOf = (instruction: Partial<SigningInstruction> = {}, pageCount = 3) =>
  signingRevision({ facts, ...instruction }, { sent, pageCount }, font);

describe("the revision of a signing", () => {
  it("attaches the statement, and binds it to the signature dictionary by its hash", () => {
    const { revision, statementSha256 } = revisionOf();
    const [attachment] = revision.attachments;
    const text = Buffer.from(attachment?.bytes ?? []).toString("utf8");
    expect(attachment).toMatchObject({ name: "idem-statement.json", mediaType: "application/json" });
    expect(text).toBe(statementOf(facts, { sent }));
    expect(statementSha256).toBe(createHash("sha256").update(text).digest("hex"));
    expect(revision.reason).toBe(
      `Autenticacion facial; tx=${facts.authentication.transaction}; hash=${facts.authentication.hash}; statement=sha256:${statementSha256}`,
    );
  });

  it("states contact, place and position, with and without the optional fields", () => {
    expect(revisionOf().revision).toMatchObject({
      at: new Date(facts.at),
      contact: "anna@example.org",
      location: "Ñuñoa, CHL, -33.45,-70.6",
      statement: { IpAddress: "203.0.113.7", Position: "-33.45,-70.6", DocumentSha256: sent.sha256 },
    });
    const bare = revisionOf({ facts: { ...facts, place: { city: "Lima", country: "PER" } } }).revision;
    expect(bare.location).toBe("Lima, PER");
    expect(bare.statement).not.toHaveProperty("IpAddress");
    expect(bare.statement).not.toHaveProperty("Position");
  });

  it("is invisible without an appearance", () => {
    expect(revisionOf().revision).not.toHaveProperty("visible");
  });

  it("is visible on the last page at the standard position where neither is given", () => {
    const image = { bytes: new Uint8Array([2]), format: "png" } as const;
    expect(revisionOf({ appearance: { image } }, 7).revision.visible).toStrictEqual({
      pageNumber: 7,
      position: standardPosition,
      image,
      lines: ["anna@example.org", "2026-11-23 21:04:05 UTC", facts.transaction],
      font,
    });
    expect(
      revisionOf({ appearance: { pageNumber: 2, position: [1, 2, 3, 4] } }).revision.visible,
    ).toMatchObject({ pageNumber: 2, position: [1, 2, 3, 4] });
  });
});

describe("the statement", () => {
  it("is canonical: members in order, and the same text for the same facts", () => {
    const text = statementOf(facts, { sent });
    expect(Object.keys(JSON.parse(text))).toStrictEqual([
      "authentication",
      "contact",
      "document",
      "place",
      "signing",
      "type",
      "version",
    ]);
    expect(JSON.parse(text)).toMatchObject({
      type: "idem.signing-statement",
      version: 1,
      document: sent,
      signing: { transaction: facts.transaction, at: facts.at, signingType: "1" },
      authentication: facts.authentication,
    });
  });

  it("names a repaired document beside the one that was sent", () => {
    const repaired = { sha256: "ef".repeat(32), bytes: 1300 };
    expect(JSON.parse(statementOf(facts, { sent, repaired })).document).toStrictEqual({ ...sent, repaired });
  });
});
