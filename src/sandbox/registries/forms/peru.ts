import { civilWord, civilWords, type RegistryForm, written } from "../registry-form.ts";

/** The number in the query, a key in a header of its own, dates without separators. */
export const peruRegistry: RegistryForm = {
  country: "PER",
  name: "reniec-per",
  auth: { kind: "key", header: "x-reniec-key" },
  request: { method: "GET", path: "/consulta?dni={documentNumber}" },
  readAsked: ({ path, query }) => {
    const documentNumber = query.get("dni");
    return path !== "/consulta" || documentNumber === null ? undefined : { documentNumber };
  },
  describe: (person, photo) => ({
    coResultado: "0000",
    datos: {
      dni: person.documentNumber,
      apPrimer: person.surnames[0],
      apSegundo: person.surnames[1],
      prenombres: person.givenNames.join(" "),
      feNacimiento: written(person.dateOfBirth, "YYYYMMDD"),
      genero: person.gender === "M" ? "MASCULINO" : "FEMENINO",
      estadoCivil: civilWord(person, civilWords),
      direccion: person.address,
      ubigeo: { distrito: person.city, departamento: person.province },
      nombrePadre: person.fatherName,
      nombreMadre: person.motherName,
      feEmision: written(person.issueDate, "YYYYMMDD"),
      feCaducidad: written(person.expiryDate, "YYYYMMDD"),
    },
    imagenes: { foto: photo ?? "" },
  }),
  unknown: { status: 404, body: { coResultado: "0001" } },
  unknownRule: { status: [404] },
  fields: {
    documentNumber: "/datos/dni",
    lastName: ["/datos/apPrimer", "/datos/apSegundo"],
    firstName: "/datos/prenombres",
    dateOfBirth: { from: "/datos/feNacimiento", format: "YYYYMMDD" },
    gender: { from: "/datos/genero", values: { MASCULINO: "M", FEMENINO: "F" } },
    civilStatus: "/datos/estadoCivil",
    address: "/datos/direccion",
    city: "/datos/ubigeo/distrito",
    province: "/datos/ubigeo/departamento",
    fatherName: "/datos/nombrePadre",
    motherName: "/datos/nombreMadre",
    issueDate: { from: "/datos/feEmision", format: "YYYYMMDD" },
    expiryDate: { from: "/datos/feCaducidad", format: "YYYYMMDD" },
    photo: { from: "/imagenes/foto" },
  },
};
