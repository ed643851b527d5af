import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import { expect, it } from "vitest";
import { makeS3Objects } from "./s3-objects.ts";

const unavailable = { code: "store_unavailable", cause: expect.any(Error) };
const objectsAt = (endpoint: string) =>
  makeS3Objects({
    endpoint,
    region: "us-east-1",
    bucket: "b",
    pathStyle: true,
    accessKey: "a",
    secretKey: "s",
  });

const portOf = (server: Server): number => {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
};

const expectOutage = async (endpoint: string): Promise<void> => {
  const objects = await objectsAt(endpoint);
  const name = { tenantId: "t", id: randomUUID() };
  await expect(objects.ping()).rejects.toMatchObject(unavailable);
  await expect(objects.write(name, new Uint8Array([1]))).rejects.toMatchObject(unavailable);
  await expect(objects.read(name)).rejects.toMatchObject(unavailable);
  await expect(objects.remove(name)).rejects.toMatchObject(unavailable);
  await expect(Array.fromAsync(objects.list())).rejects.toMatchObject(unavailable);
};

it("fails as an outage if no server listens", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  await expectOutage(`http://127.0.0.1:${port}`);
});

it("fails as an outage if the bucket is refused", async () => {
  const server = createServer((_request, response) => response.writeHead(403).end()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const port = portOf(server);
  await expectOutage(`http://127.0.0.1:${port}`);
  server.close();
});

it("treats NoSuchKey as a missing object on read and removal, and never as a stored write", async () => {
  const error = "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>";
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => response.writeHead(404, { "content-type": "application/xml" }).end(error));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const objects = await objectsAt(`http://127.0.0.1:${portOf(server)}`);
  const name = { tenantId: "t", id: randomUUID() };
  expect(await objects.read(name)).toBeUndefined();
  await objects.remove(name);
  await expect(objects.write(name, new Uint8Array([1]))).rejects.toMatchObject(unavailable);
  server.close();
});
