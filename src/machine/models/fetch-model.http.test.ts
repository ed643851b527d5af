import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { listenLocally } from "#support/egress/local-server";
import { manifestOf, openTestModels, smallNetwork } from "#support/models/small-models";
import type { Installed } from "./model-store.ts";

const half = Math.floor(smallNetwork.length / 2);
const asked: string[] = [];
const serveRange: RequestListener = (request, response) => {
  const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
  if (from === undefined) {
    response.end(smallNetwork);
    return;
  }
  if (Number(from) >= smallNetwork.length) {
    response.writeHead(416, { "content-range": `bytes */${smallNetwork.length}` }).end();
    return;
  }
  const range = `bytes ${from}-${smallNetwork.length - 1}/${smallNetwork.length}`;
  response.writeHead(206, { "content-range": range }).end(smallNetwork.subarray(Number(from)));
};
const changed = smallNetwork.with(10, smallNetwork[10]! ^ 1);
const routes: Readonly<Record<string, RequestListener>> = {
  "/ranges": serveRange,
  "/whole": (_, response) => response.end(smallNetwork),
  "/cut": (_, response) => {
    response.writeHead(200, { "content-length": smallNetwork.length });
    response.write(smallNetwork.subarray(0, half), () => setTimeout(() => response.destroy(), 20));
  },
  "/cut-page": (_, response) => {
    response.writeHead(200, { "content-length": smallNetwork.length });
    response.write("<!DOCTYPE html><html>Sign", () => setTimeout(() => response.destroy(), 20));
  },
  "/short": (_, response) => response.end(smallNetwork.subarray(0, half)),
  "/changed": (_, response) => response.end(changed),
  "/longer": (_, response) => response.end(Buffer.concat([smallNetwork, smallNetwork])),
  "/pointer": (_, response) =>
    response.end("version https://git-lfs.github.com/spec/v1\noid sha256:104ee26c\nsize 322906\n"),
  "/page": (_, response) => response.end("<!DOCTYPE html><html>Sign in</html>"),
  "/nothing": (_, response) => response.writeHead(404).end(),
  "/moved": (_, response) => response.writeHead(302, { location: "/ranges?signature=secret" }).end(),
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    asked.push(`${path} ${request.headers.range ?? "all"}`);
    routes[path]?.(request, response);
  });
  origin = `http://127.0.0.1:${await listenLocally(server)}`;
});
afterAll(() => void server.close());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
  asked.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const manifest = manifestOf(smallNetwork);
const egress = makeEgress({ allow: ["127.0.0.1"] });
const steps: number[] = [];
const fetchFrom = (paths: readonly string[], change = {}): Promise<Installed> =>
  openTestModels(folder).fetch(
    { ...manifest, ...change },
    paths.map((path) => `${origin}${path}`),
    { egress, progress: (bytes) => steps.push(bytes) },
  );
const isInstalled = async (): Promise<boolean> => {
  const { modelStore } = openTestModels(folder);
  const [installed] = await modelStore.list();
  return installed !== undefined && (await modelStore.read(installed)).length === smallNetwork.length;
};
const parts = () => readdir(join(folder, "partial")).catch(() => []);

