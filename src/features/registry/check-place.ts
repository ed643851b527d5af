import type { RegistryQuestion } from "./registry.ts";

/**
 * Throws Error where a question comes to a registry of another environment or country: a registry of live
 * keys never sees a question of a test key, whatever the composition does.
 */
export const checkPlace = (
  place: Pick<RegistryQuestion, "environment" | "country">,
  question: RegistryQuestion,
): void => {
  if (question.environment !== place.environment || question.country !== place.country) {
    throw new Error(
      `A question of ${question.environment} ${question.country} came to the registry of ${place.environment} ${place.country}`,
    );
  }
};
