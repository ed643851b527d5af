// Carries out one call and dies with SIGKILL at a named point. Arguments: folder of idem.sqlite, tenant,
// master key in Base64, point, kind of the retry key.
import { join } from "node:path";
import { makeRecordingStore } from "#app/recording-store";
import { openSqliteStore } from "#app/store";
import type { CommitCall } from "#contract/endpoint";
import { makeAnswerOnce } from "#record/idempotency/answer-once";
import { makeRecordCall } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { untracked } from "../transactions/untracked.ts";
import { aCall } from "./harness.ts";

/**
 * Between the claim and the end of a call, in order. `own` points belong to a call with a commit of its own.
 */
export type Point = "before the commit" | "after the own commit" | "after the commit" | "after the answer";

const [, , folder = "", tenantId = "", master = "", point = "", kind = ""] = process.argv;
const die = (): void => {
  process.kill(process.pid, "SIGKILL");
};
const clock = (): Date => new Date();
const sealedStore = await openSqliteStore({ path: join(folder, "idem.sqlite") });
const masters = [masterKeyOf(Buffer.from(master, "base64"))] as const;
const keyring = makeKeyring({ store: sealedStore, masters, now: clock });
const store = makeRecordingStore(sealedStore, keyring);
const answerOnce = makeAnswerOnce({
  store,
  keyring,
  leaseMs: 45_000,
  keptMs: 3_600_000,
  referenceKeptMs: 0,
  tokenKeptMs: 3_600_000,
  clock,
  count: () => undefined,
  onError: (_, error) => {
    throw error;
  },
});
const recordCall = makeRecordCall(
  {
    recordTransaction: store.recordTransaction,
    recordAnswered: async (...args) => {
      await store.recordAnswered(...args);
      if (point === "after the commit") die();
    },
  },
  untracked,
);

const isToken = kind === "token";
const call = aCall({ tenantId }, isToken ? { key: { kind: "token", value: "" } } : {});
const now = clock().getTime();
const shared = {
  call: "identity",
  environment: "test" as const,
  operation: "a",
  at: new Date(now),
  openUntil: new Date(now + 60_000),
};
const entry = {
  endpoint: "identity",
  result: { scanReference: "scan" },
  measurements: null,
  policyVersion: "1",
  uses: [{ hash: "ab".repeat(32), expiresAt: new Date(now + 60_000), ...(isToken && { shared }) }],
};
await answerOnce(call, async (deferCommit?: (commit: CommitCall) => void) => {
  if (point === "before the commit") die();
  const isOwn = point === "after the own commit";
  await recordCall({ ...call, receivedAt: clock(), ...(!isOwn && deferCommit && { deferCommit }) }, entry);
  if (isOwn) die();
  return { answer: { status: 200, contentType: "json", body: "the answer" }, isFinal: true };
});
die();
