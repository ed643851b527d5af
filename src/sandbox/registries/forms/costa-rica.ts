import { civilWord, civilWords, type RegistryForm } from "../registry-form.ts";

/** The number in the path, OAuth 2.0, numbers for the sexes, each surname apart. */
export const costaRicaRegistry: RegistryForm = {
  country: "CRI",
  name: "tse-cri",
  auth: { kind: "oauth2" },
  request: { method: "GET", path: "/padron/v2/{documentNumber}" },
  readAsked: ({ path }) => {
    const documentNumber = /^\/padron\/v2\/(\d{9,12})$/.exec(path)?.[1];
    return documentNumber === undefined ? undefined : { documentNumber };
  },
  describe: (person, photo) => ({
    cedula: person.documentNumber,
    nombre: person.givenNames.join(" "),
    primerApellido: person.surnames[0],
    segundoApellido: person.surnames[1],
    fechaNacimiento: person.dateOfBirth,
    sexo: person.gender === "M" ? "1" : "2",
    nacionalidad: "COSTARRICENSE",
    estadoCivil: civilWord(person, civilWords),
    conyuge: person.spouseName ?? null,
    padre: person.fatherName,
    madre: person.motherName,
    domicilioElectoral: { direccion: person.address, canton: person.city, provincia: person.province },
    emision: person.issueDate,
    vencimiento: person.expiryDate,
    fotografia: photo ?? null,
  }),
  unknown: { status: 404, body: { error: "persona no encontrada" } },
  unknownRule: { status: [404] },
  fields: {
    documentNumber: "/cedula",
    firstName: "/nombre",
    lastName: ["/primerApellido", "/segundoApellido"],
    dateOfBirth: { from: "/fechaNacimiento", format: "YYYY-MM-DD" },
    gender: { from: "/sexo", values: { 1: "M", 2: "F" } },
    nationality: { from: "/nacionalidad", values: { COSTARRICENSE: "CRI" } },
    civilStatus: "/estadoCivil",
    spouseName: "/conyuge",
    fatherName: "/padre",
    motherName: "/madre",
    address: "/domicilioElectoral/direccion",
    city: "/domicilioElectoral/canton",
    province: "/domicilioElectoral/provincia",
    issueDate: { from: "/emision", format: "YYYY-MM-DD" },
    expiryDate: { from: "/vencimiento", format: "YYYY-MM-DD" },
    photo: { from: "/fotografia" },
  },
};
