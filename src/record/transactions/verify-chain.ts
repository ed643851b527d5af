import type { Json } from "#contract/json";
import { bodiesRemoved, chainStart, hashBody, hashFormerLink, hashLink, receiptKinds } from "./evidence.ts";
import { makeMissingBodies, type Range } from "./missing-bodies.ts";
import type { ChainHead, StoredLink } from "./store/evidence-store.ts";

/** What differs at a place of a chain. */
export type ChainFault = {
  /** Position of the entry; 0 where the whole chain is meant. */
  readonly seq: number;
  readonly field:
    | "seq"
    | "id or kind"
    | "time"
    | "body"
    | "body hash"
    | "previous hash"
    | "hash"
    | "entry"
    | "head"
    | "time-stamp";
  /** A sentence for the operator. */
  readonly finding: string;
};

/** A head of the chain that was kept outside of it, and where. */
export type KnownHead = Pick<ChainHead, "seq" | "hash" | "at"> & { readonly source: string };

/** The result for one chain. */
export type ChainReport = {
  readonly entries: number;
  readonly lastSeq: number;
  readonly headHash: string;
  /** Bodies that were removed, each with an entry that records it. */
  readonly bodiesRemoved: number;
  /** Entries of an earlier release without their body: only their place in the chain could be checked. */
  readonly placeOnly: number;
  /** At most {@link faultsMax}, in the order of the chain. */
  readonly faults: readonly ChainFault[];
  readonly faultCount: number;
};

/** Most faults of one chain that are named. All are counted. */
export const faultsMax = 100;

/**
 * Checks the entries of one chain in the order in which they come, in bounded memory. `start` is the end of
 * an earlier part. A copy of the chain may leave bodies out, where `isBodyExpected` is false. Made by
 * {@link makeChainVerifier}.
 */
export type ChainVerifier = {
  readonly take: (link: StoredLink) => void;
  readonly end: () => ChainReport;
};

type Checked = {
  readonly link: StoredLink;
  /** Undefined for an entry of an earlier release without its body. */
  readonly computed: string | undefined;
};

/** The end of the entries so far. `checked` is absent where the content of the last one is judged already. */
type Last = { readonly seq: number; readonly hash: string; readonly checked?: Checked };

const lastOf = ({ seq, hash }: StoredLink, checked: Checked | undefined): Last => ({
  seq,
  hash,
  ...(checked && { checked }),
});

export const makeChainVerifier = (
  heads: readonly KnownHead[],
  start: { readonly seq: number; readonly hash: string } = { seq: 0, hash: chainStart },
  isBodyExpected: (seq: number) => boolean = () => true,
): ChainVerifier => {
  const { report, found } = makeFaultList();
  const missing = makeMissingBodies();
  const headsBySeq = Map.groupBy(heads, ({ seq }) => seq);
  let last: Last = start;
  headsBySeq.get(start.seq)?.forEach((head) => compareHead(head, start, report));
  let [entries, placeOnly] = [0, 0];

  /**
   * Reports content that does not fit its hash. The next entry, or a known head, shows which of the two was
   * changed.
   */
  const settle = (nextHash?: string): void => {
    const { checked } = last;
    if (checked?.computed === undefined || checked.computed === checked.link.hash) return;
    const known = headsBySeq.get(last.seq)?.map(({ hash }) => hash);
    const isHashChanged = [nextHash, ...(known ?? [])].includes(checked.computed);
    report(isHashChanged ? changedHash(checked.link) : changedContent(checked.link));
  };

  const take = (link: StoredLink): void => {
    entries += 1;
    const computed = hashOf(link);
    placeOnly += computed === undefined ? 1 : 0;
    headsBySeq.get(link.seq)?.forEach((head) => compareHead(head, link, report));
    if (link.seq <= last.seq) {
      report(fault(link, "seq", `entry ${link.seq} stands after entry ${last.seq}: reordered or doubled`));
      return;
    }
    const place = judgePlace(last, { link, computed });
    settle(place.namesLast ? link.prevHash : undefined);
    place.faults.forEach(report);
    if (link.body !== undefined || isBodyExpected(link.seq)) judgeBody(link, missing).forEach(report);
    last = lastOf(link, place.isPreviousChanged ? undefined : { link, computed });
  };

  return {
    take,
    end: () => {
      settle();
      missing.ranges().forEach((range) => report(missingBodies(range)));
      heads.filter(({ seq }) => seq > last.seq).forEach((head) => report(cutBelow(head, last.seq)));
      return {
        entries,
        lastSeq: last.seq,
        headHash: last.hash,
        bodiesRemoved: missing.explained(),
        placeOnly,
        ...found(),
      };
    },
  };
};

const missingBodies = ({ from, through }: Range): ChainFault => {
  const bodies = from === through ? "the body is" : `the bodies ${from} to ${through} are`;
  return { seq: from, field: "body", finding: `${bodies} missing, and no entry records the removal` };
};

const makeFaultList = () => {
  const list: ChainFault[] = [];
  let count = 0;
  const report = (one: ChainFault): void => {
    count += 1;
    if (list.length < faultsMax) list.push(one);
  };
  const found = () => ({ faults: list.toSorted((a, b) => a.seq - b.seq), faultCount: count });
  return { report, found };
};

const fault = ({ seq }: StoredLink, field: ChainFault["field"], finding: string): ChainFault => ({
  seq,
  field,
  finding,
});

const rangeOf = (from: number, through: number): string =>
  from === through ? `entry ${from} is` : `entries ${from} to ${through} are`;

/** The hash that the entry should have; undefined where only its removed body could tell. */
const hashOf = (link: StoredLink): string | undefined => {
  const { bodyHash, body } = link;
  if (bodyHash !== undefined) return hashLink({ ...link, bodyHash });
  return body && hashFormer(link, parseJson(body.text));
};

