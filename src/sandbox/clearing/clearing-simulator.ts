import { randomUUID } from "node:crypto";
import {
  parseJson,
  type Simulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  startSimulator,
} from "../simulator/simulator.ts";
import { checkCertificate } from "./check-certificate.ts";
import { readTicketRequest, readTokenRequest, type TicketAsked } from "./read-requests.ts";

export type ClearingSimulatorOptions = {
  /** 0 or absent selects a free port. */
  readonly port?: number;
  /** `user:password` of Basic authorization. */
  readonly basic: string;
  /** The institutions that may ask; absent: any. */
  readonly institutions?: readonly string[];
  /**
   * Whether a second request with the same code gets the same ticket. Default: each request makes a ticket.
   */
  readonly isRepeatable?: boolean;
};

/** A ticket that the simulator made. */
export type MadeTicket = {
  readonly ticket: string;
  /** `codigo_verificacion` of its request. */
  readonly code: string;
  readonly institution: string;
  readonly token?: string;
};

export type ClearingSimulator = Simulator & {
  /** Every ticket, the oldest first; `GET /_tickets` answers the same. */
  readonly tickets: () => readonly MadeTicket[];
};

type Held = {
  readonly ticket: string;
  readonly institution: string;
  readonly asked: TicketAsked;
  token?: string;
};

/**
 * The clearing entity: it makes tickets, opens the certificate of the verification, and gives a token where
 * it holds.
 */
export const startClearingSimulator = async (
  options: ClearingSimulatorOptions,
): Promise<ClearingSimulator> => {
  const held = new Map<string, Held>();
  const simulator = await startSimulator(
    { name: "clearing", answer: (request) => answer(options, held, request) },
    options.port,
  );
  return { ...simulator, tickets: () => listTickets(held) };
};

const listTickets = (held: ReadonlyMap<string, Held>): readonly MadeTicket[] =>
  [...held.values()].map(({ ticket, institution, asked, token }) => ({
    ticket,
    institution,
    code: asked.code,
    ...(token !== undefined && { token }),
  }));

const answer = async (
  options: ClearingSimulatorOptions,
  held: Map<string, Held>,
  request: SimulatorRequest,
): Promise<SimulatorAnswer> => {
  const { method, path } = request;
  if (method === "GET" && path === "/_tickets") return { status: 200, body: { tickets: listTickets(held) } };
  if (path === "/tvi/solicitudTokenWS" && method === "POST") return makeTicket(options, held, request);
  if (path === "/tvi/obtenerTokenWS" && method === "POST") return await giveToken(held, request);
  return stated(404, "No existe el recurso", []);
};

const makeTicket = (
  { basic, institutions, isRepeatable = false }: ClearingSimulatorOptions,
  held: Map<string, Held>,
  request: SimulatorRequest,
): SimulatorAnswer => {
  if (request.header("authorization") !== `Basic ${Buffer.from(basic, "utf8").toString("base64")}`) {
    const refused = stated(401, "Credenciales inválidas", ["authorization"]);
    return { ...refused, headers: { "www-authenticate": 'Basic realm="tvi"' } };
  }
  const { asked, faults } = readTicketRequest(parseJson(request.body));
  if (asked === undefined) return refused("Solicitud inválida", faults);
  const { institution } = asked;
  if (institutions?.includes(institution) === false)
    return refused("Institución desconocida", ["codigo_institucion"]);
  const former = isRepeatable ? [...held.values()].find((one) => one.asked.code === asked.code) : undefined;
  const ticket = former?.ticket ?? randomUUID();
  if (former === undefined) held.set(ticket, { ticket, institution, asked });
  return stated(200, "Ticket generado", [], { ticket_tvi: ticket });
};

const giveToken = async (
  held: ReadonlyMap<string, Held>,
  request: SimulatorRequest,
): Promise<SimulatorAnswer> => {
  const asked = readTokenRequest(parseJson(request.body));
  const found = asked === undefined ? undefined : held.get(asked.ticket);
  if (found === undefined || found.institution !== asked?.institution) {
    return refused("Ticket desconocido", ["ticket_tvi"]);
  }
  if (found.token === undefined) {
    const faults = await checkCertificate(found.asked);
    if (faults.length > 0) return refused("La verificación no es válida", faults);
    found.token ??= randomUUID();
  }
  return stated(200, "Token generado", [], { token: found.token });
};

/** The entity states a refusal in the body, under status 200. */
const refused = (message: string, errors: readonly string[]): SimulatorAnswer => ({
  ...stated(422, message, errors),
  status: 200,
});

const stated = (
  code: number,
  message: string,
  errors: readonly string[],
  value: Readonly<Record<string, string>> = {},
): SimulatorAnswer => {
  const fecha = new Date().toISOString().slice(0, 19).replace("T", " ");
  return {
    status: code,
    body: { respuesta: { codigo: code, mensaje: message, ...value, fecha, errores: errors } },
  };
};
