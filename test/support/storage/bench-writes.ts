// Prints acknowledged writes per second of the SQLite store (FULL, group commit) at 1, 8 and 64 callers; each
// write records one call with one event and one evidence entry. Argument: seconds for each line (default 3).

import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "#app/store";
import { anOperationStep } from "./suite.ts";

const seconds = Number(process.argv[2] ?? 3);
const folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
const store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
const tenantId = randomUUID();
await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });

const record = async (): Promise<void> => {
  const [id, at] = [randomUUID(), new Date()];
  const step = {
    operation: anOperationStep(id, { at }),
    evidence: [{ id, kind: "call", at, body: null }],
  };
  const call = {
    id,
    tenantId,
    keyId: id,
    environment: "test" as const,
    endpoint: "identity",
    at,
    result: { code: 0 },
  };
  const made = { sealedMeasurements: randomBytes(1500), policyVersion: "1", models: {}, tokenHashes: [] };
  await store.recordTransaction({ ...call, ...made }, [], step);
};

for (const callers of [1, 8, 64]) {
  const end = performance.now() + seconds * 1000;
  const waits: number[] = [];
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const start = performance.now();
      await record();
      waits.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const sorted = waits.sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
  process.stdout.write(
    `${callers} callers: ${Math.round(waits.length / seconds)} writes/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, n ${waits.length}\n`,
  );
}
await store.close();
await rm(folder, { recursive: true });
