import { openCredentialAdmin } from "#app/clearing";
import { Failure } from "#contract/failure";
import type { CredentialAdmin } from "#features/clearing/credentials/set-credentials";
import { readConfig } from "#machine/config/config";
import { findTenant } from "../admin/tenant.ts";
import {
  CommandError,
  parseOptions,
  printTable,
  type Run,
  say,
  UsageError,
  wrongAction,
} from "../command.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { readCredential } from "../webhooks/credential.ts";

const actions = ["set", "show", "remove"] as const;

export const runCredentials: Run = async ([verb, ...args]) => {
  const action = actions.find((known) => known === verb);
  if (action === undefined) throw wrongAction("clearing credentials", verb, actions);
  const { values } = parseOptions(args, {
    user: { type: "string" },
    "password-from": { type: "string" },
    live: { type: "boolean" },
    tenant: { type: "string" },
  });
  if (action === "set" && values.user === undefined) throw new UsageError("Name the user: --user NAME");
  const password =
    action === "set" ? await readCredential(process.stdin, process.env, values["password-from"]) : "";
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.stop);
  try {
    const tenant = await findTenant(store, values.tenant);
    const of = { tenantId: tenant.id, environment: values.live === true ? "live" : "test" } as const;
    return await act[action](openCredentialAdmin(store), of, { user: values.user ?? "", password });
  } finally {
    await close();
  }
};

type Of = Parameters<CredentialAdmin["show"]>[0];
type Sent = { readonly user: string; readonly password: string };

const none = ({ environment }: Of): CommandError =>
  new CommandError(`The tenant has no clearing credentials in its ${environment} environment.`);

const act: Readonly<
  Record<(typeof actions)[number], (admin: CredentialAdmin, of: Of, sent: Sent) => Promise<number>>
> = {
  set: async (admin, of, { user, password }) => {
    try {
      await admin.set(of, user, password);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new CommandError([error.facts["errors"] ?? error.message].flat().join(" "));
    }
    say(`Certificates of the ${of.environment} environment ask for user and password from now on.`);
    return 0;
  },
  show: async (admin, of) => {
    const found = await admin.show(of);
    if (found === undefined) throw none(of);
    printTable([
      ["user", found.user],
      ["environment", of.environment],
      ["changed", found.changedAt.toISOString()],
    ]);
    return 0;
  },
  remove: async (admin, of) => {
    if (!(await admin.remove(of))) throw none(of);
    say(`Certificates of the ${of.environment} environment ask for key and token alone.`);
    return 0;
  },
};
