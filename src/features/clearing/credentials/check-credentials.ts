import { createHash, timingSafeEqual } from "node:crypto";
import { Failure } from "#contract/failure";
import type { ClearingCommands } from "../store/clearing-store.ts";
import type { ClearingOwner } from "../store/clearing-token.ts";
import type { InPasswordTurn } from "./password-queue.ts";

/** User and password as a caller sends them. */
export type SentCredentials = { readonly user: string; readonly password: string };

/**
 * Fails with unauthorized where the owner has credentials and the caller sent none or others, and with
 * engine_busy where too many passwords are checked at once. Where the owner has credentials, `takeGuess` is
 * called before the check, and fails where no guess is left. Its result is called where the credentials are
 * right or were not judged. Made by {@link makeCheckCredentials}.
 */
export type CheckCredentials = (
  of: ClearingOwner,
  sent: SentCredentials | undefined,
  takeGuess: () => () => void,
) => Promise<void>;

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
  async (of, sent, takeGuess) => {
    const known = await store.findClearingCredentials(of);
    if (known === undefined) return;
    const giveBack = takeGuess();
    let isRight = false;
    try {
      // The password is checked for a wrong user too, so that the time shows nothing.
      const isPasswordRight =
        sent !== undefined &&
        (await inTurn(of.tenantId, () => isPassword(sent.password, known.passwordHash)));
      isRight = isPasswordRight && isEqual(sent.user, known.user);
    } catch (error) {
      giveBack();
      throw error;
    }
    if (!isRight) throw new Failure("unauthorized");
    giveBack();
  };
