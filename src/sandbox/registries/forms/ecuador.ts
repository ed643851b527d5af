import { parseJson } from "../../simulator/simulator.ts";
import { civilWord, civilWords, type RegistryForm, textOf, written } from "../registry-form.ts";

/** Asks for the código dactilar too. Names in one order, dates with slashes, words for the sexes. */
export const ecuadorRegistry: RegistryForm = {
  country: "ECU",
  name: "registro-civil-ecu",
  auth: { kind: "key", header: "x-api-key" },
  request: {
    method: "POST",
    path: "/personas/consulta",
    body: { cedula: "{documentNumber}", dactilar: "{documentCode}" },
  },
  readAsked: ({ body }) => {
    const read = parseJson(body);
    const documentNumber = textOf(read, "cedula");
    return documentNumber === undefined
      ? undefined
      : { documentNumber, documentCode: textOf(read, "dactilar") };
  },
  describe: (person, photo) => ({
    codigo: "000",
    persona: {
      nui: person.documentNumber,
      apellidos: person.surnames.join(" "),
      nombres: person.givenNames.join(" "),
      fechaNacimiento: written(person.dateOfBirth, "DD/MM/YYYY"),
      sexo: person.gender === "M" ? "HOMBRE" : "MUJER",
      nacionalidad: "ECUATORIANA",
      estadoCivil: civilWord(person, civilWords),
      conyuge: person.spouseName ?? null,
      nombrePadre: person.fatherName,
      nombreMadre: person.motherName,
      domicilio: { calle: person.address, canton: person.city, provincia: person.province },
      fechaExpedicion: written(person.issueDate, "DD/MM/YYYY"),
      fechaExpiracion: written(person.expiryDate, "DD/MM/YYYY"),
      foto: photo ?? null,
    },
  }),
  unknown: { status: 200, body: { codigo: "001", mensaje: "NO EXISTE" } },
  unknownRule: { where: { "/codigo": ["001"] } },
  fields: {
    documentNumber: "/persona/nui",
    lastName: "/persona/apellidos",
    firstName: "/persona/nombres",
    dateOfBirth: { from: "/persona/fechaNacimiento", format: "DD/MM/YYYY" },
    gender: { from: "/persona/sexo", values: { HOMBRE: "M", MUJER: "F" } },
    nationality: { from: "/persona/nacionalidad", values: { ECUATORIANA: "ECU" } },
    civilStatus: "/persona/estadoCivil",
    spouseName: "/persona/conyuge",
    fatherName: "/persona/nombrePadre",
    motherName: "/persona/nombreMadre",
    address: "/persona/domicilio/calle",
    city: "/persona/domicilio/canton",
    province: "/persona/domicilio/provincia",
    issueDate: { from: "/persona/fechaExpedicion", format: "DD/MM/YYYY" },
    expiryDate: { from: "/persona/fechaExpiracion", format: "DD/MM/YYYY" },
    photo: { from: "/persona/foto" },
  },
};
