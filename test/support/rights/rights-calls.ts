import { makeRightsCommands, type RightsCommands } from "#record/rights/rights-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, someBytes } from "#support/storage/sql-sample";

export const page = sqlPage<RightsCommands>(
  "record/rights/rights-store",
  {
    beginRights: [
      {
        args: [someBytes, someBytes, at],
        when: "of a tenant, where no row is left to be sealed",
        findsNothing: "limit 500",
      },
    ],
    hasSeals: [{ args: [], when: "of a store whose first table has one" }],
    compareRights: [
      { args: ["api_keys"], when: "from the start" },
      { args: ["api_keys", ["tenant", "id"]], when: "up to 500 rows after a key" },
      { args: ["evidence_heads"], when: "the ends of the chains of up to 500 tenants" },
    ],
    listUnrevoked: [{ args: ["tenant", ["id"]] }],
    listRights: [{ args: ["tenant", "api_keys", "id"], when: "up to 1000 rows of one table" }],
    acceptRight: [{ args: ["api_keys", ["tenant", "id"], at], when: "of a whole row" }],
  },
  (session) => makeRightsCommands(session, () => Promise.resolve()),
);
