import { createHash } from "node:crypto";
import { canonicalJson } from "#contract/canonical-json";
import { Failure } from "#contract/failure";
import type { OpenedTimeline, OpenTimeline } from "#record/operations/open-timeline";
import type { TransactionRecord } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { Attachment, BundleRequest, CollectedBundle, ImageFile } from "./bundle.ts";
import { compareRecords } from "./compare-records.ts";
import {
  attachmentNames,
  type BundleContent,
  type BundleFault,
  type BundleImage,
  type BundleTransaction,
  bundleFormat,
  bundleVersion,
  imageName,
} from "./content.ts";
import { copySegments, entryOf, type WriteLine, writeAnchors } from "./copy-chain.ts";
import { isOwnEntry, subjectsOf } from "./own-entries.ts";
import { planSegments } from "./plan-segments.ts";
import { type FoundEntries, type SearchChainDeps, searchChain } from "./search-chain.ts";

export type CollectDeps = SearchChainDeps & {
  readonly store: SearchChainDeps["store"] & Pick<TransactionCommands, "findTransaction">;
  readonly openTimeline: OpenTimeline;
  /**
   * The pixels of a kept image, without its metadata; undefined where it was revoked, removed, or changed
   * past the service.
   */
  readonly readImage: (tenantId: string, id: string) => Promise<ImageFile | undefined>;
  readonly writeLine: WriteLine;
  /** Version of this program. */
  readonly release: string;
};

/**
 * Collects what an operation decided, and the part of the chain that proves it. Fails with not_found for an
 * operation that the owner does not have, and with evidence_damaged where chain and rows do not fit. Made by
 * {@link makeCollectBundle}.
 */
export type CollectBundle = (request: BundleRequest) => Promise<CollectedBundle>;

export const makeCollectBundle =
  (deps: CollectDeps): CollectBundle =>
  async (request) => {
    const { owner, operation, anyway } = request;
    const timeline = await deps.openTimeline(owner, operation);
    const transactions = await readTransactions(deps, owner.tenantId, timeline);
    const images = await readImages(deps, request, timeline);
    const subjects = subjectsOf(timeline.operation, transactions, images.listed);
    const found = await searchChain(
      deps,
      { tenantId: owner.tenantId, since: timeline.operation.openedAt },
      (link) => isOwnEntry(link, subjects),
    );
    const planned = planSegments({
      own: found.own.map(({ seq }) => seq),
      anchors: found.anchors.map(({ seq }) => seq),
      head: found.last?.seq ?? 0,
    });
    const chain = await copySegments(deps, request, planned, found);
    const anchors = writeAnchors(found.anchors, chain.segments);
    const files = [chain.file, anchors.file, ...images.files];
    const stated = { ...statedOf(deps, request, timeline, found), transactions, images: images.listed };
    const content: BundleContent = {
      ...stated,
      faults: [
        ...found.faults.map(chainFault),
        ...chain.faults,
        ...timeline.assets.flatMap(imageFault),
        ...compareRecords(stated),
      ],
      chain: { ...headOf(found), segments: [...chain.segments], anchors: anchors.count },
      attachments: files.map(({ name, bytes }) => ({ name, bytes: bytes.length, sha256: sha256(bytes) })),
    };
    if (content.faults.length > 0 && !anyway) throw damaged(content.faults);
    return { content, attachments: [contentFile(content), ...files] };
  };

/** Most faults that a refusal names. */
const namedMax = 20;

const damaged = (faults: readonly BundleFault[]): Failure =>
  new Failure("evidence_damaged", {
    count: faults.length,
    faults: faults.slice(0, namedMax).map(({ place, finding }) => `${place}: ${finding}`),
  });

const chainFault = ({ seq, field, finding }: FoundEntries["faults"][number]): BundleFault => ({
  place: `chain, entry ${seq}, ${field}`,
  finding,
});

/**
 * An image whose row was changed past the service can be of another operation: it is listed without its
 * bytes.
 */
const imageFault = ({ id, isForged }: OpenedTimeline["assets"][number]): readonly BundleFault[] =>
  isForged === true
    ? [{ place: `image ${id}`, finding: "its row was added or changed past the service: idem rights verify" }]
    : [];

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const contentFile = (content: BundleContent): Attachment =>
  contentFileOf(Buffer.from(canonicalJson(content), "utf8"));

/** The bytes of `evidence.json` as an attachment. */
export const contentFileOf = (bytes: Uint8Array): Attachment => ({
  name: attachmentNames.content,
  mediaType: "application/json",
  description: "What the service decided in the operation",
  bytes,
});

const statedOf = (
  { release }: CollectDeps,
  { owner, at }: BundleRequest,
  { operation, events, isWhole }: OpenedTimeline,
  { own }: FoundEntries,
): Omit<BundleContent, "transactions" | "images" | "faults" | "chain" | "attachments"> => ({
  format: bundleFormat,
  version: bundleVersion,
  madeAt: at.toISOString(),
  release,
  tenant: { id: owner.tenantId, name: owner.tenantName },
  environment: owner.environment,
  operation: {
    id: operation.id,
    state: operation.state,
    openedAt: operation.openedAt.toISOString(),
    endedAt: operation.endedAt?.toISOString() ?? null,
    endedBy: operation.endedBy ?? null,
    reason: operation.reason ?? null,
    family: operation.family ?? null,
    customer: operation.customerId,
  },
  events: events.map(({ id, sequence, name, at: time, data = null }) => ({
    id,
    sequence,
    name,
    at: time.toISOString(),
    data,
  })),
  entries: own.map(entryOf),
  isWhole,
});

const headOf = ({ last, searched }: FoundEntries) => ({
  head: last === undefined ? null : { seq: last.seq, hash: last.hash, at: new Date(last.at).toISOString() },
  searched: { ...searched },
});

const readTransactions = async (
  { store }: CollectDeps,
  tenantId: string,
  { steps }: OpenedTimeline,
): Promise<BundleTransaction[]> => {
  const read: BundleTransaction[] = [];
  // One after the other: an operation has some ten calls, and the first reads the tenant's keys for all.
  for (const { transactionId: id, endpoint, at } of steps) {
    const record = await store.findTransaction(tenantId, id);
    read.push({ id, endpoint, at: at.toISOString(), record: record === undefined ? null : recordOf(record) });
  }
  return read;
};

const recordOf = (record: TransactionRecord): NonNullable<BundleTransaction["record"]> => ({
  key: record.keyId,
  result: record.result,
  measurements: record.measurements,
  policy: record.policyVersion,
  models: { ...record.models },
  tokens: [...record.tokenHashes],
});

const readImages = async (
  { readImage }: CollectDeps,
  { owner, withImages }: BundleRequest,
  { assets }: OpenedTimeline,
): Promise<{ readonly listed: BundleImage[]; readonly files: readonly Attachment[] }> => {
  const listed: BundleImage[] = [];
  const files: Attachment[] = [];
  for (const { id, type, createdAt, revokedAt } of assets) {
    const image = revokedAt === undefined ? await readImage(owner.tenantId, id) : undefined;
    const name = imageName(id);
    const isHeld = image !== undefined && withImages;
    if (isHeld) files.push({ name, ...image, description: `Image of the operation: ${type}` });
    listed.push({
      id,
      type,
      keptAt: createdAt.toISOString(),
      revokedAt: revokedAt?.toISOString() ?? null,
      sha256: image === undefined ? null : sha256(image.bytes),
      attachment: isHeld ? name : null,
    });
  }
  return { listed, files };
};
