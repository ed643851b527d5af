import type { RegistryAnswer } from "#features/registry/registry";

/** Whether an answer states another number than the one asked for, or one that is none. A call refuses it then. */
export const isOfAnother = (
  answer: RegistryAnswer,
  documentNumber: string,
  readNumber: (text: string) => string | undefined,
): boolean => {
  if (answer.kind === "unknown") return false;
  const answered = answer.person.fields.documentNumber ?? "";
  return answered.trim() !== "" && readNumber(answered) !== documentNumber;
};