/** Empty, which is no hash, for a body that is no JSON, or too deep to be hashed. */
const hashFormer = (link: StoredLink, body: Json | undefined): string => {
  try {
    return body === undefined ? "" : hashFormerLink({ ...link, body });
  } catch {
    return "";
  }
};

/** Undefined for a text that is no JSON. */
const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Whether the entry fits its hash once its previous hash is replaced by the hash of the entry before. */
const hasOtherPrevious = (link: StoredLink, prevHash: string): boolean =>
  hashOf({ ...link, prevHash }) === link.hash;

/**
 * Faults of the place of an entry after the last one, and whether its previous hash is evidence about the
 * last one.
 */
const judgePlace = (last: Last, { link, computed }: Checked) => {
  const isNext = link.seq === last.seq + 1;
  const fits = link.prevHash === last.hash;
  const isPreviousChanged = isNext && !fits && hasOtherPrevious(link, last.hash);
  // A previous hash that was changed itself is no evidence about the entry before.
  const namesLast = isNext && !isPreviousChanged;
  const gap = {
    seq: last.seq + 1,
    field: "seq",
    finding: `${rangeOf(last.seq + 1, link.seq - 1)} missing`,
  } as const;
  const faults = !isNext
    ? [gap]
    : isPreviousChanged
      ? [fault(link, "previous hash", "the previous hash was changed")]
      : fits
        ? []
        : judgeBreak(last, { link, computed });
  return { isPreviousChanged, namesLast, faults };
};

const judgeBreak = ({ seq, checked }: Last, { link, computed }: Checked): readonly ChainFault[] => {
  const isNamed = checked?.computed !== undefined && checked.computed !== checked.link.hash;
  if (isNamed && (link.prevHash === checked.computed || computed === link.hash)) {
    // The fault of the entry before is reported already.
    return [];
  }
  if (computed === link.hash || computed === undefined) {
    const finding =
      seq === 0
        ? "the first entries of the chain are missing"
        : `the entry was replaced: entry ${link.seq} names another hash for it`;
    return [{ seq, field: "entry", finding }];
  }
  return [fault(link, "previous hash", `the previous hash is not the hash of entry ${seq}`)];
};

const changedHash = (link: StoredLink): ChainFault =>
  fault(
    link,
    "hash",
    "the stored hash was changed: the content fits the hash that the next entry or a head names",
  );

/** Names the field whose restored value makes the content fit its hash, if there is exactly one. */
const changedContent = (link: StoredLink): ChainFault => {
  const { body } = link;
  if (body !== undefined) {
    const bodyHash = hashBody(body.salt, body.text);
    if (bodyHash !== link.bodyHash && hashLink({ ...link, bodyHash }) === link.hash) {
      return fault(
        link,
        "body hash",
        "the hash of the body was changed: the body fits the hash of the entry",
      );
    }
    if (body.at !== link.at && hashOf({ ...link, at: body.at }) === link.hash) {
      return fault(link, "time", "the time of the entry was changed: the time of its body fits");
    }
  }
  return link.bodyHash === undefined
    ? fault(link, "body", "the body, the id, the kind or the time differs from the hash of the entry")
    : fault(link, "id or kind", "the id, the kind, the hash or several fields were changed");
};

const judgeBody = (
  link: StoredLink,
  missing: ReturnType<typeof makeMissingBodies>,
): readonly ChainFault[] => {
  const { seq, kind, body, bodyHash } = link;
  if (body === undefined) {
    const isReceipt = receiptKinds.some((receipt) => receipt === kind);
    if (isReceipt)
      return [fault(link, "body", "the body of a receipt is missing: receipts are never removed")];
    missing.add(seq);
    return [];
  }
  const fits = bodyHash === undefined ? parseJson(body.text) !== undefined : isBodyOf(link, bodyHash);
  if (!fits) return [fault(link, "body", "the body or its salt differs from its hash")];
  if (kind === bodiesRemoved) missing.explain(removalOf(parseJson(body.text)));
  const isSameTime = body.at === link.at || hashOf({ ...link, at: body.at }) === link.hash;
  return isSameTime ? [] : [fault(link, "body", "the time of the body is not the time of the entry")];
};

/** True also where the hash of the body was changed, which the hash of the entry shows. */
const isBodyOf = (link: StoredLink, bodyHash: string): boolean => {
  const { salt = "", text = "" } = link.body ?? {};
  const computed = hashBody(salt, text);
  return computed === bodyHash || hashLink({ ...link, bodyHash: computed }) === link.hash;
};

/** The positions that a removal names; an empty range for a body in another form. */
const removalOf = (body: Json | undefined): Range => {
  const members =
    typeof body === "object" && body !== null && "from" in body && "through" in body ? body : {};
  const { from = 1, through = 0 } = { ...members };
  return typeof from === "number" && typeof through === "number"
    ? { from, through }
    : { from: 1, through: 0 };
};

const dateOf = (at: number): string => {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "an unknown time" : date.toISOString();
};

const compareHead = (
  head: KnownHead,
  { seq, hash }: Pick<StoredLink, "seq" | "hash">,
  report: (found: ChainFault) => void,
): void => {
  if (head.hash !== hash) {
    const finding = `the hash is not that of ${head.source} of ${dateOf(head.at)}: the chain up to here was replaced`;
    report({ seq, field: "head", finding });
  }
};

const cutBelow = ({ seq, at, source }: KnownHead, lastSeq: number): ChainFault => ({
  seq: lastSeq,
  field: "head",
  finding: `the chain ends at entry ${lastSeq}, but ${source} of ${dateOf(at)} names entry ${seq}: its end was cut`,
});
