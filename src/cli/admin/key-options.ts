/** Options of new API keys. */
import { scopes as allScopes, type Scope } from "#contract/scope";
import { keyDaysDefault } from "#trust/tenants/key-days";
import { suggestion, UsageError } from "../command.ts";
import { liveOption, tenantOption } from "../kit/options.ts";

const readScopes = (text: string): readonly Scope[] => {
  if (text === "all") {
    return allScopes;
  }
  const wanted = text.split(",").map((scope) => scope.trim());
  const unknown = wanted.filter((scope) => !allScopes.some((known) => known === scope));
  if (unknown.length > 0) {
    const [first = ""] = unknown;
    throw new UsageError(
      `Unknown scope "${unknown.join(", ")}".${suggestion(first, allScopes)} Use: ${allScopes.join(", ")}, or all`,
    );
  }
  return allScopes.filter((scope) => wanted.includes(scope));
};

const readDays = (text: string): Date => {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    throw new UsageError("Set --days to a whole number from 1 to 99999");
  }
  return new Date(Date.now() + Number(text) * 86_400_000);
};

/** Longest overlap of a renewal, in hours: a year. */
const overlapHoursMax = 8760;

/** Milliseconds of an overlap, a whole number of thousandths of an hour. Throws UsageError. */
export const readOverlap = (text: string): number => {
  const hours = Number(text);
  if (!/^\d{1,4}(\.\d{1,3})?$/.test(text) || hours > overlapHoursMax) {
    throw new UsageError(`Set --overlap to hours from 0 to ${overlapHoursMax}, such as 24 or 0.5`);
  }
  return Math.round(hours * 1000) * 3_600;
};

const days = {
  type: "string",
  read: readDays,
  says: `days until it expires; default ${keyDaysDefault}, and of a renewal the validity of the former key`,
} as const;

export const newKeyOptions = {
  tenant: {
    ...tenantOption,
    says: `${tenantOption.says} ("Test tenant" is the first start's)`,
  },
  live: { ...liveOption, says: "a key of the live environment; otherwise of the test environment" },
  scopes: {
    type: "string",
    needed: `Name the key's scopes: --scopes ${allScopes.join(",")} (some of these), or all`,
    read: readScopes,
    says: `what the key may do, comma-separated, of: ${allScopes.join(", ")}; or all: every scope,
the opening of stored images (token) and the making of keys (key) included. A key of certificates, which the clearing entity gets in an
address, has the scope certificate alone`,
  },
  days: { ...days, default: String(keyDaysDefault) },
  name: { type: "string", default: "unnamed" },
} as const;

export const renewalOptions = {
  tenant: newKeyOptions.tenant,
  days,
  overlap: {
    type: "string",
    default: "24",
    read: readOverlap,
    says: "hours for which both keys are valid after a renewal; default 24, 0 ends the former key at once",
  },
} as const;
