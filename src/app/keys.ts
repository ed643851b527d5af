/** Composition of the operator's endpoints of API keys. */
import { randomUUID } from "node:crypto";
import { keyEndpoints } from "#trust/tenants/http/key.endpoint";
import { type KeyAdmin, makeKeyAdmin } from "#trust/tenants/key-admin";
import { makeKeys } from "#trust/tenants/keys";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
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
