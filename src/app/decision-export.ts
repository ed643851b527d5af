/** Composition of `idem export`: the decisions of calls and of expiries, in one order. */
import type { Expiry, ExpiryCommands } from "#record/operations/store/expiry-store";
import { type Decision, decisionOf } from "#record/transactions/decisions/decision";
import type { TimeRange } from "#record/transactions/record";
import type { AnsweredCall, ResultCommands } from "#record/transactions/store/result-store";
import type { Placed } from "#record/transactions/store/transaction-store";

/** The reads of an export. They need no master key. */
export type DecisionReads = ResultCommands & ExpiryCommands;

/**
 * The decisions of a tenant in a time, in the order of time and then of transaction ids, in the memory of two
 * pages. `onRead` gets the number of calls that were read.
 */
export async function* readDecisions(
  store: DecisionReads,
  tenantId: string,
  range: TimeRange,
  onRead: (calls: number) => void = () => undefined,
): AsyncGenerator<Decision> {
  let read = 0;
  const calls = rowsOf((after: AnsweredCall | undefined) => store.listResults(tenantId, range, after));
  const expiries = rowsOf((after: Expiry | undefined) => store.listExpiries(tenantId, range, after));
  for await (const row of inOrder(calls, expiries)) {
    if ("endpoint" in row) onRead(++read);
    const decision = decisionOf("endpoint" in row ? row : callOf(row));
    if (decision !== undefined) yield decision;
  }
}

/** An expiry in the form of a call. */
const callOf = ({ reason, ...expiry }: Expiry): AnsweredCall => ({
  ...expiry,
  endpoint: "expiry",
  result: { state: "EXPIRED", reason },
  policyVersion: "",
});

async function* rowsOf<Row extends Placed>(
  list: (after: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<Row, undefined> {
  for (let last: Row | undefined; ; ) {
    const page = await list(last);
    yield* page;
    last = page.at(-1);
    if (last === undefined) return undefined;
  }
}

async function* inOrder<One extends Placed, Other extends Placed>(
  ones: AsyncGenerator<One, undefined>,
  others: AsyncGenerator<Other, undefined>,
): AsyncGenerator<One | Other> {
  let one = (await ones.next()).value;
  let other = (await others.next()).value;
  for (;;) {
    if (one !== undefined && (other === undefined || isBefore(one, other))) {
      yield one;
      one = (await ones.next()).value;
    } else if (other !== undefined) {
      yield other;
      other = (await others.next()).value;
    } else return;
  }
}

const isBefore = (one: Placed, other: Placed): boolean => {
  const ms = one.at.getTime() - other.at.getTime();
  return ms < 0 || (ms === 0 && one.id < other.id);
};
