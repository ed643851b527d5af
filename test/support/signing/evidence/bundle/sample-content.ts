import type { BundleContent } from "#features/signing/evidence/bundle/content";

const at = (second: number): string => `2026-11-23T10:00:${String(second).padStart(2, "0")}.000Z`;
const hash = (digit: string): string => digit.repeat(64);
const model = { "scrfd_10g@1": hash("a") };

const documentResult = { scanReference: "s1", attempt: 1, code: 9102, reasonCode: 106, others: [] };

const entries: BundleContent["entries"] = [
  {
    seq: 7,
    id: "e-7",
    kind: "document_decided",
    at: at(4),
    hash: hash("7"),
    body: { transaction: "t-document", result: documentResult },
  },
  {
    seq: 9,
    id: "e-9",
    kind: "operation_ended",
    at: at(9),
    hash: hash("9"),
    body: { operation: "op-1", transaction: "t-end", state: "DENIED", reason: "FACIAL_LIVENESS_NOT_PASSED" },
  },
];

const transactions: BundleContent["transactions"] = [
  {
    id: "t-face",
    endpoint: "identity",
    at: at(2),
    record: {
      key: "key-1",
      result: { facial: 3, liveness: 17 },
      measurements: {
        comparison: { result: "Positive", score: 0.731_234, similarity: 0.98, falseMatchRate: 0.000_001 },
        liveness: {
          result: "NoLive",
          assurance: "model",
          attackScore: 4.2,
          cues: { moire: 2.1, screenEdge: 2.1 },
        },
      },
      policy: "face-2026-11",
      models: model,
      tokens: [hash("b")],
    },
  },
  {
    id: "t-document",
    endpoint: "documentValidation",
    at: at(4),
    record: {
      key: "key-1",
      result: documentResult,
      measurements: {
        attack: null,
        findings: [{ name: "expired", holds: false, code: 106, evidence: { days: 1200 } }],
      },
      policy: "document-2026-11",
      models: model,
      tokens: [],
    },
  },
  {
    id: "t-end",
    endpoint: "finishTracking",
    at: at(9),
    record: {
      key: "key-1",
      result: { state: "DENIED", reason: "FACIAL_LIVENESS_NOT_PASSED" },
      measurements: null,
      policy: "",
      models: {},
      tokens: [],
    },
  },
];

const events: BundleContent["events"] = [
  { id: "v-1", sequence: 1, name: "operation_started", at: at(1), data: { customerId: "niña-ñandú-77" } },
  { id: "v-2", sequence: 2, name: "selfie_captured", at: at(2), data: {} },
  { id: "v-3", sequence: 3, name: "operation_finished", at: at(9), data: { status: "DENIED" } },
];

/** What `evidence.json` of an artificial operation states. */
export const sampleContent = (change: Partial<BundleContent> = {}): BundleContent => ({
  format: "idem-evidence-bundle",
  version: 1,
  madeAt: at(30),
  release: "0.0.0",
  tenant: { id: "tenant-1", name: "Banco Español de Año Nuevo" },
  environment: "test",
  operation: {
    id: "op-1",
    state: "DENIED",
    openedAt: at(1),
    endedAt: at(9),
    endedBy: "t-end",
    reason: "FACIAL_LIVENESS_NOT_PASSED",
    family: "OnBoarding",
    customer: "niña-ñandú-77",
  },
  transactions,
  events,
  images: [
    { id: "i-1", type: "selfie", keptAt: at(2), revokedAt: null, sha256: hash("c"), attachment: null },
    { id: "i-2", type: "id_front", keptAt: at(3), revokedAt: at(8), sha256: null, attachment: null },
  ],
  entries,
  chain: {
    head: { seq: 12, hash: hash("d"), at: at(20) },
    searched: { from: 1, through: 12, isWhole: true },
    segments: [{ since: 6, startHash: hash("6"), lastSeq: 12, lastHash: hash("d"), end: "head" }],
    anchors: 1,
  },
  isWhole: true,
  faults: [],
  attachments: [{ name: "chain.jsonl", bytes: 10, sha256: hash("e") }],
  ...change,
});
