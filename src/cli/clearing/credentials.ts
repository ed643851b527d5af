import { openCredentialAdmin } from "#app/clearing";
import { Failure } from "#contract/failure";
import type { CredentialAdmin } from "#features/clearing/credentials/set-credentials";
import { CommandError, printTable, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { readCredential } from "../kit/credential.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import type { credentials } from "./credentials.command.ts";

type Topics = (typeof credentials)["topics"];
type Of = Parameters<CredentialAdmin["show"]>[0];

const withCredentials = (
  { tenant: name, live }: { readonly tenant: string | undefined; readonly live: boolean },
  work: (admin: CredentialAdmin, of: Of) => Promise<number>,
): Promise<number> =>
  withTenant(name, ({ sealedStore, tenant }) =>
    work(openCredentialAdmin(sealedStore), { tenantId: tenant.id, environment: live ? "live" : "test" }),
  );

const none = ({ environment }: Of): CommandError =>
  new CommandError(`The tenant has no clearing credentials in its ${environment} environment.`);

export const set: Work<Topics["set"]> = async ({ user, "password-from": variable, ...place }) => {
  const password = await readCredential(process.stdin, process.env, variable);
  return await withCredentials(place, async (admin, of) => {
    await admin.set(of, user, password).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      throw new CommandError([error.facts["errors"] ?? error.message].flat().join(" "));
    });
    say(`Certificates of the ${of.environment} environment ask for user and password from now on.`);
    return 0;
  });
};

export const show: Work<Topics["show"]> = (place) =>
  withCredentials(place, async (admin, of) => {
    const found = await admin.show(of);
    if (found === undefined) throw none(of);
    printTable([
      ["user", found.user],
      ["environment", of.environment],
      ["changed", found.changedAt.toISOString()],
    ]);
    return 0;
  });

export const remove: Work<Topics["remove"]> = (place) =>
  withCredentials(place, async (admin, of) => {
    if (!(await admin.remove(of))) throw none(of);
    say(`Certificates of the ${of.environment} environment ask for key and token alone.`);
    return 0;
  });
