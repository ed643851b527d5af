import {
  evidenceOf,
  type PeopleCall,
  type PeopleService,
  pseudonymOf,
  recordOf,
  untilSettled,
} from "./service.ts";

/** What became of each identifier, in the order in which they were sent; one sent twice counts once. */
export type Deletion = { readonly deleted: readonly string[]; readonly notFound: readonly string[] };

export type DeleteUsers = (call: PeopleCall, userIds: readonly string[]) => Promise<Deletion>;

type Service = Pick<PeopleService, "store" | "keyring" | "face" | "policy" | "clock" | "newId">;

/**
 * Deletes all of the users that are registered, in one step: rows, templates and their keys, each with a receipt in the
 * tenant's evidence that names the destroyed key and this transaction.
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
    return await untilSettled(async () => {
      const names = await service.store.listPersonNames(tenantId, [...named.keys()]);
      const found = new Set(names.map(({ pseudonym }) => pseudonym));
      const ids = (isFound: boolean): readonly string[] =>
        [...named].filter(([pseudonym]) => found.has(pseudonym) === isFound).map(([, userId]) => userId);
      const deletion = { deleted: ids(true), notFound: ids(false) };
      const evidence = names.map(({ id, keyId }) =>
        evidenceOf(service, "person_deleted", {
          person: id,
          destroyedKey: keyId,
          transaction: transactionId,
        }),
      );
      const result = { deleted: deletion.deleted.length, notFound: deletion.notFound.length };
      const record = recordOf(service, call, { endpoint: "deleteUsers", result });
      const isDone = await service.store.deletePeople(tenantId, names, record, { events: [], evidence });
      return isDone ? deletion : undefined;
    });
  };
