import { isIsoCountry } from "#contract/country";
import { readConfig } from "#machine/config/config";
import {
  CommandError,
  jsonOption,
  parseOptions,
  printListing,
  type Run,
  say,
  UsageError,
  wrongAction,
} from "../command.ts";
import { findDeployment } from "../serve/first-start.ts";
import { type KeyStore, withKeyPlace } from "./key-place.ts";

export const runTenants: Run = async ([verb, ...args]) => {
  const understand = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (understand === undefined) {
    throw wrongAction("tenants", verb, Object.keys(verbs));
  }
  const work = understand(args);
  return await withKeyPlace(await findDeployment(readConfig()), ({ store }) => work(store));
};

type Work = (store: KeyStore) => Promise<number>;

const list = (args: readonly string[]): Work => {
  const { values } = parseOptions(args, jsonOption);
  return async (store) => {
    const rows = (await store.listTenants()).map(({ name, defaultCountry, createdAt }) => [
      name,
      defaultCountry ?? "of the deployment",
      createdAt.toISOString(),
    ]);
    printListing(["name", "default country", "created"], rows, { isJson: values.json });
    return 0;
  };
};

const set = (args: readonly string[]): Work => {
  const { values, positionals } = parseOptions(args, { "default-country": { type: "string" } }, true);
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) {
    throw new UsageError("Name the tenant: idem tenants set NAME --default-country CHL");
  }
  const country = parseCountry(values["default-country"]);
  return async (store) => {
    const tenant = (await store.listTenants()).find((one) => one.name === name);
    if (tenant === undefined) {
      throw new CommandError(`There is no tenant "${name}". List them: idem tenants list`);
    }
    await store.setDefaultCountry(tenant.id, country);
    say(
      country === undefined
        ? `Tenant "${name}" has the default country of the deployment.`
        : `Tenant "${name}" has the default country ${country}.`,
    );
    return 0;
  };
};

const verbs: Readonly<Record<string, (args: readonly string[]) => Work>> = { list, set };

/** Undefined for the word `none`. */
const parseCountry = (text: string | undefined): string | undefined => {
  if (text === undefined) throw new UsageError("Name the country: --default-country CHL, or none");
  if (text === "none") return undefined;
  if (!isIsoCountry(text)) {
    throw new UsageError(
      `"${text}" is no country. Set --default-country to its three capital letters (ISO 3166-1 alpha-3), or to none`,
    );
  }
  return text;
};
