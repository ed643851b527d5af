import { canonicalJson } from "#contract/canonical-json";
import type { Json } from "#contract/json";
import type { EvidenceLine } from "#record/transactions/evidence-file";
import type { Anchor, StoredLink } from "#record/transactions/store/evidence-store";
import type { Attachment, BundleRequest } from "./bundle.ts";
import { attachmentNames, type BundleEntry, type BundleFault, type Segment } from "./content.ts";
import { parseObject } from "./own-entries.ts";
import type { PlannedSegment } from "./plan-segments.ts";
import type { FoundEntries, SearchChainDeps } from "./search-chain.ts";

/** The text of a line of an export. Made by `writeLine` (record/transactions/evidence-file.ts). */
export type WriteLine = (line: EvidenceLine) => string;

type CopyDeps = Pick<SearchChainDeps, "linksAfter"> & { readonly writeLine: WriteLine };

/**
 * Copies the planned parts of the chain into lines of the export's format: a head for each part, then its
 * links. Bodies of other operations are left out: their links hold the hash alone.
 */
export const copySegments = async (
  deps: CopyDeps,
  { owner, at }: Pick<BundleRequest, "owner" | "at">,
  planned: readonly PlannedSegment[],
  { own }: Pick<FoundEntries, "own">,
): Promise<{
  readonly file: Attachment;
  readonly segments: readonly Segment[];
  readonly faults: readonly BundleFault[];
}> => {
  const isOwn = new Set(own.map(({ seq }) => seq));
  const segments: Segment[] = [];
  const lines: string[] = [];
  const faults: BundleFault[] = [];
  for (const plan of planned) {
    const links = await readLinks(deps, owner.tenantId, plan);
    const [first] = links;
    const last = links.at(-1);
    if (first === undefined || last?.seq !== plan.through) {
      faults.push({
        place: `chain, entry ${plan.through}`,
        finding: "it was removed while the bundle was made",
      });
      continue;
    }
    const segment = {
      since: first.seq - 1,
      startHash: first.prevHash,
      lastSeq: last.seq,
      lastHash: last.hash,
      end: plan.end,
    };
    segments.push(segment);
    lines.push(
      deps.writeLine({ ...headLineOf(segment, at), tenantId: owner.tenantId, tenant: owner.tenantName }),
    );
    lines.push(...links.map((link) => deps.writeLine(lineOf(link, isOwn.has(link.seq)))));
  }
  return { file: chainFile(lines), segments, faults };
};

const readLinks = async (
  { linksAfter }: CopyDeps,
  tenantId: string,
  { from, through }: PlannedSegment,
): Promise<readonly StoredLink[]> => {
  const links: StoredLink[] = [];
  for await (const link of linksAfter(tenantId, from - 1)) {
    if (link.seq > through) break;
    links.push(link);
  }
  return links;
};

const headLineOf = ({ since, startHash, lastSeq, lastHash: headHash }: Segment, at: Date) => ({
  type: "head" as const,
  format: 1 as const,
  since,
  startHash,
  lastSeq,
  headHash,
  at: at.getTime(),
});

const lineOf = (stored: StoredLink, isOwn: boolean): EvidenceLine => {
  const { tenantId: _, body, ...link } = stored;
  return { type: "entry", ...link, ...(isOwn && body !== undefined && { body }) };
};

const chainFile = (lines: readonly string[]): Attachment => ({
  name: attachmentNames.chain,
  mediaType: "application/jsonl",
  description: "Entries of the evidence chain, each with the hash of the one before",
  bytes: Buffer.from(lines.map((line) => `${line}\n`).join(""), "utf8"),
});

/** An entry as `evidence.json` repeats it. */
export const entryOf = ({ seq, id, kind, at, hash, body }: StoredLink): BundleEntry => ({
  seq,
  id,
  kind,
  at: new Date(at).toISOString(),
  hash,
  body: body === undefined ? null : bodyOf(body.text),
});

const bodyOf = (text: string): Json => {
  const members = parseObject(text);
  return members === undefined ? null : JSON.parse(text);
};

/** The anchors of the copied parts, with their time-stamps. */
export const writeAnchors = (
  anchors: readonly Anchor[],
  segments: readonly Segment[],
): { readonly file: Attachment; readonly count: number } => {
  const held = anchors.filter(({ seq }) =>
    segments.some(({ since, lastSeq }) => seq > since && seq <= lastSeq),
  );
  const content = {
    format: "idem-evidence-anchors",
    version: 1,
    anchors: held.map(({ seq, hash, at, authority, token }) => ({
      seq,
      hash,
      at: new Date(at).toISOString(),
      authority,
      token: Buffer.from(token).toString("base64"),
    })),
  };
  const file = {
    name: attachmentNames.anchors,
    mediaType: "application/json",
    description: "Time-stamps of the evidence chain (RFC 3161)",
    bytes: Buffer.from(canonicalJson(content), "utf8"),
  };
  return { file, count: held.length };
};
