import { compareWithEntries } from "#app/compare-rights";
import { headFileOf, readRootFile } from "#app/evidence";
import { isReady } from "#app/master-keys";
import { findKeyFault, listSealFaults, type RightsFault, showFault } from "#app/rights";
import type { EvidenceReads } from "#app/storage";
import { type Config, readConfig } from "#machine/config/config";
import { readHeads } from "#record/transactions/head-file";
import { anchorsAfter, knownHeadOf, linksAfter } from "#record/transactions/read-chain";
import type { KnownHead } from "#record/transactions/verify-chain";
import { type JudgeToken, verifyEvidence } from "#record/transactions/verify-evidence";
import type { Tenant } from "#trust/tenants/store/tenant";
import type { Roots } from "#trust/timestamps/trust";
import { verifyToken } from "#trust/timestamps/verify-token";
import { CommandError, parseOptions, type Run, say, UsageError } from "../command.ts";
import { readRootOption } from "../kit/root-option.ts";
import { findMasterKey } from "../kit/store/development-master-key.ts";
import { openToRead } from "../kit/store/open-to-read.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { printReports, type RightsReport, type TenantReport } from "./report.ts";
import { openEvidenceFile, requireFile } from "./source.ts";
import { isPdf, verifyBundleFile } from "./verify-bundle.ts";

export const runVerifyEvidence: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      tenant: { type: "string" },
      file: { type: "string" },
      against: { type: "string" },
      ca: { type: "string" },
      roots: { type: "string" },
      json: { type: "boolean", default: false },
    },
    true,
  );
  const file = fileOf(positionals, values.file);
  if (file !== undefined && values.tenant !== undefined) {
    throw new UsageError("A file holds one tenant. Leave out --tenant, or the file.");
  }
  if (file !== undefined && (await isPdf(file))) return await verifyPdfFile(file, values);
  if (values.roots !== undefined)
    throw new UsageError("--roots is for a bundle. Name a bundle, or set --ca.");
  const against = values.against === undefined ? undefined : await readAgainst(values.against);
  const roots = values.ca === undefined ? undefined : await readRootOption(values.ca, "--ca");
  const reports =
    file === undefined
      ? await verifyStore(values.tenant, against, roots)
      : { tenants: [await verifyFile(file, against, judgeBy(roots))], rights: undefined };
  if (file !== undefined) return printReports(reports.tenants, values.json);
  return printReports(reports.tenants, values.json, reports.rights);
};

/** The one file that is named, as a word or by its option. */
const fileOf = ([file, ...others]: readonly string[], named: string | undefined): string | undefined => {
  if (others.length > 0 || (file !== undefined && named !== undefined)) {
    throw new UsageError("Name one file.");
  }
  return file ?? named;
};

const verifyPdfFile = async (
  path: string,
  {
    against,
    ca,
    roots = ca,
    json,
  }: {
    readonly against?: string | undefined;
    readonly ca?: string | undefined;
    readonly roots?: string | undefined;
    readonly json: boolean;
  },
): Promise<number> => {
  if (against !== undefined) throw new UsageError("--against is for a chain. A bundle has its own heads.");
  const named = roots === undefined ? undefined : await readRootOption(roots, "--roots");
  return await verifyBundleFile(path, named, json);
};

/** Heads by tenant. */
type HeadsOf = ReadonlyMap<string, readonly KnownHead[]>;

/** The file of `--against`. */
type Against = { readonly path: string; readonly heads: HeadsOf };

const judgeBy =
  (roots: Roots | undefined): JudgeToken =>
  (token, hash) =>
    verifyToken(token, hash, roots);

const groupHeads = async (path: string): Promise<HeadsOf> => {
  const heads = new Map<string, KnownHead[]>();
  for await (const line of readHeads(path)) {
    const own = heads.get(line.tenantId) ?? [];
    own.push(knownHeadOf(line, `the head in ${path}`));
    heads.set(line.tenantId, own);
  }
  return heads;
};

const readAgainst = async (path: string): Promise<Against> => {
  await requireFile(path);
  const heads = await groupHeads(path);
  if (heads.size === 0) {
    throw new CommandError(
      `--against ${path} holds no head. Name an export, a copy of evidence-heads.jsonl, or a log.`,
    );
  }
  return { path, heads };
};

/**
 * The heads of one tenant from a position on. Throws CommandError if there is none: nothing would be
 * compared.
 */
const headsOfOne = (
  against: Against | undefined,
  { id, name }: Pick<Tenant, "id" | "name">,
  since = 0,
): readonly KnownHead[] => {
  const heads = (against?.heads.get(id) ?? []).filter(({ seq }) => seq >= since);
  if (against !== undefined && heads.length === 0) {
    const from = since === 0 ? "" : ` from entry ${since} on`;
    throw new CommandError(`--against ${against.path} holds no head of "${name}"${from}. Name another file.`);
  }
  return heads;
};

