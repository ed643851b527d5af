import type { HeadLine } from "./evidence-file.ts";
import type { Anchor, EvidenceCommands, StoredLink } from "./store/evidence-store.ts";
import type { KnownHead } from "./verify-chain.ts";

/** The rows after `seq`, page by page. */
async function* pagesAfter<Row extends { readonly seq: number }>(
  list: (tenantId: string, seq: number) => Promise<readonly Row[]>,
  tenantId: string,
  seq: number,
): AsyncGenerator<Row> {
  for (let after = seq; ; ) {
    const page = await list(tenantId, after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
  }
}

/** Entries of a tenant's chain after `seq`. */
export const linksAfter = (
  store: Pick<EvidenceCommands, "listLinks">,
  tenantId: string,
  seq = 0,
): AsyncGenerator<StoredLink> => pagesAfter((id, after) => store.listLinks(id, after), tenantId, seq);

/** Anchors of a tenant's chain after `seq`. */
export const anchorsAfter = (
  store: Pick<EvidenceCommands, "listAnchors">,
  tenantId: string,
  seq = 0,
): AsyncGenerator<Anchor> => pagesAfter((id, after) => store.listAnchors(id, after), tenantId, seq);

/** A head of a file, as the verifier takes it. */
export const knownHeadOf = ({ lastSeq: seq, headHash: hash, at }: HeadLine, source: string): KnownHead => ({
  seq,
  hash,
  at,
  source,
});
