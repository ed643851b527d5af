/** Composition of the operator's endpoints of API keys. */
import { randomUUID } from "node:crypto";
import { keyEndpoints } from "#tenants/http/key.endpoint";
import { type KeyAdmin, makeKeyAdmin } from "#tenants/key-admin";
import { makeKeys } from "#tenants/keys";
import type { TenantCommands } from "#tenants/store/tenant-store";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";

/** Changes of API keys with their evidence: for endpoints, the local socket and commands. */
export const openKeyAdmin = (store: TenantCommands, clock = () => new Date()): KeyAdmin =>
  makeKeyAdmin({ store, clock, newId: randomUUID });

/** API keys as a module. */
export const openKeys = ({ storage, clock }: Pick<Parts, "storage" | "clock">): Module => ({
  name: "keys",
  endpoints: keyEndpoints(makeKeys({ admin: openKeyAdmin(storage.store, clock), clock, newId: randomUUID })),
});
