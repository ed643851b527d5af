import { type Endpoint, implement } from "#contract/endpoint";
import { serviceRan, transactionEnvelope } from "#contract/envelope";
import { serviceSucceeded } from "#contract/result-code";
import { deleteUsersRoute } from "#contract/user.routes";
import type { DeleteUsers } from "../delete-users.ts";

/** A user who is not registered is no error: a repeated request must not fail. */
export const deleteUsersEndpoint = (deleteUsers: DeleteUsers): Endpoint =>
  implement(deleteUsersRoute, async (call) => {
    const { deleted, notFound } = await deleteUsers(call, call.request.userIds);
    const counts = `${deleted.length} deleted, ${notFound.length} not found`;
    return {
      ...transactionEnvelope(call),
      serviceResultCode: serviceSucceeded,
      serviceResultLog: `${serviceRan("authenticateUser")}: ${counts}`,
      deletedUserIds: [...deleted],
      notFoundUserIds: [...notFound],
    };
  });
