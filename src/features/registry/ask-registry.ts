import { Failure } from "#contract/failure";
import type { Keyring } from "#machine/storage/blobs";
import type { EvidenceEntry } from "#record/transactions/record";
import { registryOf } from "./countries/countries.ts";
import { withoutRefusedLinks } from "./handed-link.ts";
import { judgeNumber } from "./judge-number.ts";
import type { FindRegistry, RegistryAnswer, RegistryQuestion } from "./registry.ts";

/** The kind of the entry of evidence that each question writes. */
export const registryEvidenceKinds = ["registry_asked"] as const;

/** Why a registry is asked; stands in the evidence. */
export type Purpose = "civilValidation" | "documentValidation";

export type AskDeps = {
  readonly findRegistry: FindRegistry;
  readonly recordEvidence: (tenantId: string, entries: readonly EvidenceEntry[]) => Promise<void>;
  readonly keyring: Pick<Keyring, "pseudonym">;
  readonly newId: () => string;
};

type Asked = Pick<RegistryQuestion, "environment" | "country"> & { readonly documentNumber?: string };

/**
 * The registry that answers about a number, or about some number; or the declared failure that there is none.
 */
export const getRegistry = (findRegistry: FindRegistry, { environment, country, documentNumber }: Asked) => {
  const registry = findRegistry(environment, country, documentNumber);
  if (registry === undefined) throw new Failure("registry_not_configured", { country });
  return registry;
};

/**
 * Asks the registry of a country about a person. The evidence of the question is committed before the
 * question leaves: a process that dies in between leaves a question that was announced, never one that is
 * unknown. Fails with registry_not_configured, with upstream_failed, also where the answer is about another
 * person, and with timed_out. Links that may not be handed on are left out of the answer (handed-link.ts),
 * also those of persons who were imported by an earlier release.
 */
export const askRegistry = async (
  deps: AskDeps,
  question: RegistryQuestion,
  { at, day, purpose }: { readonly at: Date; readonly day: string; readonly purpose: Purpose },
  signal: AbortSignal,
): Promise<RegistryAnswer> => {
  const { tenantId, environment, country, transactionId } = question;
  const registry = getRegistry(deps.findRegistry, question);
  const body = {
    transaction: transactionId,
    environment,
    country,
    connector: registry.connector,
    legalBasis: registry.legalBasis,
    purpose,
    number: await pseudonymOf(deps.keyring, question),
  };
  await deps.recordEvidence(tenantId, [{ id: deps.newId(), kind: registryEvidenceKinds[0], at, body }]);
  const answer = await registry.ask(question, signal);
  if (answer.kind !== "person") return answer;
  if (isAboutAnother(question, answer.person.fields.documentNumber, day)) {
    throw new Failure("upstream_failed", { reason: "the registry answered about another person" });
  }
  return { ...answer, person: withoutRefusedLinks(answer.person) };
};

/** A pseudonym of the tenant for the number, which itself never stands in the evidence. */
const pseudonymOf = (
  { pseudonym }: AskDeps["keyring"],
  { tenantId, country, documentNumber }: RegistryQuestion,
): Promise<string> => pseudonym(tenantId, "documents", JSON.stringify([country, documentNumber]));

/** An answer without a number answers the question. One with another number answers another question. */
const isAboutAnother = (
  { country, documentNumber }: RegistryQuestion,
  answered: string | undefined,
  day: string,
): boolean => {
  if (answered === undefined || answered.trim() === "") return false;
  const judged = judgeNumber(registryOf(country), answered, day);
  return "fault" in judged || judged.canonical !== documentNumber;
};
