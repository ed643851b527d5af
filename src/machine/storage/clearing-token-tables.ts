import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Verification tokens of pension clearing: `hash` is keyed, and the token itself is not stored.
 * `password_hash` of the credentials is salted (scrypt).
 */
export const clearingTokens = ({ text, int, end }: SqlDialect): readonly string[] => {
  const environment = `environment ${text} not null check (environment in ('live', 'test'))`;
  return [
    `create table clearing_tokens (
      tenant_id ${text} not null references tenants, hash ${text} not null, ${environment},
      transaction_id ${text} not null, validation_id ${text} not null, issued_by ${text} not null,
      same_person_by ${text} not null check (same_person_by in ('image', 'faces')),
      created_at ${int} not null, expires_at ${int} not null, uses ${int} not null, uses_max ${int} not null,
      primary key (tenant_id, hash), check (uses <= uses_max) ${end}`,
    "create index clearing_tokens_expiry on clearing_tokens (expires_at)",
    `create table clearing_credentials (
      tenant_id ${text} not null references tenants, ${environment}, user_name ${text} not null,
      password_hash ${text} not null, changed_at ${int} not null, primary key (tenant_id, environment) ${end}`,
    // Finds the operation of a call.
    "create index operation_steps_transaction on operation_steps (tenant_id, environment, transaction_id)",
  ];
};