describe("fetching a model", () => {
  it("installs it, and records time, source and terms, without the query", async () => {
    steps.length = 0;
    await fetchFrom(["/moved"]);
    expect(steps.at(-1)).toBe(smallNetwork.length);
    const [installed] = await openTestModels(folder).modelStore.list();
    expect(installed).toMatchObject({
      addedAt: "2026-11-21T12:00:00.000Z",
      source: { kind: "url", from: `${origin}/ranges` },
      accepted: { licence: "Apache-2.0", caution: "It looks at one colour only." },
    });
    expect(await isInstalled()).toBe(true);
    expect(await parts()).toEqual([]);
  });

  it.each(["/cut", "/short"])(
    "keeps the received part where the answer ends too early (%s), and resumes from there",
    async (path) => {
      await expect(fetchFrom([path])).rejects.toThrow(/run the same command again to resume/);
      expect(await isInstalled()).toBe(false);
      await fetchFrom(["/ranges"]);
      expect(asked.at(-1)).toBe(`/ranges bytes=${half}-`);
      expect(await isInstalled()).toBe(true);
    },
  );

  it("starts again where the server does not support ranges", async () => {
    await expect(fetchFrom(["/cut"])).rejects.toThrow();
    await fetchFrom(["/whole"]);
    expect(await isInstalled()).toBe(true);
  });

  it("installs an already complete download without a request", async () => {
    await writeFile(await openTestModels(folder).modelStore.partOf(manifest.sha256), smallNetwork);
    await fetchFrom(["/nothing"]);
    expect(asked).toEqual([]);
    expect(await isInstalled()).toBe(true);
  });

  it.each([
    ["/changed", /has SHA-256 [0-9a-f]{64}, the manifest says/],
    ["/pointer", /pointer of Git LFS/],
    ["/page", /web page/],
    ["/longer", /more than the \d+ bytes/],
  ])("discards %s, with the reason, and fetches the file from the next address", async (path, reason) => {
    await expect(fetchFrom([path, "/nothing"])).rejects.toThrow(reason);
    await expect(fetchFrom([path, "/nothing"])).rejects.toThrow(/; .* answered 404$/);
    expect(asked.slice(0, 2)).toEqual([`${path} all`, "/nothing all"]);
    expect(await isInstalled()).toBe(false);
    expect(await parts()).toEqual([]);
    await fetchFrom([path, "/ranges"]);
    expect(await isInstalled()).toBe(true);
  });

  it("discards a damaged part and starts again at the same address", async () => {
    const part = await openTestModels(folder).modelStore.partOf(manifest.sha256);
    await writeFile(part, changed.subarray(0, half));
    await fetchFrom(["/ranges"]);
    expect(asked).toEqual([`/ranges bytes=${half}-`, "/ranges all"]);
    expect(await isInstalled()).toBe(true);
  });

  it("does not let a wrong part from one address spoil the file of another", async () => {
    await fetchFrom(["/cut-page", "/ranges"]);
    expect(await isInstalled()).toBe(true);
  });

  it("stops at the manifest's length, and tries the next address where an address lacks the file", async () => {
    await expect(fetchFrom(["/nothing"])).rejects.toThrow(/answered 404/);
    await fetchFrom(["/nothing", "/longer", "/ranges"]);
    expect(await isInstalled()).toBe(true);
  });

  it("finds the length where the manifest does not state it", async () => {
    const { bytes: _, ...unknown } = manifest;
    const models = openTestModels(folder);
    await models.fetch(unknown, [`${origin}/whole`], { egress, progress: () => undefined });
    expect(await isInstalled()).toBe(true);
  });

  it.each([
    ["is whole", smallNetwork, []],
    ["is complete and wrong", changed, [`/ranges bytes=${smallNetwork.length}-`, "/ranges all"]],
  ])("recovers from a download of unknown length that %s", async (_what, bytes, requests) => {
    const { bytes: _, ...unknown } = manifest;
    const models = openTestModels(folder);
    await writeFile(await models.modelStore.partOf(manifest.sha256), bytes);
    await models.fetch(unknown, [`${origin}/ranges`], { egress, progress: () => undefined });
    expect(asked).toEqual(requests);
    expect(await isInstalled()).toBe(true);
  });

  it("refuses a blocked file before any request", async () => {
    const blocked = [{ sha256: manifest.sha256, name: "Other's model", licence: "For research only" }];
    const models = openTestModels(folder, [], blocked);
    const fetching = models.fetch(manifest, [`${origin}/whole`], { egress, progress: () => undefined });
    await expect(fetching).rejects.toThrow(
      "The file is Other's model, whatever it is called here. For research only.",
    );
    expect(asked).toEqual([]);
  });

  it("refuses the right file with a wrong manifest, and keeps the installed model", async () => {
    await fetchFrom(["/whole"]);
    const before = await readFile(join(folder, `${manifest.sha256}.json`), "utf8");
    const input = { ...manifest.input, shape: [1, 3, 32, 32] };
    await expect(fetchFrom(["/whole"], { input })).rejects.toThrow(/does not run as its manifest says/);
    expect(await readFile(join(folder, `${manifest.sha256}.json`), "utf8")).toBe(before);
    expect(await isInstalled()).toBe(true);
  });
});
