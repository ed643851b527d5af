import { openDestinationAdmin } from "#app/destinations";
import { openDeliveriesOf } from "#app/webhooks";
import { Failure } from "#contract/failure";
import { readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { formerHoursDefault } from "#record/webhooks/destinations/secret";
import { knownTopics, wildcards } from "#record/webhooks/destinations/topics";
import type { DestinationActor } from "#record/webhooks/destinations/write-destination";
import { findTenant } from "../admin/tenant.ts";
import {
  CommandError,
  jsonOption,
  parseOptions,
  print,
  type Run,
  say,
  suggestion,
  UsageError,
  wrongAction,
} from "../command.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";
import { readCredential } from "./credential.ts";
import { printList, printOne } from "./show.ts";
import { needsCredential, type SettingValues, settingOptions, wholeNumber, wishOf } from "./wish.ts";

export const runWebhooks: Run = async ([verb, ...args]) => {
  const understand = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (understand === undefined)
    throw wrongAction("webhooks", verb, [...Object.keys(verbs), "deliveries", "replay"]);
  const { work, place } = await understand(args);
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.destinations);
  try {
    const tenant = await findTenant(store, place.tenant);
    const environment = place.live === true ? "live" : "test";
    const actor = { tenantId: tenant.id, environment } as const;
    return await work(
      openDestinationAdmin(store, config, makeEgress(config.egress), openDeliveriesOf(store)),
      actor,
    ).catch((error: unknown) => {
      throw explained(
        error,
        `Tenant "${tenant.name}" has no such destination in its ${environment} environment.`,
      );
    });
  } finally {
    await close();
  }
};

type Admin = ReturnType<typeof openDestinationAdmin>;
type Work = (admin: Admin, actor: DestinationActor) => Promise<number>;
type Place = { readonly tenant?: string | undefined; readonly live?: boolean | undefined };

/** Parses the arguments before a store is opened, so that a wrong argument fails first. */
type Verb = (args: readonly string[]) => Promise<{ readonly work: Work; readonly place: Place }>;

const placeOptions = { tenant: { type: "string" }, live: { type: "boolean" } } as const;

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

const add: Verb = async (args) => {
  const { values } = parseOptions(args, { ...settingOptions, ...placeOptions });
  for (const option of ["name", "url", "topics"] as const) {
    if (values[option] === undefined) {
      throw new UsageError(`Set --${option}: idem webhooks add --name TEXT --url URL --topics A,B`);
    }
  }
  refuseMistypedTopics(values);
  const wish = wishOf(values, await credentialOf(values));
  const work: Work = async ({ destinations }, actor) => {
    const { destination, secret } = await destinations.create(actor, wish);
    say(`Destination ${destination.id} of the ${actor.environment} environment is ${destination.state}.`);
    if (destination.stateReason === "handshake")
      say(`It waits for its receiver: idem webhooks handshake ${destination.id}`);
    say("Its signing secret is not shown again:");
    print(secret);
    return 0;
  };
  return { work, place: values };
};

const list: Verb = async (args) => {
  const { values } = parseOptions(args, { ...placeOptions, ...jsonOption });
  const work: Work = async ({ destinations }, actor) => {
    printList(await destinations.list(actor), await destinations.listForged(actor), values.json);
    return 0;
  };
  return { work, place: values };
};

const set: Verb = async (args) => {
  const { values, positionals } = parseOptions(args, { ...settingOptions, ...placeOptions }, true);
  const id = onlyId("set", positionals);
  refuseMistypedTopics(values);
  const wish = wishOf(values, await credentialOf(values));
  if (Object.keys(wish).length === 0)
    throw new UsageError("Name a setting: idem webhooks set ID --timeout 10");
  const work: Work = async ({ destinations }, actor) => {
    printOne(await destinations.change(actor, id, wish));
    return 0;
  };
  return { work, place: values };
};

const onlyId = (verb: string, positionals: readonly string[]): string => {
  const [id, ...others] = positionals;
  if (id === undefined || others.length > 0)
    throw new UsageError(`Name the destination: idem webhooks ${verb} ID`);
  return id;
};

/** An action on one destination that has no option of its own. */
const onOne =
  (verb: string, act: (admin: Admin, actor: DestinationActor, id: string) => Promise<void>): Verb =>
  async (args) => {
    const { values, positionals } = parseOptions(args, placeOptions, true);
    const id = onlyId(verb, positionals);
    const work: Work = async (admin, actor) => {
      await act(admin, actor, id);
      return 0;
    };
    return { work, place: values };
  };

const enable: Verb = async (args) => {
  const options = { ...placeOptions, "deliver-held": { type: "boolean" } } as const;
  const { values, positionals } = parseOptions(args, options, true);
  const id = onlyId("enable", positionals);
  const work: Work = async ({ destinations }, actor) => {
    await destinations.enable(actor, id, { delivers: values["deliver-held"] === true });
    say(`Enabled ${id}.`);
    return 0;
  };
  return { work, place: values };
};

const rotateSecret: Verb = async (args) => {
  const options = { ...placeOptions, "former-hours": { type: "string" } } as const;
  const { values, positionals } = parseOptions(args, options, true);
  const id = onlyId("rotate-secret", positionals);
  const hours = wholeNumber("--former-hours", values["former-hours"] ?? String(formerHoursDefault));
  const work: Work = async ({ destinations }, actor) => {
    const { destination, secret } = await destinations.rotateSecret(actor, id, hours);
    const until = destination.formerSecretUntil?.toISOString();
    say(
      until === undefined
        ? "The former secret signs no more."
        : `The former secret signs too until ${until}.`,
    );
    say("The new signing secret is not shown again:");
    print(secret);
    return 0;
  };
  return { work, place: values };
};

const handshake: Verb = async (args) => {
  const { values, positionals } = parseOptions(args, placeOptions, true);
  const id = onlyId("handshake", positionals);
  const work: Work = async (admin, actor) => {
    const { consent, destination } = await admin.handshake(actor, id, new AbortController().signal);
    if (!consent.consents) throw new CommandError(`There is no consent. ${consent.reason ?? ""}`.trim());
    say(`The receiver consents. The destination is ${destination.state}.`);
    return 0;
  };
  return { work, place: values };
};

const verbs: Readonly<Record<string, Verb>> = {
  add,
  list,
  show: onOne("show", async ({ destinations }, actor, id) => printOne(await destinations.find(actor, id))),
  set,
  pause: onOne("pause", async ({ destinations }, actor, id) => {
    await destinations.pause(actor, id);
    say(`Paused ${id}. Its deliveries are held.`);
  }),
  resume: onOne("resume", async ({ destinations }, actor, id) => {
    await destinations.resume(actor, id);
    say(`Resumed ${id}. What was held is delivered.`);
  }),
  enable,
  remove: onOne("remove", async ({ destinations }, actor, id) => {
    await destinations.remove(actor, id);
    say(`Removed ${id} with its secrets.`);
  }),
  "rotate-secret": rotateSecret,
  handshake,
};
