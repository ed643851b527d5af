import type { Words } from "../kit/action.ts";

export const code = {
  help: `Usage: idem clearing code UUID

Prints codigo_verificacion of a serviceTransactionId: its 16 bytes in URL-safe Base64 without padding, 22 characters. It needs no
service and no settings.

Example: idem clearing code 2db602ee-3564-4304-af95-92a52eaae12d`,
  options: {},
  takes: "Name one transaction: idem clearing code UUID",
} as const satisfies Words;
