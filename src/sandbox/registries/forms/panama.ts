import { parseJson } from "../../simulator/simulator.ts";
import { type RegistryForm, textOf, written } from "../registry-form.ts";

/** The number with its hyphens and an image of the face, OAuth 2.0. */
export const panamaRegistry: RegistryForm = {
  country: "PAN",
  name: "tribunal-electoral-pan",
  auth: { kind: "oauth2" },
  request: {
    method: "POST",
    path: "/ciudadano/verificar",
    body: { cedula: "{documentNumber}", rostro: "{bestImage}" },
  },
  readAsked: ({ body }) => {
    const documentNumber = textOf(parseJson(body), "cedula");
    return documentNumber === undefined ? undefined : { documentNumber };
  },
  describe: (person, photo) => ({
    ciudadano: {
      cedula: person.documentNumber,
      primer_nombre: person.givenNames[0],
      segundo_nombre: person.givenNames[1],
      apellido_paterno: person.surnames[0],
      apellido_materno: person.surnames[1],
      fecha_nacimiento: written(person.dateOfBirth, "DDMMYYYY"),
      sexo: person.gender,
      nacionalidad: "PANAMEÑA",
      lugar: { corregimiento: person.city, provincia: person.province },
      expedida: written(person.issueDate, "DDMMYYYY"),
      expira: written(person.expiryDate, "DDMMYYYY"),
    },
    biometria: { foto: photo ?? null },
  }),
  unknown: { status: 404, body: { mensaje: "Cédula no registrada" } },
  unknownRule: { status: [404] },
  fields: {
    documentNumber: "/ciudadano/cedula",
    firstName: ["/ciudadano/primer_nombre", "/ciudadano/segundo_nombre"],
    lastName: ["/ciudadano/apellido_paterno", "/ciudadano/apellido_materno"],
    dateOfBirth: { from: "/ciudadano/fecha_nacimiento", format: "DDMMYYYY" },
    gender: "/ciudadano/sexo",
    nationality: { from: "/ciudadano/nacionalidad", values: { PANAMEÑA: "PAN" } },
    city: "/ciudadano/lugar/corregimiento",
    province: "/ciudadano/lugar/provincia",
    issueDate: { from: "/ciudadano/expedida", format: "DDMMYYYY" },
    expiryDate: { from: "/ciudadano/expira", format: "DDMMYYYY" },
    photo: { from: "/biometria/foto" },
  },
};
