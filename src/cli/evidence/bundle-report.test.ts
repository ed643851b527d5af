import { expect, it } from "vitest";
import { sampleContent } from "#support/signing/evidence/bundle/sample-content";
import { describeBundle } from "./bundle-report.ts";

const signature = {
  verdict: "valid",
  signer: "CN=Idem",
  at: "2026-11-23T10:00:31.000Z",
  until: "2036-11-23T00:00:00.000Z",
  profile: "PAdES-B-LTA",
  reasons: [],
} as const;

it("names operation, signer, time, chain and anchors of a valid bundle", () => {
  const newest = { seq: 11, at: 0, signer: "CN=TSA", isTrusted: true };
  const chain = { links: 6, anchors: 1, newest };
  const report = { verdict: "valid", signature, content: sampleContent(), chain, faults: [] } as const;
  expect(describeBundle(report)).toEqual([
    "operation:  op-1, DENIED",
    "of:         Banco Español de Año Nuevo, environment test",
    "made:       2026-11-23T10:00:30.000Z by Idem 0.0.0",
    "holds:      3 calls and decisions, 3 events, 2 images",
    "signature:  valid, PAdES-B-LTA, signed by CN=Idem, at 2026-11-23T10:00:31.000Z, provable until 2036-11-23T00:00:00.000Z",
    "chain:      2 entries of the operation, 6 links, to the head of the chain",
    "anchors:    1, the newest of 1970-01-01T00:00:00.000Z for entry 11 by CN=TSA",
    "result:     valid",
  ]);
});

it("names each fault, and leaves out what cannot be read", () => {
  const faults = [{ place: "evidence.json", finding: "it is missing" }];
  const invalid = { ...signature, verdict: "invalid", reasons: ["the digest differs"] } as const;
  expect(describeBundle({ verdict: "invalid", signature: invalid, faults })).toEqual([
    "signature:  invalid, PAdES-B-LTA, signed by CN=Idem, at 2026-11-23T10:00:31.000Z, provable until 2036-11-23T00:00:00.000Z, the digest differs",
    "fault:      evidence.json: it is missing",
    "result:     INVALID",
  ]);
});
