import { createHash, timingSafeEqual } from "node:crypto";
import { Failure } from "#contract/failure";
import type { ClearingCommands } from "../store/clearing-store.ts";
import type { ClearingOwner } from "../store/clearing-token.ts";
import type { InPasswordTurn } from "./password-queue.ts";

/** User and password as a caller sends them. */
export type SentCredentials = { readonly user: string; readonly password: string };

/**
 * Fails with unauthorized where the owner has credentials and the caller sent none or others, and with engine_busy where too many
 * passwords are checked at once. Made by {@link makeCheckCredentials}.
 */
export type CheckCredentials = (of: ClearingOwner, sent: SentCredentials | undefined) => Promise<void>;

export type CheckDeps = {
  readonly store: Pick<ClearingCommands, "findClearingCredentials">;
  readonly isPassword: (sent: string, hash: string) => Promise<boolean>;
  readonly inTurn: InPasswordTurn;
};

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/** Compares texts of any length in a time that shows nothing of them. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

export const makeCheckCredentials =
  ({ store, isPassword, inTurn }: CheckDeps): CheckCredentials =>
  async (of, sent) => {
    const known = await store.findClearingCredentials(of);
    if (known === undefined) return;
    if (sent === undefined) throw new Failure("unauthorized");
    // The password is checked for a wrong user too, so that the time shows nothing.
    const isRight = await inTurn(of.tenantId, () => isPassword(sent.password, known.passwordHash));
    if (!isEqual(sent.user, known.user) || !isRight) throw new Failure("unauthorized");
  };
