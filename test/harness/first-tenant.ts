import { openStore } from "#app/storage";
import { prepareDirectory } from "#cli/kit/store/deployment";
import { settleMasterKey } from "#cli/kit/store/development-master-key";
import { makeFirstKey, readDevelopmentKey } from "#cli/kit/store/first-key";
import { readConfig } from "#machine/config/config";

/**
 * Makes the store, the tenant and the key that the first start of a service makes, without a service: for
 * commands and services that find them there. `variables` has at least `IDEM_DATA`. Returns the key.
 */
export const makeFirstTenant = async (variables: Readonly<Record<string, string>>): Promise<string> => {
  const settings = readConfig(variables);
  await prepareDirectory(settings);
  const { store, close } = await openStore(settings);
  try {
    await makeFirstKey(await settleMasterKey(settings, store), store);
  } finally {
    await close();
  }
  return await readDevelopmentKey(settings.dataDirectory);
};
