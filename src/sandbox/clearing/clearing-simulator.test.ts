import { createServer, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { makeEntityClient } from "#features/clearing/client/client";
import type { EntityAccess, TicketRequest } from "#features/clearing/client/entity";
import { makeEgress } from "#machine/egress/make-egress";
import {
  type ClearingSimulator,
  type ClearingSimulatorOptions,
  startClearingSimulator,
} from "./clearing-simulator.ts";

const open: { close: () => unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

const basic = "afp:clave";
const code = "LbYC7jVkQwSvlZKlLqrhLQ";
const right = {
  codigoVerificacion: code,
  facialAuthenticationResult: 3,
  passiveLivenessResult: 3,
  documentValidationCode: 9001,
  person: { idNumber: "12.345.678-5" },
  document: { country: "CHL" },
};

type Opened = { readonly authorization: string | undefined; readonly path: string };

const serveCertificate = async (status: number, body: unknown) => {
  const opened: Opened[] = [];
  const server: Server = createServer((request, response) => {
    opened.push({ authorization: request.headers.authorization, path: request.url ?? "" });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  return { url: await listen(server), opened };
};

/** The certificate URL of a server of this machine. */
const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => server.close() });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}/certificate?token=t&apiKey=k`;
};

const start = async (options: Partial<ClearingSimulatorOptions> = {}): Promise<ClearingSimulator> => {
  const simulator = await startClearingSimulator({ basic, ...options });
  open.push(simulator);
  return simulator;
};

const requestOf = (url: string, change: Partial<TicketRequest["affiliate"]> = {}): TicketRequest => ({
  affiliate: {
    firstName: "José",
    paternalSurname: "Muñoz",
    maternalSurname: "Pérez",
    rutNumber: "12345678",
    rutCheck: "5",
    ...change,
  },
  verification: {
    provider: "Idem",
    verifiedAt: new Date(0),
    url,
    credentials: { user: "u", password: "p" },
    type: "FACIAL",
    code,
  },
  requiresSecondVerification: false,
});

const client = makeEntityClient({ egress: makeEgress({ allow: ["127.0.0.1"] }), isProxied: false });
const accessTo = ({ url }: ClearingSimulator, change: Partial<EntityAccess> = {}): EntityAccess => ({
  url,
  basic,
  institution: "1033",
  timeoutMs: 2_000,
  ...change,
});
const setFaults = async ({ url }: ClearingSimulator, faults: object): Promise<void> => {
  await fetch(`${url}/_faults`, { method: "POST", body: JSON.stringify(faults) });
};
const ticketOf = async (entity: ClearingSimulator, url: string): Promise<string> => {
  const outcome = await client.requestTicket(accessTo(entity), requestOf(url));
  if (outcome.kind !== "granted") throw new Error(`no ticket: ${outcome.kind}`);
  return outcome.value;
};

describe("the simulator of the clearing entity", () => {
  it("gives a ticket, opens the certificate with its credentials, and gives a token, always the same", async () => {
    const entity = await start();
    const { url, opened } = await serveCertificate(200, right);
    const ticket = await ticketOf(entity, url);
    expect(opened).toEqual([]);
    const first = await client.requestToken(accessTo(entity), ticket);
    expect(first.kind).toBe("granted");
    expect(await client.requestToken(accessTo(entity), ticket)).toMatchObject({
      value: "value" in first && first.value,
    });
    const authorization = `Basic ${Buffer.from("u:p").toString("base64")}`;
    expect(opened).toEqual([{ authorization, path: "/certificate?token=t&apiKey=k" }]);
    const listed: unknown = await (await fetch(`${entity.url}/_tickets`)).json();
    expect(listed).toEqual({ tickets: entity.tickets() });
    expect(entity.tickets()).toMatchObject([{ ticket, code, institution: "1033" }]);
  });

  it.each([
    ["another face result", 200, { ...right, facialAuthenticationResult: 2 }, "facialAuthenticationResult"],
    ["another liveness result", 200, { ...right, passiveLivenessResult: 1 }, "passiveLivenessResult"],
    ["another document code", 200, { ...right, documentValidationCode: 9102 }, "documentValidationCode"],
    ["another code", 200, { ...right, codigoVerificacion: `${code.slice(0, -1)}A` }, "codigo_verificacion"],
    ["another RUT", 200, { ...right, person: { idNumber: "11.111.111-1" } }, "otro RUT"],
    ["a certificate that is not found", 404, {}, "estado 404"],
    ["another form", 200, { right }, "formato"],
  ])("refuses a token for %s", async (_, status, body, error) => {
    const entity = await start();
    const ticket = await ticketOf(entity, (await serveCertificate(status, body)).url);
    const outcome = await client.requestToken(accessTo(entity), ticket);
    expect(outcome).toMatchObject({
      kind: "refused",
      statement: { errors: [expect.stringContaining(error)] },
    });
  });

  it("reads a certificate of 1 MiB, and leaves one of a byte more", async () => {
    const entity = await start();
    const lengthOf = (pad: number) => JSON.stringify({ ...right, pad: "x".repeat(pad) }).length;
    const pad = 1024 * 1024 - lengthOf(0);
    const outcomeOf = async (length: number) => {
      const { url } = await serveCertificate(200, { ...right, pad: "x".repeat(length) });
      return await client.requestToken(accessTo(entity), await ticketOf(entity, url));
    };
    expect(await outcomeOf(pad)).not.toMatchObject({ kind: "refused" });
    expect(await outcomeOf(pad + 1)).toMatchObject({
      kind: "refused",
      statement: { errors: [expect.stringContaining("no responde")] },
    });
  });

  it("leaves a certificate without an end soon after its bound", async () => {
    const entity = await start();
    const ended = Promise.withResolvers<void>();
    let sent = 0;
    const endless: Server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const write = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        if (response.write("x".repeat(65_536))) setImmediate(write);
      };
      response.on("drain", write).on("close", () => ended.resolve());
      write();
    });
    const url = await listen(endless);
    const outcome = await client.requestToken(accessTo(entity), await ticketOf(entity, url));
    expect(outcome).toMatchObject({
      kind: "refused",
      statement: { errors: [expect.stringContaining("no responde")] },
    });
    await ended.promise;
    // The bound, and what the buffers of both sides hold.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it("opens no address beyond this machine", async () => {
    const entity = await start();
    const ticket = await ticketOf(entity, "https://idem.example/certificate");
    expect(await client.requestToken(accessTo(entity), ticket)).toMatchObject({ kind: "refused" });
  });

  it("refuses wrong credentials, a wrong RUT, another institution and an unknown ticket", async () => {
    const entity = await start({ institutions: ["1033"] });
    const request = requestOf("http://127.0.0.1:1/");
    const wrong = accessTo(entity, { basic: "afp:otra" });
    expect(await client.requestTicket(wrong, request)).toMatchObject({ kind: "refused", isAccess: true });
    const rut = requestOf("http://127.0.0.1:1/", { rutCheck: "6" });
    expect(await client.requestTicket(accessTo(entity), rut)).toMatchObject({
      statement: { errors: ["afiliado.dv"] },
    });
    const other = accessTo(entity, { institution: "9" });
    expect(await client.requestTicket(other, request)).toMatchObject({ kind: "refused", isAccess: false });
    expect(await client.requestToken(accessTo(entity), "unknown")).toMatchObject({ kind: "refused" });
    expect(entity.tickets()).toEqual([]);
  });

  it("makes a ticket for each request, or the same for the same code where it is repeatable", async () => {
    for (const [isRepeatable, tickets] of [
      [false, 2],
      [true, 1],
    ] as const) {
      const entity = await start({ isRepeatable });
      await ticketOf(entity, "http://127.0.0.1:1/");
      await ticketOf(entity, "http://127.0.0.1:1/");
      expect(entity.tickets()).toHaveLength(tickets);
    }
  });

  it("falls silent before it acts or afterwards, and the client cannot tell which", async () => {
    const entity = await start();
    const brief = accessTo(entity, { timeoutMs: 300 });
    for (const [fault, tickets] of [
      ["silence", 0],
      ["silenceAfterwards", 1],
    ] as const) {
      await setFaults(entity, { [fault]: true, times: 1 });
      const outcome = await client.requestTicket(brief, requestOf("http://127.0.0.1:1/"));
      expect(outcome).toMatchObject({ kind: "unknown", isAnswered: false });
      expect(entity.tickets()).toHaveLength(tickets);
    }
  });

  it("answers an error, half an answer, a page or late as its switch states", async () => {
    const entity = await start();
    for (const fault of [{ status: 500 }, { malformed: true }, { html: true }, { redirect: true }]) {
      await setFaults(entity, { ...fault, times: 1 });
      const outcome = await client.requestTicket(accessTo(entity), requestOf("http://127.0.0.1:1/"));
      expect(outcome, JSON.stringify(fault)).toMatchObject({ kind: "unknown" });
    }
    await setFaults(entity, { delayMs: 300, times: 1 });
    const began = performance.now();
    expect(await client.requestTicket(accessTo(entity), requestOf("http://127.0.0.1:1/"))).toMatchObject({
      kind: "granted",
    });
    expect(performance.now() - began).toBeGreaterThanOrEqual(295);
  });
});
