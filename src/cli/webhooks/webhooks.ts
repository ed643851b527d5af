import { openDestinationAdmin } from "#app/destinations";
import { openDeliveriesOf } from "#app/webhooks";
import { Failure } from "#contract/failure";
import { makeEgress } from "#machine/egress/make-egress";
import { knownTopics, wildcards } from "#record/webhooks/destinations/topics";
import type { DestinationActor } from "#record/webhooks/destinations/write-destination";
import { CommandError, print, say, suggestion, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { readCredential } from "../kit/credential.ts";
import { wayOut } from "../kit/store/way-out.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import { printList, printOne } from "./show.ts";
import type { webhooks } from "./webhooks.command.ts";
import { needsCredential, type SettingValues, wholeNumber, wishOf } from "./wish.ts";

type Topics = (typeof webhooks)["topics"];
type Admin = ReturnType<typeof openDestinationAdmin>;
type Place = { readonly tenant: string | undefined; readonly live: boolean };

/** Runs the work on the destinations of one environment of a tenant. */
const withDestinations = (
  { tenant: name, live }: Place,
  work: (admin: Admin, actor: DestinationActor) => Promise<void>,
): Promise<number> =>
  withTenant(
    name,
    async ({ sealedStore, config, tenant }) => {
      const environment = live ? "live" : "test";
      const admin = openDestinationAdmin(
        sealedStore,
        config,
        makeEgress(config.egress),
        openDeliveriesOf(sealedStore),
      );
      await work(admin, { tenantId: tenant.id, environment }).catch((error: unknown) => {
        throw explained(
          error,
          `Tenant "${tenant.name}" has no such destination in its ${environment} environment.`,
        );
      });
      return 0;
    },
    wayOut.destinations,
  );

/** The reason of a refusal in words, with the next step. */
const explained = (error: unknown, unknown: string): unknown => {
  if (!(error instanceof Failure)) return error;
  if (error.code === "not_found") return new CommandError(`${unknown} List them: idem webhooks list`);
  const { errors } = error.facts;
  if (error.code === "request_invalid" && Array.isArray(errors)) {
    return new CommandError(`Nothing was stored:\n${errors.map((line) => `  ${line}`).join("\n")}`);
  }
  return error;
};

const credentialOf = async (values: SettingValues): Promise<string | undefined> => {
  const variable = values["credential-from"];
  if (needsCredential(values)) return await readCredential(process.stdin, process.env, variable);
  if (variable === undefined) return undefined;
  throw new UsageError("--credential-from belongs to --api-key-header or --token-url");
};

/** Topics that are nearly known ones are named before anything is read or stored. */
const refuseMistypedTopics = ({ topics = "" }: SettingValues): void => {
  const known = [...knownTopics, ...wildcards];
  const stated = topics === "" ? [] : topics.split(",").map((one) => one.trim());
  const faults = stated
    .filter((topic) => !known.includes(topic))
    .map((topic) => `"${topic}" is no topic.${suggestion(topic, known)}`);
  if (faults.length > 0) throw new UsageError(`${faults.join("\n")}\nTopics: ${known.join(", ")}`);
};

export const add: Work<Topics["add"]> = async (values) => {
  for (const option of ["name", "url", "topics"] as const) {
    if (values[option] === undefined) {
      throw new UsageError(`Set --${option}: idem webhooks add --name TEXT --url URL --topics A,B`);
    }
  }
  refuseMistypedTopics(values);
  const wish = wishOf(values, await credentialOf(values));
  return await withDestinations(values, async ({ destinations }, actor) => {
    const { destination, secret } = await destinations.create(actor, wish);
    say(`Destination ${destination.id} of the ${actor.environment} environment is ${destination.state}.`);
    if (destination.stateReason === "handshake")
      say(`It waits for its receiver: idem webhooks handshake ${destination.id}`);
    say("Its signing secret is not shown again:");
    print(secret);
  });
};

export const list: Work<Topics["list"]> = (values) =>
  withDestinations(values, async ({ destinations }, actor) =>
    printList(await destinations.list(actor), await destinations.listForged(actor), values.json),
  );

export const show: Work<Topics["show"]> = (values, id) =>
  withDestinations(values, async ({ destinations }, actor) => printOne(await destinations.find(actor, id)));

export const set: Work<Topics["set"]> = async (values, id) => {
  refuseMistypedTopics(values);
  const wish = wishOf(values, await credentialOf(values));
  if (Object.keys(wish).length === 0)
    throw new UsageError("Name a setting: idem webhooks set ID --timeout 10");
  return await withDestinations(values, async ({ destinations }, actor) =>
    printOne(await destinations.change(actor, id, wish)),
  );
};

export const pause: Work<Topics["pause"]> = (values, id) =>
  withDestinations(values, async ({ destinations }, actor) => {
    await destinations.pause(actor, id);
    say(`Paused ${id}. Its deliveries are held.`);
  });

export const resume: Work<Topics["resume"]> = (values, id) =>
  withDestinations(values, async ({ destinations }, actor) => {
    await destinations.resume(actor, id);
    say(`Resumed ${id}. What was held is delivered.`);
  });

export const enable: Work<Topics["enable"]> = (values, id) =>
  withDestinations(values, async ({ destinations }, actor) => {
    await destinations.enable(actor, id, { delivers: values["deliver-held"] });
    say(`Enabled ${id}.`);
  });

export const remove: Work<Topics["remove"]> = (values, id) =>
  withDestinations(values, async ({ destinations }, actor) => {
    await destinations.remove(actor, id);
    say(`Removed ${id} with its secrets.`);
  });

export const rotateSecret: Work<Topics["rotate-secret"]> = async (values, id) => {
  const hours = wholeNumber("--former-hours", values["former-hours"]);
  return await withDestinations(values, async ({ destinations }, actor) => {
    const { destination, secret } = await destinations.rotateSecret(actor, id, hours);
    const until = destination.formerSecretUntil?.toISOString();
    say(
      until === undefined
        ? "The former secret signs no more."
        : `The former secret signs too until ${until}.`,
    );
    say("The new signing secret is not shown again:");
    print(secret);
  });
};

export const handshake: Work<Topics["handshake"]> = (values, id) =>
  withDestinations(values, async (admin, actor) => {
    const { consent, destination } = await admin.handshake(actor, id, new AbortController().signal);
    if (!consent.consents) throw new CommandError(`There is no consent. ${consent.reason ?? ""}`.trim());
    say(`The receiver consents. The destination is ${destination.state}.`);
  });
