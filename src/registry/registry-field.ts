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
