import { Failure } from "#contract/failure";
import { stepOf } from "#record/transactions/record-call";
import type { ClearingCommands } from "../store/clearing-store.ts";
import type { ClearingOwner } from "../store/clearing-token.ts";
import type { ClearingEvidenceKind } from "../verify/issue.ts";

/** Shortest password: it travels in URLs and is typed by no person. */
export const passwordLengthMin = 12;

/** Longest user name and password: fields of a query. */
export const credentialLengthMax = 200;

export type ShownCredentials = { readonly user: string; readonly changedAt: Date };

/** The operator's way to the credentials of a tenant and environment. Made by {@link makeCredentialAdmin}. */
export type CredentialAdmin = {
  /**
   * Sets or replaces them; the evidence keeps the user name. Fails with request_invalid for texts of another
   * form.
   */
  readonly set: (of: ClearingOwner, user: string, password: string) => Promise<void>;
  readonly show: (of: ClearingOwner) => Promise<ShownCredentials | undefined>;
  /** False where there were none. */
  readonly remove: (of: ClearingOwner) => Promise<boolean>;
};

/**
 * What is wrong with user name and password, in sentences. Basic credentials end the user name at a colon
 * (RFC 7617, 2).
 */
export const judgeNewCredentials = (user: string, password: string): readonly string[] => [
  ...(/^[^:\p{Cc}]{1,200}$/u.test(user)
    ? []
    : [`The user name must have 1 to ${credentialLengthMax} characters, and no colon.`]),
  ...(password.length >= passwordLengthMin &&
  password.length <= credentialLengthMax &&
  !/\p{Cc}/u.test(password)
    ? []
    : [`The password must have ${passwordLengthMin} to ${credentialLengthMax} characters.`]),
];

type AdminDeps = {
  readonly store: Pick<
    ClearingCommands,
    "findClearingCredentials" | "setClearingCredentials" | "removeClearingCredentials"
  >;
  readonly hashPassword: (password: string) => Promise<string>;
  readonly clock: () => Date;
  readonly newId: () => string;
};

export const makeCredentialAdmin = ({ store, hashPassword, clock, newId }: AdminDeps): CredentialAdmin => {
  const stepFor = (kind: ClearingEvidenceKind, at: Date, body: Readonly<Record<string, string>>) =>
    stepOf({ evidence: [{ id: newId(), kind, at, body }] });
  return {
    set: async ({ tenantId, environment }, user, password) => {
      const errors = judgeNewCredentials(user, password);
      if (errors.length > 0) throw new Failure("request_invalid", { errors });
      const changedAt = clock();
      const passwordHash = await hashPassword(password);
      await store.setClearingCredentials(
        { tenantId, environment, user, passwordHash, changedAt },
        stepFor("clearing_credentials_set", changedAt, { environment, user }),
      );
    },
    show: async (of) => {
      const found = await store.findClearingCredentials(of);
      return found && { user: found.user, changedAt: found.changedAt };
    },
    remove: ({ tenantId, environment }) =>
      store.removeClearingCredentials(
        { tenantId, environment },
        stepFor("clearing_credentials_removed", clock(), { environment }),
      ),
  };
};
