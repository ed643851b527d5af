import { connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endGently } from "./lingering-close.ts";

const server = createServer({ allowHalfOpen: true });
let caller: Socket;
let accepted: Socket;

beforeEach(async () => {
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(Number(Object(server.address()).port)));
  });
  const arrival = new Promise<Socket>((resolve) => server.once("connection", resolve));
  caller = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  accepted = await arrival;
  // Like a connection of HTTP, which reads what arrives.
  accepted.resume();
  caller.resume();
});
afterEach(async () => {
  vi.useRealTimers();
  caller.destroy();
  accepted.destroy();
  await new Promise((resolve) => server.close(resolve));
});

it("closes a connection when its caller ends too", async () => {
  endGently(accepted, "answer");
  const closed = new Promise((resolve) => accepted.once("close", resolve));
  caller.end("the rest of a body");
  await closed;
});

it("closes a connection whose caller never ends, after 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  endGently(accepted);
  vi.advanceTimersByTime(29_999);
  expect(accepted.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(accepted.destroyed).toBe(true);
});
