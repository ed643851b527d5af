import { expect, it } from "vitest";
import type { ClearingCredentials, ClearingOwner } from "../store/clearing-token.ts";
import { makeCheckCredentials } from "./check-credentials.ts";
import { checksMax, checksOfOwnerMax, makePasswordQueue } from "./password-queue.ts";

const credentialsOf = (of: ClearingOwner): ClearingCredentials => ({
  ...of,
  user: "user",
  passwordHash: "hash",
  changedAt: new Date(0),
});

it("both environments of a tenant share its places for checks of passwords, and leave the others to other tenants", async () => {
  const opened = Promise.withResolvers<void>();
  const check = makeCheckCredentials({
    store: { findClearingCredentials: async (of) => credentialsOf(of) },
    isPassword: async () => {
      await opened.promise;
      return true;
    },
    inTurn: makePasswordQueue(),
  });
  const ask = async (tenantId: string, environment: "test" | "live"): Promise<string> =>
    await check(
      { tenantId, environment },
      { user: "user", password: "password" },
      () => () => undefined,
    ).then(
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

it.each([
  ["the right ones", { user: "user", password: "right" }, "opens", 0],
  ["a wrong password", { user: "user", password: "wrong" }, "unauthorized", 1],
  ["a wrong user", { user: "other", password: "right" }, "unauthorized", 1],
  ["none", undefined, "unauthorized", 1],
  ["what is not judged", { user: "user", password: "outage" }, "outage", 0],
])(
  "a guess is taken before the check, and stays taken for wrong credentials alone: %s",
  async (_, sent, end, taken) => {
    let guesses = 0;
    const check = makeCheckCredentials({
      store: { findClearingCredentials: async (of) => credentialsOf(of) },
      isPassword: async (password) => {
        expect(guesses).toBe(1);
        if (password === "outage") throw new Error("outage");
        return password === "right";
      },
      inTurn: makePasswordQueue(),
    });
    const takeGuess = () => {
      guesses += 1;
      return () => {
        guesses -= 1;
      };
    };
    const answer = await check({ tenantId: "tenant", environment: "test" }, sent, takeGuess).then(
      () => "opens",
      (error: unknown) => String(Object(error).code ?? Object(error).message),
    );
    expect([answer, guesses]).toEqual([end, taken]);
  },
);

it("no guess is taken of an owner without credentials, and none is checked where none is left", async () => {
  let checks = 0;
  const checkFor = (hasCredentials: boolean) =>
    makeCheckCredentials({
      store: {
        findClearingCredentials: async (of) => (hasCredentials ? credentialsOf(of) : undefined),
      },
      isPassword: async () => {
        checks += 1;
        return true;
      },
      inTurn: makePasswordQueue(),
    });
  const takeGuess = () => {
    throw new Error("no guess is left");
  };
  const of = { tenantId: "tenant", environment: "test" } as const;
  const sent = { user: "user", password: "password" };
  await expect(checkFor(false)(of, sent, takeGuess)).resolves.toBeUndefined();
  await expect(checkFor(true)(of, sent, takeGuess)).rejects.toThrow("no guess is left");
  expect(checks).toBe(0);
});
