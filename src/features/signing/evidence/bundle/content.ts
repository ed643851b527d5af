import { type Static, Type } from "typebox";
import type { Json } from "#contract/json";
import { makeCheck } from "#contract/make-check";

/** Names of the attachments of a bundle. Kept images follow, as {@link imageName}. */
export const attachmentNames = {
  content: "evidence.json",
  chain: "chain.jsonl",
  anchors: "anchors.json",
} as const;

/** Attachment of a kept image. */
export const imageName = (id: string): string => `image-${id}`;

/** Identity of the format. A reader refuses a later version. */
export const bundleFormat = "idem-evidence-bundle";
export const bundleVersion = 1;

const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const nullable = Type.Union([Type.String(), Type.Null()]);
/** UTC, ISO 8601 with milliseconds. */
const time = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" });
const nullableTime = Type.Union([time, Type.Null()]);
const json = Type.Unsafe<Json>(Type.Unknown());

/**
 * One call or decision of the operation. What the call stored is absent once its retention has removed it.
 */
const transaction = Type.Object({
  id: Type.String(),
  endpoint: Type.String(),
  at: time,
  record: Type.Union([
    Type.Null(),
    Type.Object({
      key: Type.String(),
      result: json,
      measurements: json,
      policy: Type.String(),
      /** Name of a model to the SHA-256 of its weights. */
      models: Type.Record(Type.String(), Type.String()),
      /** SHA-256 of each token or image of the call, as the record keeps them. */
      tokens: Type.Array(Type.String()),
    }),
  ]),
});

const event = Type.Object({
  id: Type.String(),
  sequence: position,
  name: Type.String(),
  at: time,
  /** Null where the data cannot be opened any more. */
  data: json,
});

const image = Type.Object({
  id: Type.String(),
  type: Type.String(),
  keptAt: time,
  revokedAt: nullableTime,
  /** SHA-256 of the image as it was sent. Null if the image was revoked or removed. */
  sha256: Type.Union([hash, Type.Null()]),
  /** Name of its attachment; null where the bundle holds the hash alone. */
  attachment: nullable,
});

/** An entry of the chain that belongs to the operation. */
const entry = Type.Object({
  seq: position,
  id: Type.String(),
  kind: Type.String(),
  at: time,
  hash,
  /** Null once the body was removed; the chain records the removal. */
  body: json,
});

/** How far the links of a segment lead: to the head of the chain, to an anchor, or to the entry alone. */
export const segmentEnds = ["head", "anchor", "entry"] as const;

/** A contiguous part of the chain: the entries after `since` up to `lastSeq`. */
const segment = Type.Object({
  since: position,
  startHash: hash,
  lastSeq: position,
  lastHash: hash,
  end: Type.Enum(segmentEnds),
});

const fault = Type.Object({ place: Type.String(), finding: Type.String() });

const content = Type.Object({
  format: Type.Literal(bundleFormat),
  version: Type.Literal(bundleVersion),
  madeAt: time,
  /** Release of the service that made the bundle. */
  release: Type.String(),
  tenant: Type.Object({ id: Type.String(), name: Type.String() }),
  environment: Type.String(),
  operation: Type.Object({
    id: Type.String(),
    state: Type.String(),
    openedAt: time,
    endedAt: nullableTime,
    endedBy: nullable,
    reason: nullable,
    family: nullable,
    customer: Type.String(),
  }),
  transactions: Type.Array(transaction),
  events: Type.Array(event),
  images: Type.Array(image),
  entries: Type.Array(entry),
  chain: Type.Object({
    /** The last entry when the bundle was made. */
    head: Type.Union([Type.Null(), Type.Object({ seq: position, hash, at: time })]),
    /** The entries that were read and checked to find those of the operation. */
    searched: Type.Object({ from: position, through: position, isWhole: Type.Boolean() }),
    segments: Type.Array(segment),
    anchors: Type.Integer({ minimum: 0 }),
  }),
  /** Whether all steps, events and images of the operation are here: long lists are cut. */
  isWhole: Type.Boolean(),
  /** What did not fit when the bundle was made; empty unless the operator asked for the bundle anyway. */
  faults: Type.Array(fault),
  attachments: Type.Array(Type.Object({ name: Type.String(), bytes: position, sha256: hash })),
});

/** The JSON Schema of `evidence.json`; api/evidence-bundle.schema.json is generated from it. */
export const contentSchema = content;

/** What `evidence.json` states. Times are UTC in ISO 8601. */
export type BundleContent = Static<typeof content>;
export type BundleTransaction = Static<typeof transaction>;
export type BundleImage = Static<typeof image>;
export type BundleEntry = Static<typeof entry>;
export type Segment = Static<typeof segment>;
/** What does not fit: where, and a sentence for the operator. */
export type BundleFault = Static<typeof fault>;

/** The shape of `evidence.json`. */
export const contentShape = makeCheck(content);

const anchors = Type.Object({
  format: Type.Literal("idem-evidence-anchors"),
  version: Type.Literal(1),
  anchors: Type.Array(
    Type.Object({
      seq: position,
      hash,
      at: time,
      authority: Type.String(),
      /** The TimeStampToken (DER), Base64. */
      token: Type.String(),
    }),
  ),
});

/** What `anchors.json` states. */
export type BundleAnchors = Static<typeof anchors>;

/** The shape of `anchors.json`. */
export const anchorsShape = makeCheck(anchors);
