import type { RegistryAnswer } from "#features/registry/registry";

/**
 * Whether an answer states a number that differs from the question, or that is no number. A call then refuses
 * the answer.
 */
export const isOfAnother = (
  answer: RegistryAnswer,
  documentNumber: string,
  readNumber: (text: string) => string | undefined,
): boolean => {
  if (answer.kind === "unknown") return false;
  const answered = answer.person.fields.documentNumber ?? "";
  return answered.trim() !== "" && readNumber(answered) !== documentNumber;
};
