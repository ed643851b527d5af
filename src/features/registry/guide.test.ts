import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { civilCode, identityFields } from "#contract/civil-code";
import { civilValidationRoute } from "#contract/civil-validation.routes";
import { registryCountries } from "#contract/country";
import { registryOf } from "./countries/countries.ts";

const guide = await readFile(
  new URL("../../../docs/guides/integrate/civil-registries.md", import.meta.url),
  "utf8",
);

it("the guide and the specification publish every code as the service answers it", () => {
  const rows = [...guide.matchAll(/^\| `(\d)` \| (.+?) \| (.+?) \|$/gm)].map(
    ([, code, message, meaning]) => ({
      code,
      message,
      meaning,
    }),
  );
  expect(rows).toEqual(Object.values(civilCode));
  const specification = JSON.stringify(civilValidationRoute.response);
  for (const { code, message, meaning } of rows) {
    expect(specification).toContain(`${code} ${message}: ${meaning}`);
  }
});

it("the guide states what each registry needs", () => {
  const rows = [...guide.matchAll(/^\| `([A-Z]{3})` \| .+? \| (.+?) \| (.+?) \| (.+?) \|$/gm)];
  expect(rows.map(([, country]) => country)).toEqual(registryCountries);
  for (const country of registryCountries) {
    const { documentCode, takesGender, takesBestImage } = registryOf(country);
    const [, , code, sex, image] = rows.find(([, named]) => named === country) ?? [];
    expect([code !== "–", sex !== "–", image !== "–"]).toEqual([
      documentCode !== undefined,
      takesGender,
      takesBestImage,
    ]);
  }
});

it("the guide names the fields that decide the outcome", () => {
  const [, named = ""] = /approved` if one of (.+?) has the code/s.exec(guide) ?? [];
  expect([...named.matchAll(/`(\w+)`/g)].map(([, field]) => field)).toEqual(identityFields);
});
