import type { Static } from "typebox";
import { listCallbacksRoute } from "#contract/clearing-callback.routes";
import { print, printTable, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { findService } from "../kit/service/find-service.ts";
import type * as words from "./callbacks.command.ts";

export const callbacks: Work<typeof words.callbacks> = async ({ after, json, ...values }) => {
  const { call } = await findService(values);
  const page = await call(listCallbacksRoute, after === undefined ? {} : { after });
  if (json) print(JSON.stringify(page));
  else show(page.callbacks);
  if (page.next !== null) say(`There are more: idem clearing callbacks --after ${page.next}`);
  return 0;
};

const show = (rows: Static<typeof listCallbacksRoute.response>["callbacks"]): void => {
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
