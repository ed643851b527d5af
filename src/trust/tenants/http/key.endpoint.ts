import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { createKeyRoute, listKeysRoute, renewKeyRoute, revokeKeyRoute } from "#contract/key.routes";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import { scopes as allScopes } from "#contract/scope";
import { dayMs, stateOf } from "../key-admin.ts";
import { keyDaysDefault } from "../key-days.ts";
import type { Keys } from "../keys.ts";
import type { ApiKey } from "../store/tenant.ts";

const overlapHoursDefault = 24;
const hourMs = 3_600_000;

/** The operator's endpoints of API keys. Tenant and environment are those of the calling key. */
export const keyEndpoints = (keys: Keys): readonly Endpoint[] => [
  implement(listKeysRoute, async (call) => {
    const page = await keys.list(call.caller, readPagePlace(call.request.after));
    const last = page.isLast ? undefined : page.keys.at(-1);
    return {
      timestamp: stamp(call),
      keys: page.keys.map((key) => shown(call, key)),
      next: last === undefined ? null : writePagePlace({ at: last.createdAt, id: last.id }),
    };
  }),
  implement(
    createKeyRoute,
    async (call) => {
      const { name, scopes: asked, days = keyDaysDefault } = call.request;
      const scopes = allScopes.filter((scope) => asked.includes(scope));
      const wanted = { name, scopes, expiresAt: expiryOf(call, days) };
      const { apiKey, key } = await keys.create(call.caller, wanted);
      return { timestamp: stamp(call), keyId: apiKey.id, apiKey: shown(call, apiKey), key };
    },
    async ({ caller, request }) => await keys.requireGrant(caller, request.scopes),
  ),
  implement(
    renewKeyRoute,
    async (call) => {
      const { keyId, days, overlapHours = overlapHoursDefault } = call.request;
      const { apiKey, key, former } = await keys.renew(call.caller, keyId, {
        expiresAt: days === undefined ? undefined : expiryOf(call, days),
        overlapMs: overlapHours * hourMs,
      });
      return {
        timestamp: stamp(call),
        keyId: apiKey.id,
        apiKey: shown(call, apiKey),
        key,
        former: shown(call, former),
      };
    },
    async ({ caller, request }) => void (await keys.requireRule(caller, request.keyId)),
  ),
  implement(
    revokeKeyRoute,
    async (call) => ({
      timestamp: stamp(call),
      apiKey: shown(call, await keys.revoke(call.caller, call.request.keyId)),
    }),
    async ({ caller, request }) => void (await keys.requireRule(caller, request.keyId)),
  ),
];

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

const expiryOf = (call: Call<unknown>, days: number): Date =>
  new Date(call.receivedAt.getTime() + days * dayMs);

const shown = (call: Call<unknown>, key: ApiKey) => ({
  keyId: key.id,
  name: key.name,
  environment: key.environment,
  scopes: [...key.scopes],
  state: stateOf(key, answeredAt(call)),
  createdAt: key.createdAt.toISOString(),
  expiresAt: key.expiresAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
});
