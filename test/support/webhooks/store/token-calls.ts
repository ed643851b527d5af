import type { TokenCommands } from "#record/webhooks/store/token-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, someBytes, until } from "#support/storage/sql-sample";

const name = { tenantId: "tenant", destinationId: "id" };

const claim = { ...name, revision: 1, now: at, holder: "worker", leasedUntil: until };

export const page = sqlPage<TokenCommands>("record/webhooks/store/token-store", {
  claimToken: [{ args: [claim], when: "of a token that is due" }],
  keepToken: [
    {
      args: [
        { ...name, holder: "worker", revision: 1 },
        { sealed: someBytes, refreshAt: at, expiresAt: until },
      ],
    },
  ],
  releaseToken: [{ args: [{ ...name, holder: "worker" }] }],
});
