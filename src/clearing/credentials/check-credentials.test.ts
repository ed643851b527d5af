import { expect, it } from "vitest";
import { makeCheckCredentials } from "./check-credentials.ts";
import { checksMax, checksOfOwnerMax, makePasswordQueue } from "./password-queue.ts";

it("both environments of a tenant share its places for checks of passwords, and leave the others to other tenants", async () => {
  const opened = Promise.withResolvers<void>();
  const check = makeCheckCredentials({
    store: {
      findClearingCredentials: async (of) => ({
        ...of,
        user: "user",
        passwordHash: "hash",
        changedAt: new Date(0),
      }),
    },
    isPassword: async () => {
      await opened.promise;
      return true;
    },
    inTurn: makePasswordQueue(),
  });
  const ask = async (tenantId: string, environment: "test" | "live"): Promise<string> =>
    await check({ tenantId, environment }, { user: "user", password: "password" }).then(
      () => "right",
      (error: unknown) => String(Object(error).code),
    );
  const busy = Array.from({ length: 2 * checksOfOwnerMax }, (_, n) =>
    ask("busy", n % 2 === 0 ? "test" : "live"),
  );
  const quiet = Array.from({ length: checksMax - checksOfOwnerMax }, () => ask("quiet", "test"));
  opened.resolve();
  const answers = await Promise.all(busy);
  expect(answers.filter((answer) => answer === "right")).toHaveLength(checksOfOwnerMax);
  expect(answers.filter((answer) => answer === "engine_busy")).toHaveLength(checksOfOwnerMax);
  expect(new Set(await Promise.all(quiet))).toEqual(new Set(["right"]));
});
