/**
 * A thread that sends hostile bodies on demand, so that their making delays neither probe nor good callers.
 */
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { stepBack } from "#machine/threads/priority";
import { type HostileBody, hostileBodies } from "./hostile-bodies.ts";

const { url, apiKey } = workerData;

// An attacker has a machine of its own: its work must not delay the service's main thread on this one.
stepBack();

type Sent = { readonly call: ClientRequest; readonly status: Promise<number | string> };

const chunkBytes = 1024 ** 2;

/** Writes until the call has its answer, as fast as the service reads. */
const write = async (call: ClientRequest, bytes: Buffer): Promise<void> => {
  const state = { isAnswered: false };
  call.once("response", () => {
    state.isAnswered = true;
  });
  for (let at = 0; at < bytes.length && !call.destroyed && !state.isAnswered; at += chunkBytes) {
    if (!call.write(bytes.subarray(at, at + chunkBytes))) {
      await Promise.race([new Promise((resolve) => call.once("drain", resolve)), sleep(2_000)]);
    }
  }
};

const send = ({ method, path, inFlightMax = 0 }: HostileBody, bytes: Buffer): Sent => {
  const call = request(url + path, {
    method,
    agent: false,
    headers: { "x-api-key": apiKey, "content-type": "application/json", "content-length": bytes.length },
  });
  const status = new Promise<number | string>((resolve) => {
    call.once("response", (answer) => resolve(answer.resume().statusCode ?? 0));
    call.once("error", (error) => resolve(error.message));
  });
  const deliver = async (): Promise<void> => {
    await write(call, inFlightMax > 0 ? bytes.subarray(0, -1) : bytes);
    if (inFlightMax === 0) call.end();
  };
  void deliver();
  return { call, status };
};

/** Longest wait for the answers to bodies of which some stay in flight. */
const heldMsMax = 30_000;

const statusesOf = async (
  sent: readonly Sent[],
  answeredMin: number,
): Promise<readonly (number | string)[]> => {
  const statuses: (number | string)[] = sent.map(() => "in flight");
  const enough = Promise.withResolvers<void>();
  let answered = 0;
  sent.forEach(async ({ status }, at) => {
    statuses[at] = await status;
    answered++;
    if (answered === answeredMin) enough.resolve();
  });
  await Promise.race([enough.promise, sleep(heldMsMax)]);
  return [...statuses];
};

const attack = async (body: HostileBody): Promise<readonly (number | string)[]> => {
  const bytes = body.make();
  const sent = Array.from({ length: body.atOnce ?? 1 }, () => send(body, bytes));
  const statuses = await statusesOf(sent, sent.length - (body.inFlightMax ?? 0));
  for (const { call } of sent) call.destroy();
  return statuses;
};

parentPort?.on("message", async (index: number) => {
  parentPort?.postMessage({ id: index, statuses: await attack(hostileBodies[index]!) });
});
