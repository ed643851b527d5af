/**
 * What all lanes of one run share: a service, and one browser for each camera. The first test that asks for
 * one starts it, the end of the run ends it. Runs in the main process of vitest (`globalSetup`); `shared.ts`
 * asks from the workers.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { readBody } from "./read-body.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the shared parts of this run. */
    readonly sharedUrl: string;
  }
}

/** Something that was started: what the workers need of it, and its end. */
export type Started = { readonly shown: object; readonly end: () => Promise<unknown> };

/** Starts a part in a folder of its own. The modules are loaded when a test wants the part. */
type Start = (folder: string, wanted: unknown) => Promise<Started>;

const parts: Readonly<Record<string, Start>> = {
  "/service": async (folder) => await (await import("./shared-service.ts")).startSharedService(folder),
  "/folder": async (folder) => ({ shown: { folder }, end: () => Promise.resolve() }),
  "/browser": async (folder, wanted) =>
    await (await import("./launch-browser.ts")).launchBrowser(folder, wanted),
};

const listen = async (server: Server): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return `http://127.0.0.1:${address.port}`;
};

export const setup = async ({ provide }: Pick<TestProject, "provide">): Promise<() => Promise<void>> => {
  const home = await mkdtemp(join(tmpdir(), "idem-shared-"));
  const started = new Map<string, Promise<Started>>();

  const find = (path: string, body: string): Promise<Started> => {
    const name = `${path} ${body}`;
    const start = parts[path] ?? (() => Promise.reject(new Error(`There is no ${path}`)));
    const part =
      started.get(name) ?? mkdtemp(join(home, "part-")).then((folder) => start(folder, JSON.parse(body)));
    started.set(name, part);
    return part;
  };

  const server = createServer(async (request, response) => {
    try {
      const { shown } = await find(request.url ?? "", await readBody(request));
      response.end(JSON.stringify(shown));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  // The first answer comes after a start, which takes its time on a busy machine.
  server.requestTimeout = 0;
  provide("sharedUrl", await listen(server));

  return async () => {
    server.close();
    const settled = await Promise.allSettled(started.values());
    const running = settled.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
    const ends = await Promise.allSettled(running.map(({ end }) => end()));
    await rm(home, { recursive: true, force: true });
    // Each part has ended: the run fails for one that did not end well.
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  };
};
