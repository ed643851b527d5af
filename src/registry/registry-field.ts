import { registryFields } from "#contract/civil-code";
import type { RegistryField } from "./registry.ts";

/** Whether a text names a field. */
export const isRegistryField = (name: string): name is RegistryField =>
  registryFields.some((field) => field === name);

/** Fields that hold a calendar date. */
export const dateFields = [
  "dateOfBirth",
  "issueDate",
  "expiryDate",
] as const satisfies readonly RegistryField[];

export type DateField = (typeof dateFields)[number];

export const isDateField = (field: RegistryField): field is DateField =>
  dateFields.some((date) => date === field);

/** Dates that lie in the past for every person. */
const pastFields: readonly RegistryField[] = ["dateOfBirth", "issueDate"];
const dayMs = 86_400_000;

/** Whether a date that lies in the past for every person, as `YYYY-MM-DD`, lies in the future. The day of the registry may have begun. */
export const liesInFuture = (field: RegistryField, date: string, now: Date): boolean =>
  pastFields.includes(field) && date > new Date(now.getTime() + dayMs).toISOString().slice(0, 10);
