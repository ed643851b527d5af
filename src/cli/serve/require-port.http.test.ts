import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "#machine/config/config";
import { startServer } from "#support/http/harness";
import { requirePort } from "./require-port.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-port-"));
  vi.stubEnv("IDEM_DATA", folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const require = (port: string): Promise<void> => {
  vi.stubEnv("IDEM_PORT", port);
  return requirePort(readConfig());
};

it("a start names Idem as the holder of its port where Idem answers there", async () => {
  const { server } = startServer();
  const { port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
  await expect(require(port)).rejects.toThrow(
    `${port} on 127.0.0.1 is taken by another process of Idem. Stop it`,
  );
  await server.app.close();
  await expect(require(port)).resolves.toBeUndefined();
});

it("a start names another program where that one answers", async () => {
  const other = createServer((_, response) => response.end('{"status":"alive"}')).listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = String(typeof address === "object" ? address?.port : "");
  await expect(require(port)).rejects.toThrow(`${port} on 127.0.0.1 is taken by another program. Stop it`);
  other.close();
});
