import { stepOf, transactionOf } from "#record/transactions/record-call";
import {
  entryOf,
  evidenceOf,
  pseudonymOf,
  type UserCall,
  type UserService,
  untilSettled,
} from "./service.ts";

const endpoint = "deleteUsers";

/** The outcome for each identifier, in the order of the request. An identifier sent twice counts once. */
export type Deletion = { readonly deleted: readonly string[]; readonly notFound: readonly string[] };

/** Made by {@link makeDeleteUsers}. */
export type DeleteUsers = (call: UserCall, userIds: readonly string[]) => Promise<Deletion>;

type Service = Pick<UserService, "store" | "keyring" | "face" | "policy" | "trackCall" | "clock" | "newId">;

/**
 * Deletes all registered users of the list in one step: rows, templates and keys. The tenant's evidence gets
 * one receipt per user, with the destroyed key and this transaction.
 */
export const makeDeleteUsers =
  (service: Service): DeleteUsers =>
  async (call, userIds) => {
    const { caller, transactionId } = call;
    const { tenantId } = caller;
    const named = new Map<string, string>();
    for (const userId of userIds) {
      named.set(await pseudonymOf(service.keyring, caller, userId), userId);
    }
    const operation = await service.trackCall(call, endpoint);
    return await untilSettled(async () => {
      const names = await service.store.listUserNames(tenantId, [...named.keys()]);
      const found = new Set(names.map(({ pseudonym }) => pseudonym));
      const ids = (isFound: boolean): readonly string[] =>
        [...named].filter(([pseudonym]) => found.has(pseudonym) === isFound).map(([, userId]) => userId);
      const deletion = { deleted: ids(true), notFound: ids(false) };
      const evidence = names.map(({ id, keyId }) =>
        evidenceOf(service, "person_deleted", {
          // Stored key: earlier releases wrote it.
          person: id,
          destroyedKey: keyId,
          transaction: transactionId,
        }),
      );
      const result = { deleted: deletion.deleted.length, notFound: deletion.notFound.length };
      const record = transactionOf(call, entryOf(service, { endpoint, result }));
      const step = stepOf({ evidence, operation });
      const isDone = await service.store.deleteUsers(tenantId, names, record, step);
      return isDone ? deletion : undefined;
    });
  };
