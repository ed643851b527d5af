import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { readCanonicalNumber } from "#app/local-registry";
import { openRegistries } from "#app/registries";
import { readRegistries } from "#app/registry-settings";
import { registryFields } from "#contract/civil-code";
import { registryOf } from "#features/registry/countries/countries";
import type {
  Registry,
  RegistryAnswer,
  RegistryCountry,
  RegistryQuestion,
} from "#features/registry/registry";
import { makeEgress } from "#machine/egress/make-egress";
import { CommandError, opening, printTable, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { type OpenedTenant, withTenant } from "../kit/store/with-tenant.ts";
import { isOfAnother } from "./answered-number.ts";
import type * as words from "./check.command.ts";
import { environmentOf } from "./place.ts";

export const check: Work<typeof words.check> = async (values) => {
  const { country, number, code, gender, image } = values;
  const environment = environmentOf(values);
  refuseIncomplete(country, values);
  const documentNumber = readCanonicalNumber(country)(number);
  if (documentNumber === undefined) throw new CommandError(`The number is none of ${country}.`);
  const asked = {
    country,
    environment,
    documentNumber,
    ...(code !== undefined && { documentCode: code }),
    ...(gender !== undefined && { gender }),
    ...(image !== undefined && { bestImage: await readImage(image) }),
  };
  return await withTenant(values.tenant, async (opened) => {
    const question = { ...asked, tenantId: opened.tenant.id, transactionId: randomUUID() };
    const found = await openRegistry(opened, question);
    await note(opened, question, found);
    const started = performance.now();
    const answer = await found.ask(question, new AbortController().signal);
    say(`The registry (${found.connector}) answered in ${Math.round(performance.now() - started)} ms.`);
    report(answer, values.show);
    return isOfAnother(answer, documentNumber, readCanonicalNumber(country)) ? sayOfAnother() : 0;
  });
};

/** A registry answers an incomplete question as if it had no such person. */
const refuseIncomplete = (
  country: RegistryCountry,
  { code, gender }: { readonly code?: string | undefined; readonly gender?: string | undefined },
): void => {
  const { requiresCode, takesGender } = registryOf(country);
  if (requiresCode === true && code === undefined) {
    throw new UsageError(`The registry of ${country} asks for a second number: --code CODE`);
  }
  if (takesGender && gender === undefined) {
    throw new UsageError(`The registry of ${country} asks for the sex: --gender M or --gender F`);
  }
};

const clock = (): Date => new Date();

const openRegistry = async (
  { config, store, keyring }: OpenedTenant,
  { environment, country }: RegistryQuestion,
): Promise<Registry> => {
  const registries = await opening(Promise.resolve().then(() => readRegistries(config)));
  const { find } = openRegistries({
    egress: makeEgress(config.egress),
    storage: { store, keyring },
    registries,
    clock,
  });
  const found = find(environment, country);
  if (found !== undefined) return found;
  throw new CommandError(`IDEM_REGISTRIES names no registry of ${country} for ${environment} keys.`);
};

/** The entry of evidence commits before the question leaves, as that of a call. */
const note = async (
  { store, keyring }: OpenedTenant,
  { tenantId, transactionId: transaction, environment, country, documentNumber }: RegistryQuestion,
  { connector, legalBasis }: Registry,
): Promise<void> => {
  const number = await keyring.pseudonym(tenantId, "documents", JSON.stringify([country, documentNumber]));
  const body = { transaction, environment, country, connector, legalBasis, purpose: "check", number };
  await store.recordEvidence(tenantId, [{ id: randomUUID(), kind: "registry_asked", at: clock(), body }]);
};

const readImage = async (path: string): Promise<Uint8Array> => {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read.`, { cause });
  });
  return new Uint8Array(bytes);
};

const sayOfAnother = (): number => {
  say("It answered about another number, so a call would fail with upstream_failed.");
  say("Is answer.fields.documentNumber of the settings the number of the person?");
  return 1;
};

const report = (answer: RegistryAnswer, isShown: boolean): void => {
  if (answer.kind === "unknown") {
    say("It has no person with this number.");
    return;
  }
  const { fields, photo } = answer.person;
  const described = (value: string | undefined): string =>
    value === undefined ? "-" : isShown ? value : `${value.length} characters`;
  printTable([
    ["field", isShown ? "value" : "answered"],
    ...registryFields.map((field) => [field, described(fields[field])]),
    ["photo", photo === undefined ? "-" : `${photo.length} bytes`],
  ]);
};
