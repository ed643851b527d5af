import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Further references of registered users: sealed templates that joined after the enrolment. They go with
 * their user.
 */
export const userReferences = ({ text, int, bytes, end }: SqlDialect): readonly string[] => [
  `create table user_references (
    tenant_id ${text} not null, user_id ${text} not null, key_id ${text} not null,
    data_key_id ${text} not null, recogniser ${text} not null, wrapped_key ${bytes} not null,
    sealed_transform ${bytes} not null, sealed_template ${bytes} not null, added_at ${int} not null,
    primary key (tenant_id, user_id, key_id),
    foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade ${end}`,
];
