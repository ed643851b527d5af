import { personalText } from "./wire.ts";

/** Characters of a userId. */
export const userIdLengths = { minLength: 2, maxLength: 256 } as const;

const description = "Your unique identifier of the user; persisted with the template.";

/** The schema of a userId, also where an operator names users. */
export const userId = personalText("identity", description, {
  ...userIdLengths,
  "x-name": "UserId",
  examples: ["user-4711"],
});
