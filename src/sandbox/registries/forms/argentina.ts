import { parseJson } from "../../simulator/simulator.ts";
import { type RegistryForm, textOf } from "../registry-form.ts";

/**
 * Asks for number and sex, the trámite where the caller has it, and takes an image of the face. Instants as
 * dates.
 */
export const argentinaRegistry: RegistryForm = {
  country: "ARG",
  name: "renaper-arg",
  auth: { kind: "basic" },
  request: {
    method: "POST",
    path: "/api/v1/personas",
    body: {
      numero: "{documentNumber}",
      sexo: "{gender}",
      idTramite: "{documentCode}",
      imagenSelfie: "{bestImage}",
    },
  },
  readAsked: ({ body }) => {
    const read = parseJson(body);
    const [documentNumber, gender] = [textOf(read, "numero"), textOf(read, "sexo")];
    if (documentNumber === undefined || gender === undefined) return undefined;
    return { documentNumber, gender, documentCode: textOf(read, "idTramite") };
  },
  describe: (person, photo) => ({
    codigo: 99,
    dni: Number(person.documentNumber),
    apellido: person.surnames.join(" "),
    nombres: person.givenNames.join(" "),
    fechaNacimiento: `${person.dateOfBirth}T00:00:00Z`,
    sexo: person.gender,
    nacionalidad: "ARGENTINA",
    domicilio: { calle: person.address, ciudad: person.city, provincia: person.province, pais: "ARGENTINA" },
    ejemplar: "A",
    idTramitePrincipal: person.documentCode,
    emision: `${person.issueDate}T00:00:00Z`,
    vencimiento: `${person.expiryDate}T00:00:00Z`,
    foto: photo === undefined ? "" : `data:image/jpeg;base64,${photo}`,
  }),
  unknown: { status: 200, body: { codigo: 10, descripcion: "No se encontró la persona" } },
  unknownRule: { where: { "/codigo": [10] } },
  fields: {
    documentNumber: "/dni",
    lastName: "/apellido",
    firstName: "/nombres",
    dateOfBirth: { from: "/fechaNacimiento", format: "ISO" },
    gender: "/sexo",
    nationality: { from: "/nacionalidad", values: { ARGENTINA: "ARG" } },
    address: "/domicilio/calle",
    city: "/domicilio/ciudad",
    province: "/domicilio/provincia",
    country: { from: "/domicilio/pais", values: { ARGENTINA: "ARG" } },
    issueDate: { from: "/emision", format: "ISO" },
    expiryDate: { from: "/vencimiento", format: "ISO" },
    photo: { from: "/foto" },
  },
};
