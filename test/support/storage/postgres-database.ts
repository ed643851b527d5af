import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { serviceVariable } from "../../services/environment.ts";

/** Runs a statement on its own connection. */
export const queryPostgres = async (url: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
};

export type PostgresDatabase = {
  readonly name: string;
  readonly url: string;
  readonly remove: () => Promise<void>;
};

/** An empty database on the test server (test/services/start-postgres.sh). */
export const createDatabase = async (): Promise<PostgresDatabase> => {
  const server = serviceVariable("IDEM_TEST_POSTGRES_URL", "start-postgres.sh");
  const name = `idem_test_${randomBytes(6).toString("hex")}`;
  await queryPostgres(server, `create database ${name}`);
  const { href: url } = Object.assign(new URL(server), { pathname: `/${name}` });
  return {
    name,
    url,
    remove: async () => void (await queryPostgres(server, `drop database ${name} with (force)`)),
  };
};
