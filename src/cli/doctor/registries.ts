import { readRegistries } from "#app/registry-settings";
import type { CountrySettings } from "#features/registry/settings/settings";
import type { Config } from "#machine/config/config";
import { type Finding, finding, orRed } from "../kit/finding.ts";

const describe = ([country, settings]: readonly [string, CountrySettings]): string =>
  settings.connector === "local" ? `${country} local` : `${country} ${new URL(settings.request.url).host}`;

/** The civil registries: reads their settings and secrets, as a start does. Asks none of them. */
export const checkRegistries = (config: Config): Promise<Finding> =>
  orRed("registries", "the settings cannot be used: the service does not start", () => {
    const { live, test } = readRegistries(config);
    const found = Object.entries({ live, test }).flatMap(([environment, countries]) => {
      const named = Object.entries(countries).map(describe);
      return named.length === 0 ? [] : [`${environment} keys: ${named.join(", ")}`];
    });
    return Promise.resolve(
      finding("registries", found.join("; ") || "none: no person is compared with a registry"),
    );
  });
