import { randomBytes, randomUUID } from "node:crypto";
import type { commandSet } from "#app/store-commands";
import type { BenchDatabase } from "#machine/storage/bench-database";
import type { SealedTransaction } from "#record/transactions/record";
import { say } from "../command.ts";

/** A lease of the next validation, by a worker that runs nothing else. */
const lease = {
  worker: "bench",
  leaseMs: 60_000,
  limit: 1,
  isAlone: false,
  running: [],
  endsLeases: false,
  deathsAllowed: 2,
  deathsMax: 3,
} as const;

/** The commands of the store, in a transaction of the measurement. */
export type StoreCommands = ReturnType<typeof commandSet.makeCommands>;
export type Bench = BenchDatabase<StoreCommands>;

/** What a deployment answers in a day, and for how many days. */
export type Traffic = { readonly days: number; readonly callsPerDay: number };

/** The filled store. */
export type Filled = {
  readonly tenantId: string;
  readonly end: number;
  readonly transactionIds: readonly string[];
  readonly validationIds: readonly string[];
  /** A keyed hash of a document that came often, and one that came once. */
  readonly hashes: readonly string[];
};

export const dayMs = 86_400_000;

/** Calls of one transaction: a month is filled in minutes. */
const callsPerCommit = 500;

/**
 * Shares of the calls. The sizes of sealed rows are those of calls of the demo and of a review: measurements
 * of a face call have 1 to 3 kB, of a document decision 2 to 5 kB, a record with 60 findings 11 kB.
 */
const shares = { validation: 0.15, enrolment: 0.05 } as const;
const bytes = { face: [1_000, 3_000], decision: [2_000, 5_000], input: 300, record: 11_000 } as const;
/** One decision of twenty goes to a reviewer. Those of the last day wait in the queue. */
const reviewEvery = 20;
/** One document of fifty comes from the same few numbers. */
const repeatedEvery = 50;

const between = ([min, max]: readonly [number, number], n: number): number =>
  min + ((n * 7919) % (max - min));

type Place = { readonly tenantId: string; readonly at: Date; readonly n: number };

const transactionAt = (
  { tenantId, at, n }: Place,
  endpoint: string,
  size: readonly [number, number],
): SealedTransaction => ({
  id: randomUUID(),
  tenantId,
  keyId: "bench",
  environment: "live",
  endpoint,
  at,
  result: { facial: 3, liveness: 4 },
  sealedMeasurements: new Uint8Array(randomBytes(between(size, n))),
  policyVersion: "faces-2026-11 cohort/12345678",
  models: { detector: "ab".repeat(32), recogniser: "cd".repeat(32), liveness: "ef".repeat(32) },
  tokenHashes: [randomBytes(32).toString("hex")],
});

const entryAt = ({ at }: Place, kind: string, transaction: string) => ({
  evidence: [{ id: randomUUID(), kind, at, body: { person: randomUUID(), key: randomUUID(), transaction } }],
});
const noStep = { evidence: [] };

/** Answers a call about a face; one of twenty enrols a user. */
const answerFace = async (commands: StoreCommands, place: Place): Promise<string> => {
  const transaction = transactionAt(place, "identity", bytes.face);
  const isEnrolment = place.n % Math.round(1 / shares.enrolment) === 0;
  const step = isEnrolment ? entryAt(place, "person_enrolled", transaction.id) : noStep;
  await commands.recordTransaction(transaction, [], step);
  return transaction.id;
};

/** Answers a document validation: start and decision, with its images, evidence and velocity events. */
const answerDocument = async (
  commands: StoreCommands,
  place: Place,
  hash: string,
  isInReview: boolean,
): Promise<string> => {
  const { tenantId, at, n } = place;
  const id = randomUUID();
  const blobIds = [randomUUID(), randomUUID()];
  const blobs = blobIds.map((blob) => ({
    id: blob,
    tenantId,
    kind: "document-front",
    bytes: 2_000_000,
    createdAt: at,
  }));
  const sealedInput = new Uint8Array(randomBytes(bytes.input));
  await commands.createValidation(
    { id, tenantId, environment: "live", version: 2, createdAt: at, sealedInput, blobIds },
    blobs,
    transactionAt(place, "documentValidationStart", [100, 101]),
    noStep,
  );
  await commands.leaseValidations({ ...lease, now: at });
  const transaction = transactionAt(place, "documentValidation", bytes.decision);
  await commands.finishValidation(
    {
      tenantId,
      id,
      revision: 0,
      worker: "bench",
      status: "DONE",
      at,
      decision: isInReview ? "Review" : n % 3 === 0 ? "Declined" : "Approved",
      sealedRecord: new Uint8Array(randomBytes(bytes.record)),
      transaction,
      velocityEvents: [hash, randomBytes(32).toString("hex")],
    },
    entryAt(place, "document_decided", transaction.id),
  );
  return id;
};

/** Fills the store with the calls of some days, the oldest first, through the commands of the service. */
export const fillMonth = async (bench: Bench, { days, callsPerDay }: Traffic): Promise<Filled> => {
  const tenantId = randomUUID();
  const end = Date.now();
  await bench.transact((commands) =>
    commands.createTenant({ id: tenantId, name: `bench ${tenantId}`, createdAt: new Date() }),
  );
  const calls = days * callsPerDay;
  const common = randomBytes(32).toString("hex");
  const transactionIds: string[] = [];
  const validationIds: string[] = [];
  let once = common;
  for (let first = 0; first < calls; first += callsPerCommit) {
    await bench.transact(async (commands) => {
      for (let n = first; n < Math.min(first + callsPerCommit, calls); n++) {
        const at = new Date(end - days * dayMs + Math.floor((n / calls) * days * dayMs));
        const place = { tenantId, at, n };
        if ((n * 0.61803) % 1 >= shares.validation) {
          transactionIds.push(await answerFace(commands, place));
          continue;
        }
        once = randomBytes(32).toString("hex");
        const number = validationIds.length;
        const isInReview = n >= calls - callsPerDay && number % reviewEvery === 0;
        const hash = number % repeatedEvery === 0 ? common : once;
        validationIds.push(await answerDocument(commands, place, hash, isInReview));
      }
    });
    if (first > 0 && first % callsPerDay === 0) say(`${first / callsPerDay} of ${days} days`);
  }
  await bench.analyse();
  return { tenantId, end, transactionIds, validationIds, hashes: [common, once] };
};
