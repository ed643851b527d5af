import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { parseOptions, print, printTable, type Run, say, UsageError } from "../command.ts";
import { callService } from "./service-calls.ts";

const nullable = Type.Union([Type.String(), Type.Null()]);

const callback = Type.Object({
  transactionId: Type.String(),
  state: Type.String(),
  createdAt: Type.String(),
  settledAt: nullable,
  attempts: Type.Array(
    Type.Object({
      outcome: Type.String(),
      status: Type.Union([Type.Integer(), Type.Null()]),
      nextAt: nullable,
      reason: nullable,
    }),
  ),
});

const listed = makeCheck(Type.Object({ callbacks: Type.Array(callback), next: nullable }));

export const runCallbacks: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      after: { type: "string" },
      json: { type: "boolean" },
      url: { type: "string" },
      "key-from": { type: "string" },
    },
    true,
  );
  if (positionals.length > 0) throw new UsageError("It takes no name: idem clearing callbacks --help");
  const service = await callService(values);
  const query = values.after === undefined ? "" : `?after=${encodeURIComponent(values.after)}`;
  const answer = await service.get(`/operator/clearing/callbacks${query}`);
  const page = listed.Parse(answer);
  if (values.json === true) print(JSON.stringify(answer));
  else show(page.callbacks);
  if (page.next !== null) say(`There are more: idem clearing callbacks --after ${page.next}`);
  return 0;
};

const show = (rows: readonly Static<typeof callback>[]): void => {
  if (rows.length === 0) return say("There is no callback.");
  printTable([
    ["transaction", "state", "attempts", "last", "next or settled"],
    ...rows.map(({ transactionId, state, attempts, settledAt }) => {
      const last = attempts.at(-1);
      const ended =
        last === undefined ? "" : [last.outcome, last.status ?? last.reason ?? ""].join(" ").trim();
      return [transactionId, state, String(attempts.length), ended, settledAt ?? last?.nextAt ?? ""];
    }),
  ]);
};
