/**
 * Composition of the evidence: anchors of the chains in a file, the log and, where it is set up, as
 * time-stamps.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Config, ConfigError } from "#machine/config/config";
import type { Egress } from "#machine/egress/egress";
import type { Collector } from "#machine/http/metrics";
import { type AnchorHeads, type AnchorPlace, makeAnchorHeads } from "#record/transactions/anchor-heads";
import type { HeadLine } from "#record/transactions/evidence-file";
import { appendHeads, headFileName, readHeads } from "#record/transactions/head-file";
import type { ChainHead, EvidenceCommands } from "#record/transactions/store/evidence-store";
import { makeAuthorities, makeStampHash, type StampHash } from "#trust/timestamps/authorities";
import { type Authority, makeAuthority } from "#trust/timestamps/authority";
import { type Roots, readRoots } from "#trust/timestamps/trust";
import type { Module } from "./module.ts";
import type { Note, Parts } from "./parts.ts";

/** The file of heads of a deployment. */
export const headFileOf = ({ dataDirectory }: Pick<Config, "dataDirectory">): string =>
  join(dataDirectory, headFileName);

/**
 * The time-stamping authorities of the configuration, in their order; undefined without one. Throws
 * ConfigError if the file of the trusted roots cannot be read, or holds no certificate.
 */
export const openAuthorities = async (
  { timestamps }: Pick<Config, "timestamps">,
  egress: Egress,
  clock: () => Date = () => new Date(),
): Promise<readonly Authority[] | undefined> => {
  if (timestamps === undefined) return undefined;
  const shared = { egress, roots: await readRootFile(timestamps.caFile), clock };
  return timestamps.authorities.map((one) => makeAuthority({ ...shared, ...one }));
};

/** The trusted roots of a PEM file. Throws ConfigError with the setting that names it. */
export const readRootFile = async (path: string, setting = "IDEM_TIMESTAMP_CA"): Promise<Roots> => {
  try {
    return readRoots(await readFile(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error && !("code" in error) ? error.message : "cannot be read";
    throw new ConfigError([
      `${setting} names ${path}: it ${reason}. Name a PEM file with root certificates.`,
    ]);
  }
};

/** A head as a line of the file of heads. */
const lineOf = ({ tenantId, seq, hash }: ChainHead, at: Date): HeadLine => ({
  type: "head",
  format: 1,
  tenantId,
  lastSeq: seq,
  headHash: hash,
  at: at.getTime(),
});

/**
 * The newest head of each tenant in the file. Only these are kept in memory, because the file grows for ever.
 */
const newestIn = async (path: string): Promise<readonly ChainHead[]> => {
  const newest = new Map<string, ChainHead>();
  for await (const { tenantId, lastSeq: seq, headHash: hash, at } of readHeads(path)) {
    if (seq >= (newest.get(tenantId)?.seq ?? 0)) newest.set(tenantId, { tenantId, seq, hash, at });
  }
  return [...newest.values()];
};

const makeFilePlace = (path: string, clock: () => Date, note: Note): AnchorPlace => ({
  kind: "file",
  listNewest: () => newestIn(path),
  keep: async (head) => {
    await appendHeads(path, [lineOf(head, clock())]);
    const { tenantId, seq, hash } = head;
    note("evidence head", { tenantId, seq, hash });
  },
});

const makeTimestampPlace = (
  store: Pick<EvidenceCommands, "listNewestAnchors" | "insertAnchor">,
  stampHash: StampHash,
): AnchorPlace => ({
  kind: "timestamp",
  listNewest: store.listNewestAnchors,
  keep: async ({ tenantId, seq, hash }, signal) => {
    const { token, stamp, authority } = await stampHash(hash, signal);
    await store.insertAnchor({ tenantId, seq, hash, at: stamp.at, authority, token });
  },
});

type KindOfAnchors = AnchorHeads & Pick<AnchorPlace, "kind">;

/** Times of the anchors. A kind is left out while it has no anchor, or nothing that waits for one. */
const gaugesOf = (kinds: readonly KindOfAnchors[], clock: () => Date): readonly Collector[] => {
  const ageOf =
    (timeOf: (kind: KindOfAnchors) => number | undefined): Collector["read"] =>
    () =>
      kinds.flatMap((one) => {
        const time = timeOf(one);
        const value = time === undefined ? undefined : Math.max(0, (clock().getTime() - time) / 1000);
        return value === undefined ? [] : [{ labels: { kind: one.kind }, value }];
      });
  return [
    {
      name: "idem_evidence_anchor_age_seconds",
      help: "Age of the newest anchor of an evidence chain",
      labels: ["kind"],
      read: ageOf(({ state }) => state().newestAt),
    },
    {
      name: "idem_evidence_unanchored_seconds",
      help: "Age of the oldest evidence entry that no anchor covers",
      labels: ["kind"],
      read: ageOf(({ state }) => state().unanchoredSince),
    },
  ];
};

type EvidenceParts = Pick<Parts, "clock" | "report" | "note"> & {
  readonly config: Pick<Config, "evidence" | "dataDirectory">;
  readonly store: Pick<
    EvidenceCommands,
    "listChainHeads" | "listLinks" | "listNewestAnchors" | "insertAnchor"
  >;
};

/** Opens the anchoring of the evidence chains: as time-stamps where there are authorities. */
export const openEvidence = (
  { config, store, clock, report, note }: EvidenceParts,
  authorities: readonly Authority[] | undefined,
): Module => {
  const { anchorEveryMs: everyMs } = config.evidence;
  const onFallBack = (authority: string, faults: string): void =>
    note("time-stamping authority replaced", { authority, faults });
  const places = [
    makeFilePlace(headFileOf(config), clock, note),
    ...(authorities === undefined
      ? []
      : [makeTimestampPlace(store, makeStampHash(makeAuthorities({ authorities, clock, onFallBack })))]),
  ];
  const kinds = places.map((place) => ({
    kind: place.kind,
    ...makeAnchorHeads({
      store,
      place,
      everyMs,
      clock,
      onError: (tenantId, error) =>
        report("evidence", `Could not keep the head of a chain (${place.kind})`, error, tenantId),
    }),
  }));
  return {
    name: "evidence",
    tidying: kinds.map(({ run }) => run),
    gauges: gaugesOf(kinds, clock),
  };
};
