// One of two processes that race for the same keys. Arguments: database URL, tenant, master key in Base64. A
// message is a list of keys; the answer is what each attempt got.
import { randomUUID } from "node:crypto";
import { makeRecordingStore } from "#app/recording-store";
import { openPostgresStore } from "#app/store";
import type { Call, CommitCall } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { makeAnswerOnce } from "#record/idempotency/answer-once";
import { makeRecordCall } from "#record/transactions/record-call";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { untracked } from "../transactions/untracked.ts";

/** The end of one attempt. */
export type Raced = { readonly body: string; readonly isReplayed: boolean } | { readonly failure: string };

const [, , url = "", tenantId = "", master = ""] = process.argv;
const clock = (): Date => new Date();
const sealedStore = await openPostgresStore({ url });
const masters = [masterKeyOf(Buffer.from(master, "base64"))] as const;
const keyring = makeKeyring({ store: sealedStore, masters, now: clock });
const store = makeRecordingStore(sealedStore, keyring);
const recordCall = makeRecordCall(store, untracked);
const answerOnce = makeAnswerOnce({
  store,
  keyring,
  leaseMs: 45_000,
  keptMs: 3_600_000,
  referenceKeptMs: 0,
  tokenKeptMs: 0,
  clock,
  count: () => undefined,
  onError: (_, error) => {
    throw error;
  },
});

/** Records the call with its answer, or before it, as the key says. The answer names the transaction. */
const handle = async (
  key: string,
  call: Pick<Call<unknown>, "caller" | "transactionId" | "receivedAt">,
  deferCommit?: (commit: CommitCall) => void,
) => {
  const entry = { endpoint: "race", result: null, measurements: null, policyVersion: "1" };
  const isDeferred = key.startsWith("deferred") && deferCommit !== undefined;
  await recordCall({ ...call, ...(isDeferred && { deferCommit }) }, entry);
  return { answer: { status: 200, contentType: "json", body: call.transactionId }, isFinal: true };
};

const race = async (value: string): Promise<Raced> => {
  const caller = { tenantId, keyId: "key", environment: "test" } as const;
  const transactionId = randomUUID();
  const call = { caller, transactionId, receivedAt: clock() };
  try {
    const { body, isReplayed } = await answerOnce(
      {
        ...call,
        key: { kind: "key", value },
        lineage: "key",
        judgeRight: () => Promise.resolve(),
        route: "race",
        request: "body",
        refuse: ({ code }) => ({ status: 500, contentType: "json", body: code }),
        onReplay: () => undefined,
      },
      (deferCommit) => handle(value, call, deferCommit),
    );
    return { body: typeof body === "string" ? body : "", isReplayed };
  } catch (error) {
    if (error instanceof Failure) return { failure: error.code };
    throw error;
  }
};

process.on("message", async (keys: readonly string[]) => {
  process.send?.(await Promise.all(keys.map(race)));
});
process.send?.("ready");
