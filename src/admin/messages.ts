import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { scopes } from "#contract/endpoint";
import type { ApiKey, Tenant } from "#tenants/store/tenant";

/** The name of the socket in the data directory. */
export const socketName = "admin.sock";

/** Longest request, and longest answer: some thousand keys of a tenant. */
export const requestBytesMax = 64 * 1024;
export const answerBytesMax = 4 * 1024 * 1024;

const id = Type.String({ minLength: 1, maxLength: 128 });
const name = Type.String({ minLength: 1, maxLength: 1024 });
/** Milliseconds since 1970. */
const moment = Type.Integer({ minimum: 0, maximum: 8.64e15 });
const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

const tenant = Type.Object({
  id,
  name,
  createdAt: moment,
  defaultCountry: Type.Optional(Type.String({ maxLength: 3 })),
});

const apiKey = Type.Object({
  id,
  tenantId: id,
  hash,
  name: Type.String({ maxLength: 1024 }),
  environment: Type.Union([Type.Literal("live"), Type.Literal("test")]),
  scopes: Type.Array(Type.Enum([...scopes]), { maxItems: 64 }),
  createdAt: moment,
  expiresAt: Type.Optional(moment),
  revokedAt: Type.Optional(moment),
  lastUsedAt: Type.Optional(moment),
  isForged: Type.Optional(Type.Literal(true)),
});

const keyPlace = { tenantId: id, keyId: id, at: moment };

/** One request: a command of the store, by its name. */
export const adminRequest = Type.Union([
  Type.Object({ ask: Type.Literal("listTenants") }),
  Type.Object({ ask: Type.Literal("createTenant"), tenant }),
  Type.Object({
    ask: Type.Literal("setDefaultCountry"),
    tenantId: id,
    country: Type.Optional(Type.String({ maxLength: 3 })),
  }),
  Type.Object({ ask: Type.Literal("listApiKeys"), tenantId: id }),
  Type.Object({ ask: Type.Literal("findApiKey"), hash }),
  Type.Object({ ask: Type.Literal("createApiKey"), key: apiKey, renews: Type.Optional(id) }),
  Type.Object({ ask: Type.Literal("revokeApiKey"), ...keyPlace }),
  Type.Object({ ask: Type.Literal("endApiKey"), ...keyPlace }),
  /** `masterId`: the master key of the command, which must be that of the service. */
  Type.Object({ ask: Type.Literal("rewrapKeys"), masterId: Type.String({ pattern: "^[0-9a-f]{16}$" }) }),
]);

export type AdminRequest = Static<typeof adminRequest>;

export const isAdminRequest = Compile(adminRequest);

/** What each request is answered with. */
const answers = {
  listTenants: Type.Array(tenant),
  createTenant: tenant,
  setDefaultCountry: Type.Boolean(),
  listApiKeys: Type.Array(apiKey),
  findApiKey: Type.Union([apiKey, Type.Null()]),
  createApiKey: Type.Null(),
  revokeApiKey: Type.Boolean(),
  endApiKey: Type.Boolean(),
  rewrapKeys: Type.Integer({ minimum: 0 }),
};

export const answerChecks = {
  listTenants: Compile(answers.listTenants),
  createTenant: Compile(answers.createTenant),
  setDefaultCountry: Compile(answers.setDefaultCountry),
  listApiKeys: Compile(answers.listApiKeys),
  findApiKey: Compile(answers.findApiKey),
  createApiKey: Compile(answers.createApiKey),
  revokeApiKey: Compile(answers.revokeApiKey),
  endApiKey: Compile(answers.endApiKey),
  rewrapKeys: Compile(answers.rewrapKeys),
};

/** A refusal in place of an answer: a sentence for the operator. */
export const isRefusal = Compile(Type.Object({ refusal: Type.String({ maxLength: 4096 }) }));
export const isAnswer = Compile(Type.Object({ answer: Type.Unknown() }));

type WireTenant = Static<typeof tenant>;
type WireKey = Static<typeof apiKey>;

export const writeTenant = ({ createdAt, ...rest }: Tenant): WireTenant => ({
  ...rest,
  createdAt: createdAt.getTime(),
});

export const readTenant = ({ createdAt, ...rest }: WireTenant): Tenant => ({
  ...rest,
  createdAt: new Date(createdAt),
});

export const writeKey = ({
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
  scopes: of,
  ...rest
}: ApiKey): WireKey => ({
  ...rest,
  scopes: [...of],
  createdAt: createdAt.getTime(),
  ...(expiresAt && { expiresAt: expiresAt.getTime() }),
  ...(revokedAt && { revokedAt: revokedAt.getTime() }),
  ...(lastUsedAt && { lastUsedAt: lastUsedAt.getTime() }),
});

export const readKey = ({ createdAt, expiresAt, revokedAt, lastUsedAt, ...rest }: WireKey): ApiKey => ({
  ...rest,
  createdAt: new Date(createdAt),
  ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
  ...(revokedAt !== undefined && { revokedAt: new Date(revokedAt) }),
  ...(lastUsedAt !== undefined && { lastUsedAt: new Date(lastUsedAt) }),
});
