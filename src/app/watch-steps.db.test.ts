import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStoreHere } from "#support/app/store-here";
import { aStep, aTransaction, newTenantIn, noStep } from "#support/storage/suite";
import { watchSteps } from "./watch-steps.ts";

it("reports the commit of a step with events, and no other command", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-steps-"));
  const { store, onEvents } = watchSteps(await openStoreHere({ path: join(folder, "idem.sqlite") }));
  let reports = 0;
  onEvents(() => void (reports += 1));
  const tenantId = await newTenantIn(store);
  await store.recordTransaction(aTransaction(tenantId), [], noStep);
  expect(reports).toBe(0);
  const transaction = aTransaction(tenantId);
  await store.recordTransaction(transaction, [], aStep("one"));
  expect(reports).toBe(1);
  await expect(store.recordTransaction(transaction, [], aStep("two"))).rejects.toThrow();
  expect(reports).toBe(1);
  await store.close();
  await rm(folder, { recursive: true });
});
