import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { json, startRegistryServer } from "#support/registry/gateway-server";
import { persons, toBase64 } from "./images.ts";
import type { Harness } from "./service.ts";

/** The person of the drawn Ecuadorian card, in the words of the server; the photo is that of the demo. */
export const registeredPerson = {
  codigo: "000",
  persona: {
    nombres: "Ana María",
    apellidos: "Solís Prueba",
    fechaNacimiento: "01/01/1990",
    cedula: "171003406-5",
    foto: toBase64(persons.portrait),
  },
};

/** The number of that person, and one that the server does not have unless it is told to. */
export const [registeredNumber, unknownNumber] = ["1710034065", "0912345675"];

/**
 * A registry of Ecuador for test keys in a server of its own, and the settings with which a service asks it.
 */
export const startRegistry = async ({ directory }: Pick<Harness, "directory">) => {
  const server = await startRegistryServer();
  const answerUsual = (): void =>
    server.answerWith((request, response) => {
      const isKnown = request.url === `/${registeredNumber}`;
      json(isKnown ? registeredPerson : { codigo: "001" })(request, response);
    });
  answerUsual();
  const settings = join(directory, "..", "registries.yaml");
  await writeFile(
    settings,
    `test:
  ECU:
    connector: gateway
    legalBasis: "Contract 12/2026"
    request: { method: GET, url: "${server.url}/{documentNumber}" }
    answer:
      unknown: { where: { /codigo: ["001"] } }
      fields:
        firstName: /persona/nombres
        lastName: /persona/apellidos
        dateOfBirth: { from: /persona/fechaNacimiento, format: DD/MM/YYYY }
        documentNumber: /persona/cedula
        photo: /persona/foto
`,
  );
  const environment = { IDEM_REGISTRIES: settings, IDEM_EGRESS_ALLOW: "127.0.0.0/8" };
  return { ...server, answerUsual, environment };
};
