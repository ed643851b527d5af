import { readdir } from "node:fs/promises";
import type { Json } from "#contract/json";
import { chainStart, hashBody, hashLink } from "#record/transactions/evidence";
import { queryPostgres } from "#support/storage/postgres-database";
import { readRows } from "../harness/store-rows.ts";

type Row = Readonly<Record<string, unknown>>;
export type Query = (sql: string) => Promise<readonly Row[]>;

/** The embedded store of a data directory whose service has ended, or a PostgreSQL database. */
export const queryOf =
  (directory: string, url: string | undefined): Query =>
  async (sql) => {
    return url === undefined ? readRows(directory, sql) : await queryPostgres(url, sql);
  };

export type StoredWork = {
  readonly validations: number;
  readonly undecided: number;
  /** Validations that the store does not hold exactly once with everything that belongs to them. */
  readonly faults: readonly string[];
  readonly evidenceEntries: number;
  /** Validations by the number of processes that died while they ran them alone; -1: none died with them. */
  readonly deaths: Readonly<Record<string, number>>;
};

const text = (row: Row, column: string): string => String(row[column]);
const json = (row: Row, column: string): Json => JSON.parse(text(row, column));
const fieldOf = (value: unknown, name: string): unknown =>
  value !== null && typeof value === "object" ? Reflect.get(value, name) : undefined;

/** Judges the rows: nothing acknowledged is lost, twice or half. */
export const readStoredWork = async (
  query: Query,
  acknowledged: readonly string[],
  blobFiles: number,
): Promise<StoredWork> => {
  const validations = await query("select id, status, decision, lone_deaths from validations order by id");
  const ids = validations.map((row) => text(row, "id"));
  const faults = [
    ...acknowledged.filter((id) => !ids.includes(id)).map((id) => `${id} is lost`),
    ...acknowledged.filter((id, n) => acknowledged.indexOf(id) !== n).map((id) => `${id} was given twice`),
    ...(await faultsOfTransactions(query, ids)),
    ...(await faultsOfEvidence(query, ids)),
    ...(await faultsOfReviews(query, validations)),
    ...(await faultsOfBlobs(query, blobFiles)),
  ];
  const deaths = Map.groupBy(validations, (row) => Number(row["lone_deaths"] ?? -1));
  return {
    validations: validations.length,
    undecided: validations.filter((row) => row["status"] === "PENDING").length,
    faults,
    evidenceEntries: (await query("select id from evidence")).length,
    deaths: Object.fromEntries([...deaths].map(([count, rows]) => [count, rows.length])),
  };
};

/** Each of these ids stands once in the list. */
const onlyOnce = (ids: readonly string[], found: readonly unknown[], what: string): readonly string[] => {
  const counts = Map.groupBy(found, (id) => id);
  return ids
    .filter((id) => counts.get(id)?.length !== 1)
    .map((id) => `${id} has ${counts.get(id)?.length ?? 0} ${what}`);
};

/** The transaction of its start has its reference alone; that of its decision a code too. */
const faultsOfTransactions = async (query: Query, ids: readonly string[]): Promise<readonly string[]> => {
  const results = (await query("select result from transactions")).map((row) => json(row, "result"));
  const isDecision = (result: Json): boolean => fieldOf(result, "code") !== undefined;
  const references = (list: readonly Json[]) => list.map((result) => fieldOf(result, "scanReference"));
  return [
    ...onlyOnce(ids, references(results.filter((result) => !isDecision(result))), "start transactions"),
    ...onlyOnce(ids, references(results.filter(isDecision)), "decision transactions"),
  ];
};

const faultsOfEvidence = async (query: Query, ids: readonly string[]): Promise<readonly string[]> => {
  const rows = await query(
    "select e.*, b.salt, b.body from evidence e left join evidence_bodies b on b.tenant_id = e.tenant_id and b.seq = e.seq order by e.tenant_id, e.seq",
  );
  const decisions = rows
    .filter((row) => row["kind"] === "document_decided")
    .map((row) => fieldOf(fieldOf(json(row, "body"), "result"), "scanReference"));
  const broken: string[] = [];
  for (const [tenantId, links] of Map.groupBy(rows, (row) => text(row, "tenant_id"))) {
    let prevHash = chainStart;
    for (const [n, row] of links.entries()) {
      const bodyHash = hashBody(text(row, "salt"), text(row, "body"));
      const [id, kind, at] = [text(row, "id"), text(row, "kind"), Number(row["at"])];
      const hash = hashLink({ tenantId, seq: n + 1, id, kind, at, bodyHash, prevHash });
      if (hash !== row["hash"]) broken.push(`The evidence chain is broken at ${n + 1}`);
      prevHash = text(row, "hash");
    }
  }
  return [...onlyOnce(ids, decisions, "evidence entries of a decision"), ...broken];
};

const faultsOfReviews = async (query: Query, validations: readonly Row[]): Promise<readonly string[]> => {
  const open = (await query("select validation_id from reviews")).map((row) => text(row, "validation_id"));
  const wanted = validations.filter((row) => row["decision"] === "Review").map((row) => text(row, "id"));
  return [
    ...onlyOnce(wanted, open, "open reviews"),
    ...open.filter((id) => !wanted.includes(id)).map((id) => `${id} has a review without a decision`),
  ];
};

/** A file without a row is an orphan that the sweep removes; a row without a file is a loss. */
const faultsOfBlobs = async (query: Query, blobFiles: number): Promise<readonly string[]> => {
  const rows = (await query("select id from blobs")).length;
  return rows > blobFiles ? [`${rows} images have a row, and only ${blobFiles} a file`] : [];
};

/** Empty for a sound file. */
export const faultsOfFile = async (directory: string): Promise<readonly string[]> => {
  const files = (await readdir(directory)).filter((name) => name === "idem.sqlite");
  return files.flatMap(() => {
    const answer = String(readRows(directory, "pragma integrity_check")[0]?.["integrity_check"]);
    return answer === "ok" ? [] : [`The file of the store is damaged: ${answer}`];
  });
};
