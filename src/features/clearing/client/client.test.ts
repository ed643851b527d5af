import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { makeEgress } from "#machine/egress/make-egress";
import { judgeAnswer, makeEntityClient } from "./client.ts";
import type { EntityAccess, TicketRequest } from "./entity.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Seen = {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
};

/** A server that answers every call alike; returns its address and what arrived. */
const serve = async (answer: (response: ServerResponse) => void) => {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      seen.push({
        method,
        path,
        authorization: headers.authorization,
        body: JSON.parse(Buffer.concat(parts).toString()),
      });
      answer(response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { url: `http://127.0.0.1:${address.port}`, seen };
};

const json =
  (status: number, body: unknown) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

const accessTo = (url: string, timeoutMs = 2_000): EntityAccess => ({
  url,
  basic: "afp:señal:1",
  institution: "1033",
  timeoutMs,
});
const client = makeEntityClient({ egress: makeEgress({ allow: ["127.0.0.1"] }), isProxied: false });

const request: TicketRequest = {
  affiliate: {
    firstName: "José",
    paternalSurname: "Muñoz",
    maternalSurname: "Pérez",
    rutNumber: "12345678",
    rutCheck: "5",
  },
  verification: {
    provider: "Idem",
    verifiedAt: new Date(Date.UTC(2026, 10, 21, 9, 30)),
    url: "https://idem.example/services/clearing/x/certificate?token=t&apiKey=k",
    credentials: { user: "u", password: "p" },
    type: "FACIAL",
    code: "LbYC7jVkQwSvlZKlLqrhLQ",
  },
  requiresSecondVerification: true,
};
const success = { codigo: 200, mensaje: "OK", fecha: "2026-11-21 09:30:00", errores: [] };

describe("the client of the clearing entity", () => {
  it("asks for a ticket with every field of the interface and Basic authorization", async () => {
    const { url, seen } = await serve(json(200, { respuesta: { ...success, ticket_tvi: "T-1" } }));
    const outcome = await client.requestTicket(accessTo(url), request);
    expect(outcome).toEqual({
      kind: "granted",
      value: "T-1",
      statement: { code: 200, message: "OK", date: "2026-11-21 09:30:00", errors: [] },
    });
    expect(seen).toEqual([
      {
        method: "POST",
        path: "/tvi/solicitudTokenWS",
        authorization: `Basic ${Buffer.from("afp:señal:1").toString("base64")}`,
        body: {
          afiliado: {
            nombre: "José",
            apellido_paterno: "Muñoz",
            apellido_materno: "Pérez",
            rut_numero: "12345678",
            dv: "5",
            verificacion: {
              identificacion_proveedor: "Idem",
              fecha_verificacion: "2026-11-21T09:30:00.000Z",
              url_verificacion: "https://idem.example/services/clearing/x/certificate?token=t&apiKey=k",
              url_usuario: "u",
              url_clave: "p",
              tipo_verificacion: "FACIAL",
              codigo_verificacion: "LbYC7jVkQwSvlZKlLqrhLQ",
            },
          },
          codigo_institucion: "1033",
          requiere_segunda_verificacion: true,
        },
      },
    ]);
  });

  it("asks for a token without authorization", async () => {
    const { url, seen } = await serve(json(200, { respuesta: { ...success, token: "K-1" } }));
    expect(await client.requestToken(accessTo(url), "T-1")).toMatchObject({ kind: "granted", value: "K-1" });
    expect(seen).toEqual([
      {
        method: "POST",
        path: "/tvi/obtenerTokenWS",
        authorization: undefined,
        body: { codigo_institucion: "1033", ticket_tvi: "T-1" },
      },
    ]);
  });

  it("states that nothing was sent where no server listens, and where the address is refused", async () => {
    const { url } = await serve(json(200, {}));
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(await client.requestTicket(accessTo(url), request)).toMatchObject({ kind: "not-sent" });
    const refused = accessTo("https://169.254.169.254");
    expect(await client.requestTicket(refused, request)).toMatchObject({ kind: "not-sent" });
  });

  it("does not state so through a proxy, where it sees no connection", async () => {
    const proxied = makeEntityClient({
      egress: makeEgress({ allow: [], proxy: new URL("http://127.0.0.1:9") }),
      isProxied: true,
    });
    const outcome = await proxied.requestTicket(accessTo("https://clearing.example"), request);
    expect(outcome).toMatchObject({ kind: "unknown", isAnswered: false });
  });

  it.each([
    ["silence", (): void => undefined],
    ["a cut before the answer", (response: ServerResponse): void => void response.destroy()],
    [
      "a cut within the answer",
      (response: ServerResponse): void => {
        response.writeHead(200, { "content-length": "100" }).write("{");
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      "more than 64 KB",
      (response: ServerResponse): void => void response.writeHead(200).end(Buffer.alloc(65_537, 0x20)),
    ],
  ] as const)("states that the entity may have acted after %s", async (_, answer) => {
    const { url, seen } = await serve(answer);
    expect(await client.requestTicket(accessTo(url, 1_000), request)).toMatchObject({ kind: "unknown" });
    expect(seen).toHaveLength(1);
  });

  it("follows no redirect", async () => {
    const { url, seen } = await serve(
      (response) => void response.writeHead(307, { location: "/other" }).end(),
    );
    expect(await client.requestTicket(accessTo(url), request)).toMatchObject({
      kind: "unknown",
      isAnswered: true,
    });
    expect(seen).toHaveLength(1);
  });
});

describe("an answer of the clearing entity", () => {
  const granted = { respuesta: { ...success, ticket_tvi: "T" } };
  const codes = (stated: readonly number[], kind: string): [string, number, unknown, string][] =>
    stated.map((codigo) => [`code ${codigo} under status 200`, 200, { respuesta: { codigo } }, kind]);
  it.each([
    ["success with a ticket", 200, granted, "granted"],
    ...codes([400, 401, 404, 407, 410, 499], "refused"),
    // 409 states that something exists, and 5xx leaves open how far the entity came.
    ...codes([-1, 0, 201, 299, 399, 408, 409, 500, 503, 599, 1000], "unknown"),
    ["status 409", 409, undefined, "unknown"],
    ["status 409 that states a refusal", 409, { respuesta: { codigo: 400 } }, "unknown"],
    ["status 410", 410, undefined, "refused"],
    ["status 400 that states 500", 400, { respuesta: { codigo: 500 } }, "unknown"],
    ["status 500 that states a refusal", 500, { respuesta: { codigo: 400 } }, "unknown"],
    ["success without a ticket", 200, { respuesta: success }, "unknown"],
    ["success with an empty ticket", 200, { respuesta: { ...success, ticket_tvi: " " } }, "unknown"],
    ["success with a token in place of a ticket", 200, { respuesta: { ...success, token: "K" } }, "unknown"],
    [
      "a ticket of the longest length",
      200,
      { respuesta: { ...success, ticket_tvi: "T".repeat(1024) } },
      "granted",
    ],
    [
      "a ticket that is too long",
      200,
      { respuesta: { ...success, ticket_tvi: "T".repeat(1025) } },
      "unknown",
    ],
    ["a ticket with a line end", 200, { respuesta: { ...success, ticket_tvi: "T\nx" } }, "unknown"],
    ["a code as text", 200, { respuesta: { ...success, codigo: "200", ticket_tvi: "T" } }, "unknown"],
    ["no frame", 200, { ...success, ticket_tvi: "T" }, "unknown"],
    ["no JSON", 200, undefined, "unknown"],
    ["status 201", 201, granted, "unknown"],
    ["status 302", 302, undefined, "unknown"],
    ["status 399", 399, undefined, "unknown"],
    ["status 400", 400, undefined, "refused"],
    ["status 401", 401, undefined, "refused"],
    ["status 404", 404, { respuesta: { codigo: 404, mensaje: "No existe" } }, "refused"],
    ["status 400 that states success", 400, granted, "unknown"],
    ["status 408", 408, undefined, "unknown"],
    ["status 499", 499, undefined, "refused"],
    ["status 500", 500, undefined, "unknown"],
    ["status 502", 502, { respuesta: { codigo: 502 } }, "unknown"],
  ])("with %s", (_, status, body, kind) => {
    expect(judgeAnswer(status, body, "ticket_tvi").kind).toBe(kind);
  });

  it("that leaves open whether the entity acted still brings its statement", () => {
    const body = { respuesta: { codigo: 409, mensaje: "Ya existe", errores: ["x"] } };
    expect(judgeAnswer(200, body, "ticket_tvi")).toMatchObject({
      kind: "unknown",
      statement: { code: 409, message: "Ya existe", errors: ["x"] },
    });
  });

  it("tells refused credentials from a refused transfer", () => {
    expect(judgeAnswer(401, undefined, "token")).toMatchObject({ isAccess: true });
    expect(judgeAnswer(403, undefined, "token")).toMatchObject({ isAccess: true });
    expect(judgeAnswer(402, undefined, "token")).toMatchObject({ isAccess: false });
  });

  it("keeps bounded texts, whatever the entity sends", () => {
    const respuesta = fc.record({
      codigo: fc.integer({ min: -999_999, max: 999_999 }),
      mensaje: fc.oneof(fc.string({ maxLength: 2000 }), fc.constant(null)),
      errores: fc.array(fc.jsonValue(), { maxLength: 60 }),
    });
    fc.assert(
      fc.property(respuesta, (sent) => {
        const outcome = judgeAnswer(200, { respuesta: sent }, "token");
        if (!("statement" in outcome)) return;
        const { message = "", errors } = outcome.statement;
        expect(message.length).toBeLessThanOrEqual(500);
        expect(errors.length).toBeLessThanOrEqual(20);
        for (const text of [message, ...errors]) expect(text).not.toMatch(/\p{Cc}/u);
        for (const error of errors) expect(error.length).toBeLessThanOrEqual(500);
      }),
    );
  });

  it("is judged whatever its form is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.jsonValue(), (status, body) => {
        expect(judgeAnswer(status, body, "token").kind).not.toBe("granted");
      }),
    );
  });
});
