import type { Module, Role } from "./module.ts";

/**
 * The part of a module that a process of this role runs. Every process keeps its readiness, its gauges and
 * its end.
 */
export const partOf = (module: Module, role: Role | undefined): Module => {
  if (role === undefined) return module;
  const { name, readiness, gauges, close, jobs, jobsOf = "worker", tidying, ...served } = module;
  return {
    name,
    ...(readiness && { readiness }),
    ...(gauges && { gauges }),
    ...(close && { close }),
    ...(role === "api" && served),
    ...(role === jobsOf && jobs && { jobs }),
    ...(role === "worker" && tidying && { tidying }),
  };
};

/** Why the role cannot run on this store, with the next step; undefined where it can. */
export const refusalOf = (
  role: Role | undefined,
  config: { readonly databaseUrl?: string | undefined },
): string | undefined =>
  role === undefined || config.databaseUrl !== undefined
    ? undefined
    : `--role ${role} needs PostgreSQL: set IDEM_DATABASE_URL. On the embedded store one process does everything: start it without --role.`;
