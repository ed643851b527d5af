import type { RequestListener } from "node:http";
import { type GatewayDeps, makeGateway } from "#features/registry/gateway/gateway";
import type { Registry } from "#features/registry/registry";
import type { GatewaySettings } from "#features/registry/settings/settings";
import { makeEgress } from "#machine/egress/make-egress";
import { type LocalServer, startServer } from "../webhooks/servers.ts";
import { knownPersons } from "./registry-suite.ts";

const isKnown = (number: string): number is keyof typeof knownPersons => Object.hasOwn(knownPersons, number);

/** The person in the words of this server. */
export const nativePerson = (number: keyof typeof knownPersons): object => {
  const person: { readonly fields: Readonly<Record<string, string>>; readonly photo?: Uint8Array } =
    knownPersons[number];
  const { firstName, lastName, dateOfBirth, gender, documentNumber, address, nationality } = person.fields;
  return {
    codigo: "000",
    persona: {
      nombres: firstName,
      apellidos: lastName?.split(" "),
      fechaNacimiento: dateOfBirth?.split("-").reverse().join("/"),
      sexo: gender === "F" ? "MUJER" : null,
      nacionalidad: nationality && "ECUATORIANA",
      cedula: documentNumber,
      domicilio: address ?? "",
      ...(person.photo && {
        foto: `data:image/jpeg;base64,${Buffer.from(person.photo).toString("base64")}`,
      }),
    },
  };
};

export type Respond = (...args: Parameters<RequestListener>) => void;

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200, type = "application/json"): Respond =>
  (_, response) =>
    void response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));

const usual: Respond = (request, response) => {
  const number = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname.slice(1));
  if (isKnown(number)) json(nativePerson(number))(request, response);
  else json({ codigo: "001" })(request, response);
};

/** A registry on this host, whose answers a test replaces. */
export const startRegistryServer = async (): Promise<
  LocalServer & { readonly answerWith: (respond?: Respond) => void }
> => {
  let respond = usual;
  const server = await startServer((_, request, response) => respond(request, response));
  return {
    ...server,
    answerWith: (next = usual) => {
      respond = next;
    },
  };
};

/** Settings of a gateway to that server. */
export const gatewaySettings = (url: string, change: Partial<GatewaySettings> = {}): GatewaySettings => ({
  connector: "gateway",
  legalBasis: "Contract 12/2026, art. 6",
  timeoutMs: 2_000,
  bytesMax: 2_000_000,
  request: { method: "GET", url: `${url}/{documentNumber}`, headers: {}, isIdempotent: true },
  auth: { kind: "none" },
  answer: {
    unknown: { status: [404], where: { "/codigo": ["001"] } },
    fields: {
      firstName: { from: ["/persona/nombres"] },
      lastName: { from: ["/persona/apellidos/0", "/persona/apellidos/1"] },
      dateOfBirth: { from: ["/persona/fechaNacimiento"], format: "DD/MM/YYYY" },
      gender: { from: ["/persona/sexo"], values: { MUJER: "F", HOMBRE: "M" } },
      nationality: { from: ["/persona/nacionalidad"], values: { ECUATORIANA: "ECU" } },
      documentNumber: { from: ["/persona/cedula"] },
      address: { from: ["/persona/domicilio"] },
      photo: { from: ["/persona/foto"] },
    },
  },
  ...change,
});

const loopbackEgress = makeEgress({ allow: ["127.0.0.0/8"] });

/** A gateway of Ecuador for test keys. */
export const openGateway = (settings: GatewaySettings, change: Partial<GatewayDeps> = {}): Registry =>
  makeGateway(
    settings,
    { environment: "test", country: "ECU" },
    {
      egress: loopbackEgress,
      clock: () => new Date(),
      nowMs: () => performance.now(),
      random: () => 0,
      ...change,
    },
  );
