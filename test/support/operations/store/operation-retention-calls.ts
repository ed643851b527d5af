import {
  makeOperationRetentionCommands,
  type OperationRetentionCommands,
} from "#record/operations/store/operation-retention-store";
import { sqlPage } from "#support/storage/sql-page";
import { at } from "#support/storage/sql-sample";

export const page = sqlPage<OperationRetentionCommands>(
  "record/operations/store/operation-retention-store",
  {
    purgeOperations: [
      { args: ["tenant", at], when: "the events of up to 50 operations" },
      {
        args: ["tenant", at],
        when: "their steps, when they have no event",
        findsNothing: 'from "events"',
      },
    ],
    eraseOperations: [{ args: ["tenant", at], when: "as above, by the time of opening" }],
  },
  (session) => makeOperationRetentionCommands(session, () => Promise.resolve()),
);
