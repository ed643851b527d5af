import { expect, it } from "vitest";
import { makeBaseUrl } from "#machine/http/base-url";
import { startServer } from "#support/http/harness";
import { startJobsWhenListening } from "./start-jobs.ts";

/** A server with one job, which notes the address that its links would have. */
const withJob = (publicUrl?: string) => {
  const { server } = startServer();
  const baseUrl = makeBaseUrl(publicUrl, () => server.app.server);
  const links: string[] = [];
  const job = { start: () => void links.push(`${baseUrl()}/assets/1`), stop: async () => undefined };
  return { server: startJobsWhenListening(server, [job]), links };
};

it("a job starts when the server listens, so that its links have a host", async () => {
  const { server, links } = withJob();
  expect(links).toEqual([]);
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  expect(links).toEqual([`${address}/assets/1`]);
  await server.drain();
});

it("a job does not start where the port cannot be opened", async () => {
  const first = withJob("https://idem.example.org");
  const address = await first.server.listen({ host: "127.0.0.1", port: 0 });
  expect(first.links).toEqual(["https://idem.example.org/assets/1"]);
  const second = withJob("https://idem.example.org");
  await expect(
    second.server.listen({ host: "127.0.0.1", port: Number(new URL(address).port) }),
  ).rejects.toThrow("EADDRINUSE");
  expect(second.links).toEqual([]);
  await Promise.all([first.server.drain(), second.server.drain()]);
});
