import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";
import type { EvidenceLine, HeadLine } from "#record/transactions/evidence-file";
import type { StoredLink } from "#record/transactions/store/evidence-store";
import type { EvidenceReport, JudgeToken } from "#record/transactions/verify-evidence";
import {
  attachmentNames,
  type BundleAnchors,
  type BundleContent,
  type BundleEntry,
  type BundleFault,
  type Segment,
} from "../content.ts";
import { linksMax } from "../plan-segments.ts";
import type { VerifyChain } from "../search-chain.ts";

/** Reads a line of an export. Made by `readLine` (record/transactions/evidence-file.ts). */
export type ReadLine = (text: string) => EvidenceLine | undefined;

export type LinkDeps = {
  readonly readLine: ReadLine;
  readonly verifyChain: VerifyChain;
  readonly judgeToken: JudgeToken;
};

/** The copied parts of the chain, as they were judged. */
export type LinkReport = {
  readonly links: number;
  /** Valid anchors; the newest is the latest time at which an authority saw the chain. */
  readonly anchors: number;
  readonly newest?: NonNullable<EvidenceReport["anchors"]["newest"]>;
  readonly faults: readonly BundleFault[];
};

type Part = { readonly head: HeadLine; readonly links: readonly StoredLink[] };

const place = attachmentNames.chain;

/** Recomputes the links of a bundle, and compares them with its anchors and with `evidence.json`. */
export const verifyLinks = async (
  deps: LinkDeps,
  { chain: { segments }, entries }: Pick<BundleContent, "chain" | "entries">,
  anchors: BundleAnchors["anchors"],
  file: Uint8Array,
): Promise<LinkReport> => {
  const read = readParts(deps.readLine, file);
  if ("fault" in read) return { links: 0, anchors: 0, faults: [read.fault] };
  const { parts } = read;
  const faults: BundleFault[] = [...compareParts(parts, segments), ...compareEntries(parts, entries)];
  const reports: EvidenceReport[] = [];
  for (const part of parts) {
    const report = await verifyPart(deps, part, anchors, entries);
    reports.push(report);
    faults.push(
      ...report.faults.map(({ seq, field, finding }) => ({
        place: `${field === "time-stamp" ? attachmentNames.anchors : place}, entry ${seq}, ${field}`,
        finding,
      })),
    );
  }
  const beside = anchors.filter(
    ({ seq }) => !parts.some(({ links }) => links.some((link) => link.seq === seq)),
  );
  faults.push(
    ...beside.map(({ seq }) => ({
      place: `${attachmentNames.anchors}, entry ${seq}`,
      finding: "the bundle holds no link of it",
    })),
  );
  const newest = reports
    .flatMap((report) => report.anchors.newest ?? [])
    .reduce<LinkReport["newest"]>((a, b) => (a === undefined || b.at > a.at ? b : a), undefined);
  return {
    links: parts.reduce((sum, { links }) => sum + links.length, 0),
    anchors: reports.reduce((sum, report) => sum + report.anchors.count, 0),
    ...(newest && { newest }),
    faults,
  };
};

const verifyPart = (
  { verifyChain, judgeToken }: LinkDeps,
  { head, links }: Part,
  anchors: BundleAnchors["anchors"],
  entries: readonly BundleEntry[],
): Promise<EvidenceReport> => {
  const withBody = new Set(entries.filter(({ body }) => body !== null).map(({ seq }) => seq));
  const { since = 0, startHash = "", lastSeq, headHash, at } = head;
  const own = anchors.filter(({ seq }) => seq > since && seq <= lastSeq);
  const stamped = own.map(({ token, at: time, ...anchor }) => ({
    ...anchor,
    at: Date.parse(time),
    token: new Uint8Array(Buffer.from(token, "base64")),
  }));
  return verifyChain(
    {
      links: listed(links),
      anchors: listed(stamped),
      heads: [{ seq: lastSeq, hash: headHash, at, source: "the head of the links" }],
      start: { seq: since, hash: startHash },
      isBodyExpected: (seq) => withBody.has(seq),
    },
    judgeToken,
  );
};

async function* listed<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  yield* values;
}

const readParts = (
  readLine: ReadLine,
  file: Uint8Array,
): { readonly parts: readonly Part[] } | { readonly fault: BundleFault } => {
  const parts: { head: HeadLine; links: StoredLink[] }[] = [];
  const lines = Buffer.from(file).toString("utf8").split("\n");
  // A line for each link, and a head for each part, which has at least one.
  if (lines.length > 2 * linksMax + 1)
    return { fault: { place, finding: "it has more lines than a bundle holds" } };
  for (const [index, text] of lines.entries()) {
    if (text === "" && index === lines.length - 1) break;
    const line = readLine(text);
    if (line?.type === "head") {
      parts.push({ head: line, links: [] });
      continue;
    }
    const part = parts.at(-1);
    if (line?.type !== "entry" || part === undefined) {
      return { fault: { place: `${place}, line ${index + 1}`, finding: "it is no line of a bundle" } };
    }
    const { type: _, ...link } = line;
    part.links.push({ ...link, tenantId: part.head.tenantId });
  }
  return { parts };
};

/** The parts must be those that `evidence.json` lists. */
const compareParts = (parts: readonly Part[], segments: readonly Segment[]): readonly BundleFault[] => {
  const listedParts = segments.map(({ since, startHash, lastSeq, lastHash }) =>
    [since, startHash, lastSeq, lastHash].join(),
  );
  const readHeads = parts.map(({ head: { since, startHash, lastSeq, headHash } }) =>
    [since, startHash, lastSeq, headHash].join(),
  );
  return listedParts.join(";") === readHeads.join(";")
    ? []
    : [{ place, finding: `its parts are not those that ${attachmentNames.content} lists` }];
};

/** Each entry of the operation must be a link, with the same content; and no other link has a body. */
const compareEntries = (parts: readonly Part[], entries: readonly BundleEntry[]): readonly BundleFault[] => {
  const links = new Map(parts.flatMap((part) => part.links.map((link) => [link.seq, link])));
  const own = new Set(entries.map(({ seq }) => seq));
  const differing = entries.flatMap((entry) => {
    const link = links.get(entry.seq);
    const at = `${attachmentNames.content}, entry ${entry.seq}`;
    if (link === undefined) return [{ place: at, finding: `${place} does not hold it` }];
    return isSame(entry, link) ? [] : [{ place: at, finding: `it is not the entry of ${place}` }];
  });
  const foreign = [...links.values()].filter(({ seq, body }) => body !== undefined && !own.has(seq));
  return [
    ...differing,
    ...foreign.map(({ seq }) => ({
      place: `${place}, entry ${seq}`,
      finding: `it has a body, and ${attachmentNames.content} does not list the entry`,
    })),
  ];
};

const isSame = ({ id, kind, at, hash, body }: BundleEntry, link: StoredLink): boolean =>
  id === link.id &&
  kind === link.kind &&
  Date.parse(at) === link.at &&
  hash === link.hash &&
  (body === null ? link.body === undefined : isSameBody(body, link.body?.text));

/** A body of an earlier release may be in another order of its members. */
const isSameBody = (body: Json, text: string | undefined): boolean => {
  try {
    return text !== undefined && canonicalJson(JSON.parse(text)) === canonicalJson(body);
  } catch {
    return false;
  }
};