const verifyFile = async (
  path: string,
  against: Against | undefined,
  judgeToken: JudgeToken,
): Promise<TenantReport> => {
  const { head, anchors, links, start } = await openEvidenceFile(path);
  const { tenantId, tenant } = head;
  const outside = headsOfOne(against, { id: tenantId, name: tenant ?? tenantId }, start.seq);
  const report = await verifyEvidence(
    { anchors, links, start, heads: [knownHeadOf(head, "the head of the file"), ...outside] },
    judgeToken,
    progressOf(tenant ?? tenantId),
  );
  const beyond = report.lastSeq > head.lastSeq;
  return {
    tenantId,
    ...(tenant !== undefined && { tenant }),
    headsCompared: outside.length,
    ...report,
    ...(beyond && {
      faultCount: report.faultCount + 1,
      faults: [
        ...report.faults,
        {
          seq: head.lastSeq,
          field: "head" as const,
          finding: `the head of the file names entry ${head.lastSeq} as the last, but ${report.lastSeq} entries follow`,
        },
      ],
    }),
  };
};

const progressOf =
  (tenant: string) =>
  (entries: number): void =>
    say(`${tenant}: ${entries} entries`);

const verifyStore = async (
  tenantName: string | undefined,
  against: Against | undefined,
  givenRoots: Roots | undefined,
): Promise<{ readonly tenants: readonly TenantReport[]; readonly rights: RightsReport }> => {
  const set = readConfig();
  // A lost key of a development start does not keep the chains from being read.
  const config = (await findMasterKey(set).catch(() => undefined)) ?? set;
  const { authority } = config.evidence;
  const roots = givenRoots ?? (authority && (await readRootFile(authority.caFile)));
  const { store, close } = await openToRead(config);
  try {
    const tenants =
      tenantName === undefined ? await store.listTenants() : [await findTenant(store, tenantName)];
    if (tenantName !== undefined) tenants.forEach((tenant) => headsOfOne(against, tenant));
    const heads = mergeHeads(against?.heads ?? new Map(), await groupHeads(headFileOf(config)));
    const reports: TenantReport[] = [];
    for (const { id, name } of tenants) {
      reports.push({
        tenant: name,
        ...(await verifyTenant(store, id, heads.get(id) ?? [], judgeBy(roots), name)),
      });
    }
    const known = new Set(tenants.map(({ id }) => id));
    const lost = tenantName === undefined ? [...heads.keys()].filter((id) => !known.has(id)) : [];
    for (const id of lost)
      reports.push(await verifyTenant(store, id, heads.get(id) ?? [], judgeBy(roots), id));
    const ids = tenants.map(({ id }) => id);
    const rights = await verifyRights(store, ids, config, tenantName === undefined);
    return { tenants: reports, rights };
  } finally {
    await close();
  }
};

/** Most faults of rights that are named. */
const rightsMax = 100;

const verifyRights = async (
  store: EvidenceReads,
  tenants: readonly string[],
  config: Config,
  isOfAll: boolean,
): Promise<RightsReport> => {
  const faults: RightsFault[] = [];
  let faultCount = 0;
  const take = (fault: RightsFault): void => {
    faultCount += 1;
    if (faults.length < rightsMax) faults.push(fault);
  };
  const keyFault = isReady(config) ? await findKeyFault(store, config) : undefined;
  if (keyFault !== undefined) take(keyFault);
  for await (const found of listSealFaults(store)) {
    if (isOfAll || tenants.includes(found.tenantId)) take(showFault(found));
  }
  for (const id of tenants) {
    for await (const found of compareWithEntries(store, id, { isChainVerified: true })) take(found);
  }
  return { isSealCompared: isReady(config) && keyFault === undefined, faultCount, faults };
};

const mergeHeads = (a: HeadsOf, b: HeadsOf): HeadsOf =>
  new Map(
    [...new Set([...a.keys(), ...b.keys()])].map((id) => [id, [...(a.get(id) ?? []), ...(b.get(id) ?? [])]]),
  );

const verifyTenant = async (
  store: EvidenceReads,
  tenantId: string,
  heads: readonly KnownHead[],
  judgeToken: JudgeToken,
  name: string,
): Promise<TenantReport> => ({
  tenantId,
  headsCompared: heads.length,
  ...(await verifyEvidence(
    { anchors: anchorsAfter(store, tenantId), links: linksAfter(store, tenantId), heads },
    judgeToken,
    progressOf(name),
  )),
});
