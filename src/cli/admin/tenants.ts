import { readConfig } from "#machine/config/config";
import { CommandError, printListing, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { findDeployment } from "../kit/store/deployment.ts";
import { type KeyStore, withKeyPlace } from "./key-place.ts";
import type { tenants } from "./tenants.command.ts";

type Topics = (typeof tenants)["topics"];

const onStore = async (work: (store: KeyStore) => Promise<number>): Promise<number> =>
  await withKeyPlace(await findDeployment(readConfig()), ({ store }) => work(store));

export const list: Work<Topics["list"]> = ({ json }) =>
  onStore(async (store) => {
    const rows = (await store.listTenants()).map(({ name, defaultCountry, createdAt }) => [
      name,
      defaultCountry ?? "of the deployment",
      createdAt.toISOString(),
    ]);
    printListing(["name", "default country", "created"], rows, { isJson: json });
    return 0;
  });

export const set: Work<Topics["set"]> = ({ "default-country": country }, name) =>
  onStore(async (store) => {
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
  });
