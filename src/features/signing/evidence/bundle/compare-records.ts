import { canonicalJson } from "#contract/canonical-json";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import type { Json } from "#contract/json";
import { livenessNumber } from "#contract/liveness";
import type { BundleContent, BundleEntry, BundleFault, BundleTransaction } from "./content.ts";
import { exportKind } from "./own-entries.ts";

type Compared = Pick<BundleContent, "operation" | "transactions" | "events" | "entries" | "isWhole">;

/**
 * Compares the rows of an operation with each other and with its entries in the chain: the chain cannot be
 * changed unseen, rows can. Pure: the export and the verification of a bundle judge alike.
 */
export const compareRecords = (content: Compared): readonly BundleFault[] => [
  ...content.entries.flatMap((entry) => compareEntry(entry, content)),
  ...content.transactions.flatMap(compareMeasurements),
  ...compareEnd(content),
  ...compareEvents(content),
];

/** The result of an entry must equal the result in the record of its call. */
const compareEntry = (
  { seq, kind, body }: BundleEntry,
  { transactions, isWhole }: Compared,
): readonly BundleFault[] => {
  if (kind === exportKind) return [];
  const { transaction: id, result } = membersOf(body);
  if (typeof id !== "string") return [];
  const call = transactions.find((one) => one.id === id);
  const place = `transaction ${id}`;
  if (call === undefined) {
    return isWhole
      ? [{ place, finding: `entry ${seq} (${kind}) names it, and the operation does not hold it` }]
      : [];
  }
  if (result === undefined || call.record === null || sameJson(result, call.record.result)) return [];
  return [{ place, finding: `its result is not that of entry ${seq} (${kind}) of the chain` }];
};

/**
 * The results of a face call must equal the results of its measurements. The store holds these sealed, so
 * only the key of the tenant can change them.
 */
const compareMeasurements = ({ id, record }: BundleTransaction): readonly BundleFault[] => {
  if (record === null) return [];
  const { facial, liveness } = membersOf(record.result);
  const { comparison = null, liveness: judged = null } = membersOf(record.measurements);
  const fits =
    isWordOf(facialAuthenticationNumber, membersOf(comparison)["result"], facial) &&
    isWordOf(livenessNumber, membersOf(judged)["result"], liveness);
  return fits ? [] : [{ place: `transaction ${id}`, finding: "its result is not that of its measurements" }];
};

/** True also where one of the two is absent. */
const isWordOf = (
  table: Readonly<Record<string, number>>,
  word: Json | undefined,
  number: Json | undefined,
): boolean =>
  typeof word !== "string" || typeof number !== "number" || !(word in table) || table[word] === number;

/** An ended operation has one entry of its end, with the same state and reason. */
const compareEnd = ({ operation, entries, isWhole }: Compared): readonly BundleFault[] => {
  const { state, endedBy, reason } = operation;
  const place = "operation";
  const end = entries.find(({ kind }) => kind === "operation_ended");
  if (state === "open") {
    return end === undefined ? [] : [{ place, finding: `it is open, but entry ${end.seq} records its end` }];
  }
  if (end === undefined) {
    const isKept = isWhole && !entries.some(({ body }) => body === null);
    return isKept ? [{ place, finding: "it has ended, and no entry of the chain records the end" }] : [];
  }
  if (end.body === null) return [];
  const stated = membersOf(end.body);
  const isSame =
    stated["state"] === state && stated["reason"] === reason && stated["transaction"] === endedBy;
  return isSame ? [] : [{ place, finding: `its state, reason or end is not that of entry ${end.seq}` }];
};

/** Events have a sequence from 1 without gaps. */
const compareEvents = ({ events }: Compared): readonly BundleFault[] =>
  events.flatMap(({ sequence }, index) => {
    const expected = (events[index - 1]?.sequence ?? 0) + 1;
    if (sequence === expected) return [];
    return [{ place: `event ${sequence}`, finding: `event ${expected} is missing before it` }];
  });

const membersOf = (value: Json): Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !isList(value) ? value : {};

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const sameJson = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);
