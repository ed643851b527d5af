import type { SqlDialect } from "./sql-dialect.ts";

/**
 * The local civil registry. `hash` is a keyed hash of country and number, `content` one of the whole person,
 * so that an import that runs again leaves what it wrote. Photos have a table of their own: a person is found
 * without reading over photos.
 */
export const registryPersons = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table registry_persons (
    tenant_id ${text} not null references tenants,
    environment ${text} not null check (environment in ('live', 'test')), country ${text} not null,
    hash ${text} not null, content ${text} not null, data_key_id ${text} not null, sealed ${bytes} not null,
    imported_at ${int} not null,
    primary key (tenant_id, environment, country, hash) ${end}`,
  "create index registry_persons_age on registry_persons (tenant_id, imported_at)",
  `create table registry_photos (
    tenant_id ${text} not null, environment ${text} not null, country ${text} not null, hash ${text} not null,
    sealed ${bytes} not null,
    primary key (tenant_id, environment, country, hash),
    foreign key (tenant_id, environment, country, hash)
      references registry_persons (tenant_id, environment, country, hash) ${end}`,
];
